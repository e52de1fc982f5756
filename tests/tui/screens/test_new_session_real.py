"""The dialog over the real services: real tmux and bwrap, or one that fails as on machines of reports."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from hqt.db import reader
from hqt.sandbox import SandboxPolicy
from hqt.tui.app import HqtApp
from hqt.tui.link.services import Services
from hqt.tui.screens.new_session import Created, NewSessionScreen
from hqt.tui.widgets.entry import Entry
from tests.cli.steps import NOTHING, traces
from tests.tui.stand import Stand, seen, until
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]
_VERSION = "case $1 in --version) echo bubblewrap 0.8.0; exit;; esac"


@asynccontextmanager
async def opened(
    services: Services, world: World, monkeypatch: pytest.MonkeyPatch, *, sandboxed: bool = False
) -> AsyncIterator[tuple[Pilot[None], list[Created | None]]]:
    """The dialog in the world's project, with the generic harness chosen by its config."""
    monkeypatch.chdir(world.project)
    monkeypatch.setenv("PWD", str(world.project))
    world.places.config_file.parent.mkdir(parents=True)
    world.places.config_file.write_text('[new]\nharness = "generic"\n')
    app, results = HqtApp(services, lambda: Stand(())), list[Created | None]()
    async with app.run_test(size=(100, 40)) as pilot:
        await app.push_screen(NewSessionScreen(sandboxed=sandboxed), results.append)
        await until(pilot, lambda: any("proj-generic" in row for row in seen(app)))
        yield pilot, results


def _arguments(pilot: Pilot[None], text: str) -> None:
    pilot.app.screen.query(Entry)[2].value = text


def _says(pilot: Pilot[None], text: str) -> bool:
    app = pilot.app
    assert isinstance(app, HqtApp)
    rows = (row.strip().strip("│").strip() for row in seen(app))
    return text in " ".join(" ".join(rows).split())


@needs_bwrap
async def test_a_jailed_session_is_started_from_the_dialog(
    services: Services, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(services, world, monkeypatch) as (pilot, results):
        _arguments(pilot, "sh -c 'echo $HQT_SANDBOX > here; exec cat'")
        await pilot.press("ctrl+s", "enter")
        await until(pilot, lambda: bool(results))
        created = results[0]
        assert created is not None
        assert created.chosen.sandbox == SandboxPolicy()
        view = created.outcome.view
        assert (view.state, view.sandbox, view.cwd) == ("running", SandboxPolicy(), world.project)
        await until(pilot, (world.project / "here").exists)
        assert (world.project / "here").read_text() == "1\n"


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ("setting up uid map: Permission denied", "install the AppArmor profile for bwrap"),
        ("Can't mount proc on /newroot/proc: Operation not permitted", "this container blocks nested"),
    ],
)
async def test_a_bwrap_that_fails_is_quoted_and_nothing_is_started(
    services: Services, world: World, monkeypatch: pytest.MonkeyPatch, words: str, remedy: str
) -> None:
    """A01, A02"""
    world.tool("bwrap", f'{_VERSION}\necho "bwrap: {words}" >&2; exit 1')
    async with opened(services, world, monkeypatch, sandboxed=True) as (pilot, results):
        await until(pilot, lambda: _says(pilot, "Start without a jail"))
        assert _says(pilot, f"present but not usable (bwrap: {words})")
        assert _says(pilot, remedy)
        assert _says(pilot, "run `hqt doctor`")
        _arguments(pilot, "touch ran")
        await pilot.press("enter")
        await pilot.pause()
        assert results == []
        assert traces(world) == NOTHING
        assert not (world.project / "ran").exists()


@needs_bwrap
async def test_where_only_offline_fails_a_jail_with_a_network_starts(
    services: Services, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A03"""
    failing = (
        "case \" $* \" in *' --unshare-net '*) echo 'bwrap: loopback: Failed RTM_NEWADDR' >&2; exit 1;; esac"
    )
    world.tool("bwrap", f'{_VERSION}\n{failing}\nexec /usr/bin/bwrap "$@"')
    async with opened(services, world, monkeypatch, sandboxed=True) as (pilot, results):
        await until(pilot, lambda: _says(pilot, "Failed RTM_NEWADDR"))
        _arguments(pilot, "cat")
        await pilot.press("enter")
        await until(pilot, lambda: bool(results))
        assert [row.sandbox_json for row in reader.rows(world.places)] == ['{"fs": "rw", "net": true}']


async def test_a_bwrap_inside_the_folder_is_never_run(
    services: Services, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = world.home / "ran"
    planted = world.project / "bin/bwrap"
    planted.parent.mkdir()
    planted.write_text(f"#!/bin/sh\ntouch {ran}\n")
    planted.chmod(0o755)
    monkeypatch.setenv("PATH", str(planted.parent))
    async with opened(services, world, monkeypatch, sandboxed=True) as (pilot, results):
        await until(pilot, lambda: _says(pilot, "bubblewrap (bwrap) is not on PATH"))
        await pilot.press("enter")
        await pilot.pause()
        assert results == []
    assert not ran.exists()


_REFUSED = [
    (2, "no-such-program", "'no-such-program' is not on PATH"),
    (3, "NOT_SET", "the variable NOT_SET is not set in this shell"),
    (1, "7", "the name 7 can't be used: numbers are ids: add a letter"),
    (0, "no/such", "no/such can't be used (No such file or directory)"),
]


@pytest.mark.parametrize(("number", "text", "sentence"), _REFUSED)
async def test_what_the_service_refuses_is_said_at_its_field_and_nothing_is_left(
    services: Services, world: World, monkeypatch: pytest.MonkeyPatch, number: int, text: str, sentence: str
) -> None:
    async with opened(services, world, monkeypatch) as (pilot, results):
        entry = pilot.app.screen.query(Entry)[number]
        entry.value = text
        await pilot.press("enter")
        await until(pilot, lambda: _says(pilot, sentence))
        await until(pilot, lambda: pilot.app.screen.focused is entry)
        assert (results, traces(world)) == ([], NOTHING)


async def test_an_agent_that_ends_at_once_is_handed_on_with_its_last_lines(
    services: Services, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(services, world, monkeypatch) as (pilot, results):
        _arguments(pilot, "sh -c 'echo not logged in; exit 3'")
        await pilot.press("enter")
        await until(pilot, lambda: bool(results))
        created = results[0]
        assert created is not None
        assert (created.outcome.view.state, created.outcome.lines[0]) == ("exited", "not logged in")
