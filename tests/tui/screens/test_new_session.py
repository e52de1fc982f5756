"""The New Session dialog: started from any field, refused at the field, and never open by accident."""

import asyncio
import threading
from functools import partial
from pathlib import Path

import pytest
from textual.events import Paste
from textual.widgets import Button

from hqt.backends.base import Size
from hqt.errors import About, ConfigError, HqtError, JailError, ServiceError
from hqt.observe.views import NewSession
from hqt.sandbox import SandboxPolicy
from hqt.tui.screens.new_session import Created
from hqt.values import replace
from tests.tui.screens.dialog import CHOICES, HOME, NONE, ONLINE, OUTCOME, Dialog, DialogServices, dialog

PLAIN = NewSession(HOME / "src/shop", "claude", size=Size(80, 30))


async def test_enter_at_once_starts_what_is_chosen_already() -> None:
    async with dialog() as shown:
        await shown.open()
        assert shown.line("Folder") == "~/src/shop"
        assert shown.line("Harness") == "Claude Code"
        assert shown.line("Name") == "shop-claude-2"
        assert "Read-write" not in shown.text
        await shown.press("enter")
        assert await shown.done() == Created(PLAIN, OUTCOME)


async def test_a_prompt_has_as_many_lines_as_are_broken() -> None:
    async with dialog() as shown:
        await shown.open()
        await shown.type("fix")
        for key in ("alt+enter", "shift+enter", "ctrl+j"):
            await shown.press(key)
            await shown.type("it")
        await shown.press("enter")
        done = await shown.done()
        assert done is not None
        assert done.chosen == replace_prompt("fix\nit\nit\nit")


def replace_prompt(prompt: str) -> NewSession:
    return PLAIN._replace(prompt=prompt)


@pytest.mark.parametrize(
    "label", ["First prompt", "Sandboxed", "Files", "Network", "Harness", "Folder", "Name", "Start"]
)
async def test_enter_starts_from_each_field_and_its_button(label: str) -> None:
    async with dialog() as shown:
        await shown.open(sandboxed=True)
        await shown.go(label)
        await shown.press("enter")
        done = await shown.done()
        assert done == Created(PLAIN._replace(sandbox=SandboxPolicy()), OUTCOME)


async def test_what_opens_and_chooses_keeps_its_own_enter() -> None:
    async with dialog() as shown:
        await shown.open(sandboxed=True)
        await shown.go("Files")
        await shown.press("space", "down", "enter")
        assert shown.line("Files") == "Read-only"
        await shown.tab_to("More")
        await shown.press("enter")
        await shown.go("Arguments")
        assert shown.results == []
        await shown.type("--model 'o 3'")
        await shown.press("enter")
        done = await shown.done()
        assert done is not None
        assert (done.chosen.sandbox, done.chosen.args) == (SandboxPolicy("ro"), ("--model", "o 3"))


async def test_esc_closes_an_open_choice_before_the_dialog() -> None:
    async with dialog() as shown:
        await shown.open()
        await shown.go("Harness")
        await shown.press("space", "escape")
        assert shown.results == []
        await shown.press("escape")
        assert await shown.done() is None


async def test_every_choice_is_made_by_keys() -> None:
    async with dialog(size=(80, 24)) as shown:
        await shown.open()
        await shown.type("hi")
        await shown.press("ctrl+s")
        await shown.tab_to("Files")
        await shown.press("space", "down", "enter")
        await shown.tab_to("Network")
        await shown.press("space")
        await shown.tab_to("Harness")
        await shown.press("down", "down", "enter")
        await shown.tab_to("Folder")
        await shown.press("end", *["backspace"] * 4)
        await shown.type("web")
        await shown.tab_to("Name")
        await shown.type("x y")
        await shown.tab_to("More")
        await shown.press("enter")
        await shown.tab_to("Variables")
        await shown.type("A B")
        await shown.press("enter")
        done = await shown.done()
        assert done is not None
        assert done.chosen == NewSession(
            directory=Path("~/src/web").expanduser(),
            harness="generic",
            name="x y",
            sandbox=SandboxPolicy("ro", net=False),
            env_names=("A", "B"),
            prompt="hi",
            size=Size(80, 24),
        )


async def test_the_mouse_does_it_too() -> None:
    async with dialog() as shown:
        await shown.open()
        await shown.pilot.click("Toggle Switch")
        await shown.pilot.pause()
        assert "Read-write" in shown.text
        await shown.pilot.click(".buttons Button")
        done = await shown.done()
        assert done == Created(PLAIN._replace(sandbox=SandboxPolicy()), OUTCOME)


# the jail


async def test_the_jail_is_off_until_asked_for_and_says_what_it_means() -> None:
    async with dialog() as shown:
        await shown.open()
        assert shown.line("Sandboxed").endswith("off")
        await shown.press("ctrl+s")
        assert shown.line("Sandboxed").endswith("on")
        assert (
            "Sees this folder and its Claude Code login. Internet and this machine's localhost reachable."
            " No ssh, gh, docker. Prompts off." in shown.text
        )
        await shown.press("ctrl+s")
        assert "Sees this folder" not in shown.text


@pytest.mark.parametrize(("by_key", "by_config"), [(True, False), (False, True)])
async def test_the_jail_is_on_where_it_was_asked_for(by_key: bool, by_config: bool) -> None:
    async with dialog(DialogServices(replace(CHOICES, jailed=by_config))) as shown:
        await shown.open(sandboxed=by_key)
        assert shown.line("Sandboxed").endswith("on")
        await shown.press("enter")
        done = await shown.done()
        assert done is not None
        assert done.chosen.sandbox == SandboxPolicy()


async def test_enter_before_the_config_is_read_is_jailed_as_it_says() -> None:
    services = DialogServices(replace(CHOICES, jailed=True))
    services.known.clear()
    async with dialog(services) as shown:
        await shown.begin()
        await shown.type("go")
        await shown.press("enter")
        assert services.fake.started == []
        services.known.set()
        done = await shown.done()
        assert done == Created(PLAIN._replace(prompt="go", sandbox=SandboxPolicy()), OUTCOME)


async def test_without_bubblewrap_the_switch_stays_off_and_a_session_starts_open() -> None:
    """A01: why is said where it is chosen, with the way on."""
    async with dialog(DialogServices(jail=NONE)) as shown:
        await shown.open()
        await shown.press("ctrl+s")
        assert shown.line("Sandboxed").endswith("off")
        assert (
            "a jail can't be made here: bubblewrap (bwrap) is not on PATH: install it; or run `hqt doctor`"
            in shown.text
        )
        assert "Start without a jail" not in shown.text
        await shown.press("enter")
        assert await shown.done() == Created(PLAIN, OUTCOME)


@pytest.mark.parametrize(("by_key", "by_config"), [(True, False), (False, True)])
async def test_a_jail_that_was_asked_for_and_can_not_be_had_starts_nothing(
    by_key: bool, by_config: bool
) -> None:
    """A01: never open by accident."""
    services = DialogServices(replace(CHOICES, jailed=by_config), NONE)
    async with dialog(services) as shown:
        await shown.open(sandboxed=by_key)
        assert shown.line("Sandboxed").endswith("on")
        await shown.press("ctrl+s")
        for label in ("First prompt", "Harness", "Folder", "Name"):
            await shown.go(label)
            await shown.press("enter")
        await shown.pilot.click(".buttons Button")  # the first: Start
        await shown.pilot.pause()
        assert (services.fake.started, shown.results) == ([], [])
        await shown.go("Start without a jail")
        await shown.press("enter")
        assert await shown.done() == Created(PLAIN, OUTCOME)


async def test_the_focus_never_moves_to_the_start_without_a_jail_by_itself() -> None:
    services = DialogServices()
    async with dialog(services) as shown:
        await shown.open(sandboxed=True)
        await shown.go("Start")
        services.jail_there = NONE
        await _change_folder(shown)
        await shown.until(lambda: "Start without a jail" in shown.text)
        await shown.press("enter")
        assert not isinstance(shown.app.screen.focused, Button)
        assert (services.fake.started, shown.results) == ([], [])


async def _change_folder(shown: Dialog) -> None:
    """As a completion that comes late would."""
    from hqt.tui.widgets.entry import FolderEntry

    shown.app.screen.query_one(FolderEntry).put("/src/other")
    await shown.pilot.pause()


async def test_where_only_offline_jails_fail_the_network_stays_on() -> None:
    """A03"""
    services = DialogServices(jail=ONLINE)
    async with dialog(services) as shown:
        await shown.open(sandboxed=True)
        assert "an offline jail can't be made here: no loopback: give NET_ADMIN" in shown.text
        await shown.pilot.click("Toggle Switch")  # still to be turned
        await shown.press("ctrl+s")
        assert shown.line("Network").endswith("on")
        await shown.press("enter")
        assert await shown.done() == Created(PLAIN._replace(sandbox=SandboxPolicy()), OUTCOME)


async def test_an_offline_jail_that_was_chosen_before_is_not_started_with_a_network() -> None:
    services = DialogServices()
    async with dialog(services) as shown:
        await shown.open(sandboxed=True)
        await shown.go("Network")
        await shown.press("space")
        services.jail_there = ONLINE
        await _change_folder(shown)
        await shown.until(lambda: "an offline jail" in shown.text)
        await shown.press("enter")
        assert services.fake.started == []
        await shown.go("Network")
        await shown.press("space", "enter")
        done = await shown.done()
        assert done is not None
        assert done.chosen.sandbox == SandboxPolicy(net=True)


async def test_another_folder_is_asked_for_anew() -> None:
    services = DialogServices()
    async with dialog(services) as shown:
        await shown.open()
        assert set(services.asked) == {HOME / "src/shop"}
        await shown.go("Folder")
        shown.app.post_message(Paste("-api"))
        await shown.until(lambda: shown.line("Name") == "shop-api-claude")
        assert services.asked[-1] == Path("~/src/shop-api").expanduser()


# what is wrong


_REFUSALS: list[tuple[About, str]] = [
    ("prompt", "First prompt"),
    ("sandbox", "Sandboxed"),
    ("harness", "Harness"),
    ("directory", "Folder"),
    ("name", "Name"),
    ("args", "Arguments"),
    ("env_names", "Variables"),
]


async def test_a_refusal_is_said_at_its_field_and_loses_nothing() -> None:
    services = DialogServices()
    async with dialog(services) as shown:
        await shown.open()
        await shown.type("fix [/]")
        for about, label in _REFUSALS:
            refusal = ServiceError(f"the {about} [/] \x1b[31mcan't be: change it")
            refusal.about = about
            services.fake.refusals = [refusal]
            await shown.press("enter")
            await shown.until(partial(shown.says, rf"the {about} [/] \x1b[31mcan't be"))
            await shown.until(partial(shown.is_at, label))
        await shown.press("enter")
        assert await shown.done() == Created(PLAIN._replace(prompt="fix [/]"), OUTCOME)


async def test_what_is_about_no_field_is_said_above_the_buttons() -> None:
    services = DialogServices()
    services.fake.refusals = [ServiceError("tmux is gone: start it")]
    async with dialog(services) as shown:
        await shown.open()
        await shown.press("enter")
        await shown.until(lambda: "tmux is gone: start it" in shown.text)
        await shown.type("more")
        assert shown.results == []


async def test_a_refused_jail_stays_asked_for_and_is_looked_at_again() -> None:
    services = DialogServices()
    refusal = JailError("the jail could not be made, nothing was started: no")
    refusal.about = "sandbox"
    services.fake.refusals = [refusal]
    async with dialog(services) as shown:
        await shown.open(sandboxed=True)
        services.jail_there = NONE
        await shown.press("enter")
        await shown.until(lambda: "Start without a jail" in shown.text)
        assert "nothing was started: no" in shown.text
        await shown.press("enter")
        assert services.fake.started == []


@pytest.mark.parametrize(
    ("label", "text", "sentence"),
    [
        ("Arguments", "'", "the arguments can't be split into words (no closing quotation)"),
        ("Folder", "~nobody-of-that-name/", "it names no user"),
    ],
)
async def test_what_can_not_be_read_is_said_at_its_field(label: str, text: str, sentence: str) -> None:
    async with dialog() as shown:
        await shown.open()
        await shown.tab_to("More")
        await shown.press("enter")
        await shown.go(label)
        await shown.press("ctrl+u")
        await shown.type(text)
        await shown.press("enter")
        await shown.until(lambda: sentence in shown.text)
        assert shown.services.fake.started == []


async def test_a_harness_must_be_chosen_where_none_is_usual() -> None:
    async with dialog(DialogServices(replace(CHOICES, harness=None))) as shown:
        await shown.open()
        assert shown.line("Harness") == "choose one"
        await shown.press("enter")
        await shown.until(lambda: "no harness is chosen: choose one" in shown.text)


async def test_one_that_is_not_installed_is_marked() -> None:
    async with dialog(DialogServices(replace(CHOICES, harness="codex"))) as shown:
        await shown.open()
        assert shown.line("Harness") == "Codex (not installed)"


async def test_choices_that_can_not_be_had_are_said_until_they_can() -> None:
    services = DialogServices(ConfigError("config.toml is not TOML: correct it"))
    async with dialog(services) as shown:
        await shown.open()
        await shown.type("go")
        await shown.press("enter")
        assert "config.toml is not TOML: correct it" in shown.text
        assert services.fake.started == []
        services.answer = replace(CHOICES, jailed=True)
        await shown.press("enter")
        assert await shown.done() == Created(PLAIN._replace(prompt="go", sandbox=SandboxPolicy()), OUTCOME)


# what stays


async def test_a_draft_is_kept_by_esc_until_it_is_started() -> None:
    async with dialog() as shown:
        await shown.open()
        await shown.type("fix it")
        await shown.press("alt+enter", "ctrl+s")
        await shown.go("Harness")
        await shown.press("down", "down", "enter")
        await shown.go("Name")
        await shown.type("mine")
        await shown.press("escape", "escape")
        assert await shown.done() is None
        shown.results.clear()
        await shown.open()
        await shown.type("now")
        await shown.press("enter")
        wanted = PLAIN._replace(harness="generic", name="mine", sandbox=SandboxPolicy(), prompt="fix it\nnow")
        assert await shown.done() == Created(wanted, OUTCOME)
        await shown.open()
        assert "fix it" not in shown.text
        assert shown.line("Sandboxed").endswith("off")


async def test_what_was_only_looked_at_is_no_draft() -> None:
    async with dialog() as shown:
        await shown.open(sandboxed=True)
        await shown.press("escape")
        await shown.open()
        assert shown.line("Sandboxed").endswith("off")


async def test_a_config_that_asks_for_a_jail_counts_for_an_early_draft_too() -> None:
    services = DialogServices(replace(CHOICES, jailed=True))
    services.known.clear()
    async with dialog(services) as shown:
        await shown.begin()
        await shown.type("x")
        asyncio.get_running_loop().call_later(0.2, services.known.set)
        await shown.press("escape")
        assert await shown.done() is None
        await shown.open()
        assert shown.line("Sandboxed").endswith("on")


async def test_while_it_starts_nothing_can_be_changed_or_left() -> None:
    services = DialogServices()
    services.fake.gate = threading.Event()
    async with dialog(services) as shown:
        await shown.open()
        await shown.type("go")
        await shown.press("enter")
        await shown.until(lambda: "starting…" in shown.text)
        await shown.press("x", "escape", "enter", "ctrl+s")
        assert shown.results == []
        services.fake.gate.set()
        assert await shown.done() == Created(PLAIN._replace(prompt="go"), OUTCOME)
        assert len(services.fake.started) == 1


async def test_a_resize_loses_nothing_and_the_smallest_terminal_does_not_crash() -> None:
    """A73"""
    async with dialog() as shown:
        await shown.open(sandboxed=True)
        await shown.type("fix it")
        for size in ((40, 10), (20, 5), (1, 1), (200, 50), (80, 24)):
            await shown.pilot.resize_terminal(*size)
            await shown.pilot.pause()
        await shown.press("enter")
        wanted = PLAIN._replace(prompt="fix it", sandbox=SandboxPolicy(), size=Size(80, 24))
        assert await shown.done() == Created(wanted, OUTCOME)


@pytest.mark.parametrize("size", [(80, 24), (40, 10)])
async def test_every_field_and_button_is_reached_and_seen_by_tab(size: tuple[int, int]) -> None:
    """A73"""
    async with dialog(DialogServices(jail=NONE), size) as shown:
        await shown.open(sandboxed=True)
        for label in ("Harness", "Folder", "Name", "More", "Start without", "Close (draft", "First prompt"):
            await shown.tab_to(label)


# folders


async def test_folders_that_were_used_are_offered_and_meant_as_they_are() -> None:
    """A67: a name with brackets, and one with a line end."""
    async with dialog() as shown:
        await shown.open()
        await shown.go("Folder")
        await shown.press("down")
        await shown.until(lambda: shown.line("Folder") == "~/src/web")
        await shown.press("down")
        await shown.until(lambda: shown.line("Folder") == r"/srv/[/]\nx")
        await shown.press("enter")
        done = await shown.done()
        assert done is not None
        assert done.chosen.directory == Path("/srv/[/]\nx")


async def test_a_path_is_completed_by_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "[red]shop").mkdir()
    monkeypatch.chdir(tmp_path)
    async with dialog() as shown:
        await shown.open()
        await shown.go("Folder")
        await shown.press("ctrl+u")
        await shown.type("[re")
        await shown.until(lambda: shown.line("Folder") == "[red]shop")
        await shown.press("right", "enter")
        done = await shown.done()
        assert done is not None
        assert done.chosen.directory == tmp_path / "[red]shop"


async def test_the_chosen_rows_folder_is_taken_where_hqts_own_is_gone() -> None:
    async with dialog(DialogServices(replace(CHOICES, here=None))) as shown:
        await shown.open(folder=HOME / "src/web")
        assert shown.line("Folder") == "~/src/web"


async def test_brackets_are_shown_as_they_are() -> None:
    """A67"""
    titles = ("fix [/] x", "[link=file:///]q[/link]", "[red]x", "[@click=app.quit]hi[/]")
    for title in titles:
        services = DialogServices(replace(CHOICES, here=Path("/src", title.replace("/", "|"))))
        refusal: HqtError = ServiceError(f"the name {title} is taken: choose another")
        refusal.about = "name"
        services.fake.refusals = [refusal]
        async with dialog(services) as shown:
            await shown.open()
            assert shown.line("Folder") == f"/src/{title.replace('/', '|')}"
            assert shown.line("Name") == f"{title.replace('/', '|')}-claude"
            await shown.go("Name")
            shown.app.post_message(Paste(title))
            await shown.until(partial(shown.says, f"Name {title}"))
            await shown.press("enter")
            await shown.until(partial(shown.says, f"the name {title} is taken"))


async def test_what_is_pasted_holds_nothing_that_a_terminal_acts_on() -> None:
    async with dialog() as shown:
        await shown.open()
        shown.app.post_message(Paste("a\x1b[2Jb\r\nc\rd\x07\te"))
        await shown.until(lambda: "a[2Jb" in shown.text)
        await shown.go("Name")
        shown.app.post_message(Paste("n\x1b[31m\nmore"))
        await shown.until(lambda: shown.line("Name") == "n[31m")
        await shown.press("enter")
        done = await shown.done()
        assert done is not None
        assert (done.chosen.prompt, done.chosen.name) == ("a[2Jb\nc\nd\te", "n[31m")
