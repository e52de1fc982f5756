"""Which programs a notice is given by; none that an agent in a jail may have written."""

from pathlib import Path

import pytest

from hqt.config.notify import Notify
from hqt.notifications.channels import Delivery, runs
from hqt.notifications.message import event
from hqt.notifications.program_queue import Run
from hqt.notifications.transitions import Notice
from hqt.start.caller import Caller
from tests.tui.sample import view

NOTICE = Notice(view(1, state="waiting", name="-shop", reason="<b>?"), "working", "waiting")


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("notify-send", "tell"):
        (tools / name).write_text("#!/bin/sh\n")
        (tools / name).chmod(0o755)
    return tools


def delivery(tools: Path, chosen: Notify, *suspect: Path, bus: str | None = "unix:path=/x") -> Delivery:
    env = {"PATH": str(tools), "HOME": str(tools.parent), "XDG_RUNTIME_DIR": str(tools.parent / "run")}
    if bus is not None:
        env["DBUS_SESSION_BUS_ADDRESS"] = bus
    return Delivery(chosen, Caller(env, 0, 0o022), tools.parent / "config", suspect)


def test_the_desktop_is_told_in_words_that_are_no_options(tools: Path) -> None:
    argv = (str(tools / "notify-send"), "--app-name=hqt", "--", "-shop needs you", "shop\n&lt;b&gt;?")
    assert list(runs(NOTICE, delivery(tools, Notify()))) == [("desktop", Run(argv))]


def test_a_backslash_of_an_agent_makes_no_markup(tools: Path) -> None:
    """notify-send makes a character of each `\\074` in a body."""
    asking = Notice(view(1, state="waiting", reason=r"\074b\076"), "working", "waiting")
    ((_, errand),) = runs(asking, delivery(tools, Notify()))
    assert isinstance(errand, Run)
    assert errand.argv[-1] == "shop\n" + r"\\074b\\076"


def test_without_a_desktop_nothing_is_sent_to_it(tools: Path) -> None:
    assert list(runs(NOTICE, delivery(tools, Notify(), bus=None))) == []
    assert list(runs(NOTICE, delivery(tools, Notify(desktop=False)))) == []
    (tools / "notify-send").unlink()
    assert list(runs(NOTICE, delivery(tools, Notify()))) == []


def test_a_bus_at_its_usual_place_is_one(tools: Path) -> None:
    (tools.parent / "run").mkdir()
    (tools.parent / "run/bus").touch()
    assert len(list(runs(NOTICE, delivery(tools, Notify(), bus=None)))) == 1


@pytest.mark.parametrize(
    ("said", "found"),
    [("tell", "bin/tell"), ("~/bin/tell", "bin/tell"), ("../bin/tell", "config/../bin/tell")],
)
def test_the_users_command_is_found_as_people_write_it(
    tools: Path, monkeypatch: pytest.MonkeyPatch, said: str, found: str
) -> None:
    monkeypatch.setenv("HOME", str(tools.parent))
    (tools.parent / "config").mkdir()
    chosen = Notify(desktop=False, command=(said, "--x"))
    argv = (str(tools.parent / found), "--x")
    assert list(runs(NOTICE, delivery(tools, chosen))) == [("command", Run(argv, event(NOTICE) + "\n"))]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("tell", "is not on PATH, or only in the project of a jail"),
        ("none", "is not on PATH, or only in the project of a jail"),
        ("../bin/tell", "lies in {}, the project of a jail"),
        ("../bin/none", "is no program that can be run"),
        ("../bin/closed", "is no program that can be run"),
    ],
)
def test_a_program_of_a_jails_project_is_never_run(tools: Path, said: str, why: str) -> None:
    (tools.parent / "config").mkdir()
    (tools / "closed").write_text("#!/bin/sh\n")
    chosen = Notify(command=(said,))
    assert list(runs(NOTICE, delivery(tools, chosen, tools))) == [
        ("command", f"notify.command: {said} {why.format(tools)}")
    ]
