"""What doctor says of the ways that notices take; none of them is run."""

import pytest

from hqt.doctor.notifications import check
from hqt.sandbox import SandboxPolicy
from hqt.values import replace
from tests.doctor.scenes import look
from tests.sessions.sample import row
from tests.world import World

BELL = "the bell of terminals that show hqt"


def words(world: World, said: str = "") -> tuple[str, str, str | None]:
    world.places.config.mkdir(parents=True, exist_ok=True)
    world.places.config_file.write_text(f"[notify]\n{said}\n")
    found = check(look(world))
    return found.state, found.detail, found.remedy


def test_where_there_is_no_desktop_the_bell_is_enough(world: World) -> None:
    assert words(world) == ("ok", f"{BELL}; no desktop is here", None)
    assert words(world, "bell = false") == ("ok", "nowhere; no desktop is here", None)


def test_a_desktop_without_notify_send_is_not_told(world: World) -> None:
    world.env["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/x"
    world.env["PATH"] = str(world.home / ".local/bin")
    assert words(world) == ("missing", f"{BELL}; not on the desktop", "install notify-send (libnotify)")
    assert words(world, "desktop = false") == ("ok", BELL, None)
    path = world.tool("notify-send", f"touch {world.root}/ran")
    assert words(world) == ("ok", f"{BELL}, the desktop by {path}", None)
    assert not (world.root / "ran").exists()


def test_the_users_command_is_named_or_missed(world: World) -> None:
    wrong = "notify.command: tell is not on PATH, or only in the project of a jail"
    remedy = "see to it, or correct config.toml"
    off = "desktop = false\n"
    assert words(world, f'{off}command = ["tell"]') == ("warning", wrong, remedy)
    path = world.tool("tell", "")
    assert words(world, f'{off}command = ["tell", "-x"]') == ("ok", f"{BELL}, your tell", None)
    path.chmod(0o600)
    assert words(world, f'{off}command = ["{path}"]') == (
        "warning",
        f"notify.command: {path} is no program that can be run",
        remedy,
    )
    path.chmod(0o700)
    assert words(world, f'{off}command = ["tell", "-x"]')[0] == "ok"
    jailed = row(project=str(world.home), sandbox_json=SandboxPolicy().to_json())
    assert check(replace(look(world), sessions=[jailed])).detail == wrong


@pytest.mark.parametrize("said", ["bell = 1", "bell"])
def test_what_cannot_be_read_is_not_looked_at(world: World, said: str) -> None:
    assert words(world, said) == ("warning", "not looked at: config.toml can't be read", None)
