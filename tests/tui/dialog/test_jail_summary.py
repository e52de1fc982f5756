"""The line beneath the switch says what holds, for each harness and policy."""

import pytest

from hqt.harnesses import registry
from hqt.paths import Places
from hqt.sandbox import SandboxPolicy
from hqt.start import choices
from hqt.start.caller import Caller
from hqt.start.choices import Candidate
from hqt.tui.dialog.jail_summary import jail_summary
from tests.world import World

CLAUDE = Candidate("claude", "Claude Code", keeps_login=True, asks=True)
COMMAND = Candidate("generic", "Command")
_ONLINE = "Internet and this machine's localhost reachable. No ssh, gh, docker."
_OFFLINE = "No network at all, not even this machine's localhost"

_MEANINGS = [
    (CLAUDE, "rw", True, f"Sees this folder and its Claude Code login. {_ONLINE} Prompts off."),
    (
        CLAUDE,
        "ro",
        False,
        "Reads this folder, writes nothing in it. Sees its Claude Code login. "
        f"{_OFFLINE}: only a model inside can answer. No ssh, gh, docker. Prompts off.",
    ),
    (COMMAND, "rw", True, f"Sees this folder. {_ONLINE}"),
    (COMMAND, "ro", False, f"Reads this folder, writes nothing in it. {_OFFLINE}. No ssh, gh, docker."),
    (None, "rw", True, f"Sees this folder. {_ONLINE}"),
]


@pytest.mark.parametrize(("harness", "fs", "net", "line"), _MEANINGS)
def test_the_line_is_exact(harness: Candidate | None, fs: str, net: bool, line: str) -> None:
    assert jail_summary(SandboxPolicy(fs, net), harness) == line  # type: ignore[arg-type]


def test_logins_and_prompts_are_told_of_the_harnesses_that_have_them(world: World) -> None:
    found = _candidates(world.places, Caller(dict(world.env), 1000, 0o022))
    told = {each.name: jail_summary(SandboxPolicy(), each) for each in found}
    assert told.keys() == set(registry.NAMES)
    assert told.pop("generic") == f"Sees this folder. {_ONLINE}"
    for name, line in told.items():
        label = registry.kind(name).label
        assert line.startswith(f"Sees this folder and its {label} login. "), name
        assert ("Prompts off." in line) == bool(registry.kind(name).sandbox_skip_permission_flags), name


def _candidates(places: Places, caller: Caller) -> tuple[Candidate, ...]:
    return choices.choices(places, caller).harnesses
