"""The jail keeps its promises, each a probe of probes.toml, on a world full of fake secrets."""

import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.sandbox import jailcheck
from tests.sandbox.jailcheck import Ground, Probe
from tests.world import World, needs_bwrap

pytestmark = [pytest.mark.real, needs_bwrap]

PROBES = {probe.id: probe for probe in jailcheck.load()}

# not a jail: it goes to the folder and runs what stands behind the --
_NO_JAIL = ("sh", "-c", 'while [ "$1" != -C ]; do shift; done; cd "$2" && shift 3 && exec "$@"', "sh")
# harmless where they succeed
_SHOWN_BY = (
    "env-no-secrets env-no-session-sockets read-home-listing read-netrc-npmrc read-host-tmp read-symlink-out "
    "write-ro-blocked write-home-ephemeral cwd-home-refused har-claude-not-codex net-off-loopback "
    "net-off-abstract priv-kill-host priv-namespaces"
).split()


@pytest.fixture
def ground(world: World) -> Iterator[Ground]:
    command = (sys.executable, "-P", "-m", "hqt")
    with jailcheck.ground(world.home, world.root / "out", world.env, command) as made:
        yield made


@pytest.mark.parametrize("name", PROBES)
def test_the_jail_keeps(name: str, ground: Ground) -> None:
    result = jailcheck.run(PROBES[name], ground)
    assert result.ok, result.why


@pytest.mark.parametrize("name", _SHOWN_BY)
def test_without_a_jail_the_probe_shows_it(name: str, ground: Ground) -> None:
    assert not jailcheck.run(PROBES[name], replace(ground, hqt=_NO_JAIL)).ok


def test_a_jail_that_can_not_be_made_passes_no_probe(ground: Ground) -> None:
    nothing = replace(ground, hqt=("sh", "-c", f"exit {jailcheck.REFUSED}", "sh"))
    probe = Probe(id="x", kind="read", script="cat ~/.ssh/id_rsa", exit="nonzero")
    assert not jailcheck.run(probe, nothing).ok
