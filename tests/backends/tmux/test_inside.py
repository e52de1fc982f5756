"""Keys and the user's own file, inside."""

import base64

import pytest

from hqt.backends.base import Size
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.settings import TmuxSettings
from hqt.errors import ConfigError
from hqt.values import replace
from tests.backends.requests import KEY, sh
from tests.backends.tmux.server import tmux
from tests.backends.tmux.terminal import Terminal
from tests.world import World, needs_tmux, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]
OTHER = "0000000b"


def asking(settings: TmuxSettings, world: World, key: str = "C-Space") -> TmuxSettings:
    """The next key leaves a line with what it was given."""
    asked = world.tool("asked", f'echo "$*" >> {world.root}/asked; echo output; exit 3')
    return replace(settings, next_key=key, next_command=(str(asked), "a b#{pid}"))


def asked(world: World) -> list[str]:
    path = world.root / "asked"
    return path.read_text().splitlines() if path.exists() else []


def enter(backend: TmuxBackend, world: World, terminal: Terminal, key: str = KEY) -> None:
    backend.spawn(sh(world, f"seq 50; echo agent {key} up; exec cat", key=key, size=Size(90, 25)))
    terminal.attach(key, backend.attach_command(key, world.env))
    assert terminal.shows(key, f"agent {key} up")


def test_the_next_key_asks_for_its_own_terminal_and_session(
    settings: TmuxSettings, world: World, terminal: Terminal
) -> None:
    """A46: the same in every session; what the command prints or fails with disturbs no screen."""
    backend = TmuxBackend(asking(settings, world))
    for key in (KEY, OTHER):
        enter(backend, world, terminal, key)
    clients = dict(
        line.split()
        for line in tmux(settings, "list-clients", "-F", "#{session_name} #{client_name}").split("\n")
    )
    for number, key in enumerate((KEY, OTHER), 1):
        terminal.press(key, "C-Space")
        assert wait_until(lambda number=number: len(asked(world)) == number)  # type: ignore[misc]
        assert asked(world)[-1] == f"a b#{{pid}} {clients[f'hqt-{key}']} hqt-{key}"
        assert f"agent {key} up" in terminal.screen(key)
        assert "output" not in terminal.screen(key)


def test_the_next_key_works_while_scrolling(settings: TmuxSettings, world: World, terminal: Terminal) -> None:
    backend = TmuxBackend(asking(settings, world))
    enter(backend, world, terminal)
    terminal.press(KEY, *["\x1b[<64;5;5M"] * 3)  # the wheel, as a terminal sends it
    assert wait_until(lambda: "agent" not in terminal.screen(KEY))
    terminal.press(KEY, "C-Space")
    assert wait_until(lambda: len(asked(world)) == 1)


def test_without_a_next_key_it_reaches_the_agent(
    settings: TmuxSettings, world: World, terminal: Terminal
) -> None:
    backend = TmuxBackend(replace(asking(settings, world), next_key=None))
    backend.spawn(sh(world, "stty raw -echo; echo agent up; exec od -An -c -v -w1"))
    terminal.attach("a", backend.attach_command(KEY, world.env))
    assert terminal.shows("a", "agent up")
    terminal.press("a", "C-Space")
    assert terminal.shows("a", "\\0")
    assert asked(world) == []


def test_a_terminal_inside_is_told_a_sentence(backend: TmuxBackend, world: World, terminal: Terminal) -> None:
    enter(backend, world, terminal)
    client = tmux(backend.settings, "list-clients", "-F", "#{client_name}")
    backend.tell(client, "no other #{pid} %H needs you")
    assert terminal.shows(KEY, "no other #{pid} %H needs you")


def own_file(settings: TmuxSettings, world: World, text: str) -> TmuxSettings:
    path = world.home / "my own *.conf"
    path.write_text(text)
    return replace(settings, user_file=path)


_HOSTILE = """
set -g destroy-unattached on
set -g default-command 'exit 1'
set -g remain-on-exit off
set -g update-environment 'HOME'
set -g key-table mine
set -g prefix C-q
set -g prefix2 C-Space
bind -n C-q send-keys x
bind -T copy-mode-vi C-q send-keys -X cancel
set-hook -g pane-died 'kill-server'
set -s exit-empty on
"""


def test_the_users_file_sets_what_is_taste_and_cannot_break_what_hqt_stands_on(
    settings: TmuxSettings, world: World, terminal: Terminal
) -> None:
    mine = "bind -n F5 copy-mode\nset -g mode-keys vi\nset -g mouse off\nset -g history-limit 77\n"
    backend = TmuxBackend(own_file(asking(settings, world), world, _HOSTILE + mine))
    enter(backend, world, terminal)
    terminal.press(KEY, "C-Space")
    assert wait_until(lambda: len(asked(world)) == 1)
    terminal.press(KEY, "F5")
    assert wait_until(
        lambda: tmux(settings, "display-message", "-p", "-t", f"=hqt-{KEY}:", "#{pane_in_mode}") == "1"
    )
    terminal.press(KEY, "C-q")
    assert terminal.shows(KEY, "ended 0")
    options = ("history-limit", "mode-keys", "mouse", "remain-on-exit", "destroy-unattached")
    found = {name: tmux(settings, "show-options", "-Av", "-t", f"=hqt-{KEY}:", name) for name in options}
    assert found == {
        "history-limit": "77",
        "mode-keys": "vi",
        "mouse": "off",
        "remain-on-exit": "on",
        "destroy-unattached": "off",
    }
    backend.kill(KEY)
    assert backend.panes().reach == "up"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("set -g no-such-option on\nbind -n F6 copy-mode\n", "invalid option: no-such-option"),
        ("no-such-command\n", "unknown command: no-such-command"),
        ("bind -n F6 {\n", "syntax error"),
    ],
)
def test_what_is_wrong_in_the_users_file_is_a_note_and_breaks_no_start(
    text: str, said: str, settings: TmuxSettings, world: World, terminal: Terminal
) -> None:
    backend = TmuxBackend(own_file(settings, world, text))
    enter(backend, world, terminal)
    note = backend.attach_command(KEY, world.env).note or ""
    assert note.startswith(f"tmux says of {world.home}/my own *.conf: ")
    assert said in note
    terminal.press(KEY, "C-q")
    assert terminal.shows(KEY, "ended 0")


def test_sourced_again_and_again_nothing_of_hqts_grows(
    settings: TmuxSettings, world: World, terminal: Terminal
) -> None:
    backend = TmuxBackend(own_file(asking(settings, world), world, _HOSTILE))
    enter(backend, world, terminal)

    def all_of_it() -> list[str]:
        asked = (("show-options", "-g"), ("show-options", "-s"), ("list-keys",), ("show-hooks", "-g"))
        return [tmux(settings, *words) for words in asked]

    before = all_of_it()
    for _ in range(3):
        backend.attach_command(KEY, world.env)
    assert all_of_it() == before


def test_a_file_in_the_project_of_a_jail_is_never_read(settings: TmuxSettings, world: World) -> None:
    """An agent could write what tmux would run outside."""
    path = world.project / "tmux.conf"
    path.write_text(f"run-shell 'touch {world.root}/escaped'\n")
    link = world.home / "link.conf"
    link.symlink_to(path)
    for file in (path, link):
        backend = TmuxBackend(replace(settings, user_file=file, suspect=(world.project,)))
        with pytest.raises(ConfigError) as raised:
            backend.spawn(sh(world, "exec cat"))
        said = f"tmux.config = {file} lies in a project of a jailed session: move it out of there"
        assert str(raised.value) == said
    assert not (world.root / "escaped").exists()
    assert backend.panes().reach == "down"


@pytest.mark.parametrize("made", ["nothing", "folder"])
def test_a_file_that_cannot_be_read_is_named(made: str, settings: TmuxSettings, world: World) -> None:
    path = world.home / "x.conf"
    if made == "folder":
        path.mkdir()
    why = "Is a directory" if made == "folder" else "No such file or directory"
    backend = TmuxBackend(replace(settings, user_file=path))
    with pytest.raises(ConfigError) as raised:
        backend.attach_command(KEY, world.env)
    assert str(raised.value) == f"tmux.config = {path} can't be read ({why}): correct config.toml"
    assert backend.panes().reach == "down"  # who only looks needs no such file


def _copied(settings: TmuxSettings, world: World, terminal: Terminal, text: str) -> bool:
    """Whether what an agent copies by OSC 52 reaches the terminal outside."""
    word = base64.b64encode(text.encode()).decode()
    backend = TmuxBackend(settings)
    backend.spawn(
        sh(world, f"printf '\\033]52;c;{word}\\007'; read x; printf '\\033]52;c;{word}\\007'; echo done; cat")
    )
    terminal.attach("a", backend.attach_command(KEY, world.env))
    terminal.tmux("set-option", "-s", "set-clipboard", "on")
    terminal.press("a", "Enter")
    assert terminal.shows("a", "done")
    return text in terminal.tmux("show-buffer")


def test_an_agent_writes_to_no_clipboard_unless_the_users_file_lets_it(
    settings: TmuxSettings, world: World, terminal: Terminal
) -> None:
    """A35."""
    assert not _copied(settings, world, terminal, "stolen")


def test_the_users_file_may_let_agents_copy(settings: TmuxSettings, world: World, terminal: Terminal) -> None:
    """A35: `set -s set-clipboard on` is one line of it."""
    assert _copied(own_file(settings, world, "set -s set-clipboard on\n"), world, terminal, "copied")


def test_wide_and_boxed_letters_are_shown_without_any_locale(
    backend: TmuxBackend, world: World, terminal: Terminal
) -> None:
    """A34: tmux is told, by -u, on both sides."""
    backend.spawn(sh(world, "printf '│ ❯ 日本 ⠋\\n'; exec cat", title="日本"))
    bare = {name: world.env[name] for name in ("PATH", "HOME", "TERM")}
    terminal.attach("a", backend.attach_command(KEY, bare))
    assert terminal.shows("a", "│ ❯ 日本 ⠋")
    assert backend.capture(KEY, lines=None, ansi=False) == ["│ ❯ 日本 ⠋"]
