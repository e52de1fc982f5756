"""A02: in a container that masks /proc no jail is promised, and nothing starts without one."""

import json

import pytest

from tests.cli.steps import NOTHING, new, refused, shown, traces
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, needs_bwrap]

_PROC = "Can't mount proc on /newroot/proc: Operation not permitted"
_SAID = {
    _PROC: "this container blocks nested sandboxes by masking /proc",
    "Can't mount proc on /newroot/proc: Permission denied": "--security-opt unmask=ALL",
    "Failed to make / slave: Permission denied": "this container blocks nested sandboxes by refusing mounts",
    "Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)": (
        "this is a jail in a jail"
    ),
}


def mask(world: World, said: str = _PROC) -> None:
    """A bwrap as in such a container: only a /proc together with processes of its own fails."""
    world.tool(
        "bwrap",
        'case "$*" in --version) echo bubblewrap 0.8.0; exit ;; '
        f'*--unshare-pid*--proc*|*--proc*--unshare-pid*) echo "bwrap: {said}" >&2; exit 1 ;; esac; '
        'exec /usr/bin/bwrap "$@"',
    )


@pytest.mark.parametrize("said", _SAID)
@pytest.mark.parametrize("net", ["--net", "--no-net"])
def test_a_jail_is_refused_in_bwraps_words_and_nothing_starts_bare(world: World, said: str, net: str) -> None:
    mask(world, said)
    for words, code in ((("sandbox", "exec"), 125), (("new", "-s", "--harness", "generic"), 4)):
        why = refused(world.hqt(*words, net, "--", "touch", "ran"), code)
        assert said in why
        assert _SAID[said] in why
    assert traces(world) == NOTHING
    assert not (world.project / "ran").exists()


def test_the_doctor_says_so_before_anybody_tries(world: World) -> None:
    mask(world)
    checks = json.loads(world.hqt("doctor", "--json").stdout)["checks"]
    (jail,) = (each for each in checks if each["id"] == "bwrap")
    assert jail["state"] == "warning"
    assert f"present but not usable (bwrap: {_PROC})" in jail["detail"]
    assert "--security-opt unmask=ALL" in jail["remedy"]


@needs_tmux
def test_a_session_that_was_jailed_elsewhere_is_not_resumed_bare(world: World) -> None:
    new(world, "touch ran; exec cat", "-s")
    world.hqt("stop", "1")
    (world.project / "ran").unlink(missing_ok=True)
    mask(world)
    assert _PROC in refused(world.hqt("resume", "1"), 4)
    assert not (world.project / "ran").exists()
    assert shown(world, 1)["sandbox"] == {"fs": "rw", "net": True}
