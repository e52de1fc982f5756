"""For each layer of the jail: hqt without it, and the probes that must show it by failing."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress

import pytest

from hqt import sandbox
from hqt.jailcheck import probe
from hqt.jailcheck.probe import Outcome
from hqt.jailcheck.run import run
from hqt.jailcheck.scratch import Scratch, ScratchHomes, scratch_homes
from hqt.launch import CANNOT_LAUNCH
from hqt.start.caller import Caller
from hqt.values import replace
from tests.jailcheck import weakened
from tests.world import needs_bwrap, processes, wait_until

pytestmark = [pytest.mark.real, needs_bwrap]

PROBES = {each.id: each for each in probe.load()}

_WEAKENED = (sys.executable, "-P", weakened.__file__)
# not a jail: it goes to the folder and runs what stands behind the --
_NO_JAIL = ("sh", "-c", 'while [ "$1" != -C ]; do shift; done; cd "$2" && shift 3 && exec "$@"', "sh")

# layer -> the probes that must notice that it is gone
NOTICED = {
    "process-namespace": "read-proc-hostprocs near-command-lines near-jail-on-the-same-project",
    "network-namespace": "net-off-loopback net-off-outside",
    "ipc-namespace": "priv-namespaces near-shared-memory",
    "cgroup-namespace": "priv-namespaces",
    "host-name-namespace": "priv-namespaces",
    "host-name": "priv-hostname",
    "capabilities": "priv-caps-zero",
    "filter": "priv-seccomp priv-keyring priv-bpf-iouring priv-mounts priv-user-namespaces "
    "priv-foreign-calls priv-handles priv-kernel priv-memfd-exec net-vsock net-other-families tty-tiocsti "
    "tty-tioclinux net-raw-and-packet-sockets left-setuid session-inside",
    "scopes": "net-on-abstract tty-signals-to-the-group",
    "home": "read-home-listing read-proc1-root read-netrc-npmrc session-database-written "
    "har-generic-sees-none write-home-ephemeral",
    "tools-read-only": "har-bin-readonly",
    "temporary-folder": "write-tmp-private session-specs",
    "sized-temporary-folders": "write-tmp-limited",
    "system-read-only": "write-usr",
    "root-sealed": "write-root-dir write-etc",
    "devices-sealed": "write-dev",
    "fresh-devices": "read-dev-minimal tty-of-others",
    "git-guards": "git-config-blocked git-hooks-blocked git-rename-dotgit git-commondir-plant",
    "project-guards": "proj-claude-settings proj-envrc-mcp proj-vscode-tasks proj-self-mem "
    "cwd-hardlink-guard proj-exchanged proj-claude-renamed git-hookspath-in-project git-include-in-project",
    "environment": "env-no-secrets env-no-session-sockets env-path-no-relative read-environ-of-bwrap",
    "descriptors": "read-inherited-folder read-descriptors",
    "input-by-a-pipe": "write-standard-input",
    "limits": "priv-processes-limited",
    "new-session": "tty-behind",
    "identities": "swap-before-exec swap-state-before-exec",
    "signals": "life-sigign-clean tty-ctrl-c-handled",
    "terminal-kept": "tty-resize tty-job-control",
    "values-out-of-argv": "env-secret-not-in-argv",
    "die-with-parent": "life-die-with-parent",
}
# only root passes the owner's check on /proc/sys; for anybody else bwrap makes user namespaces unasked, and
# the capabilities of the inner one hold for no network
OF_ROOT = {
    "proc-sealed": "priv-core-pattern",
    "user-namespace": "priv-namespaces",
    "capabilities": "net-raw-sockets-offline net-netlink-changes",
}
_OF_ROOT_WITHOUT_JAIL = ["read-shadow"] if os.geteuid() == 0 else []
_LAYERS = [*NOTICED.items(), *(OF_ROOT.items() if os.geteuid() == 0 else ())]

# what the outside of any jail shows, harmless where it succeeds
_SHOWN_BY_NO_JAIL = (
    "env-harness-key-only read-host-tmp read-symlink-out read-neighbours-in-tmp "
    "write-ro-blocked write-tmp-limited cwd-home-refused cwd-dotssh-refused git-forged-gitfile "
    "swap-git-link swap-git-worktree-of-another "
    "har-claude-not-codex har-claude-settings net-on-pathname-socket net-off-abstract priv-nnp "
    "priv-nosuid-everywhere priv-kill-host near-ptrace near-memory near-descriptors near-inotify near-sys "
    "session-cache-of-another-project"
).split()


@pytest.fixture(scope="module")
def made() -> Iterator[ScratchHomes]:
    with scratch_homes(Caller.current(), ()) as made:
        yield made


def tried(name: str, made: ScratchHomes, hqt: Sequence[str]) -> Outcome:
    with made.fresh() as ground:
        outcome = run(PROBES[name], replace(ground, hqt=hqt), offline=True, stop=lambda: False)
        assert wait_until(lambda: ended(ground))
        return outcome


def ended(ground: Scratch) -> bool:
    """Whether nothing of a ground runs any more; else it is told to: a jail may outlive its parent."""
    found = processes(ground.home)
    for pid in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return not found


def test_every_layer_has_a_control() -> None:
    assert NOTICED.keys() | OF_ROOT.keys() == set(weakened.LAYERS)


@pytest.mark.parametrize(
    ("layer", "name"), [(layer, name) for layer, names in _LAYERS for name in names.split()]
)
def test_without_the_layer_a_probe_fails(layer: str, name: str, made: ScratchHomes) -> None:
    if layer == "scopes" and not sandbox.availability().scopes:
        pytest.skip("the kernel has no Landlock scopes to take away")
    outcome = tried(name, made, (*_WEAKENED, layer))
    assert not outcome.ok, f"{name} holds without {layer}"
    assert "no jail was made" not in (outcome.why or ""), outcome.why


@pytest.mark.parametrize("name", [*_SHOWN_BY_NO_JAIL, *_OF_ROOT_WITHOUT_JAIL])
def test_without_a_jail_the_probe_fails(name: str, made: ScratchHomes) -> None:
    assert not tried(name, made, _NO_JAIL).ok


def test_a_jail_that_can_not_be_made_passes_no_probe(made: ScratchHomes) -> None:
    nothing = ("sh", "-c", f"exit {CANNOT_LAUNCH}", "sh")
    refused = {name for name, each in PROBES.items() if each.refused}
    quick = [name for name, each in PROBES.items() if not (each.setup or each.host or each.tty or each.first)]
    passed = {name for name in quick if tried(name, made, nothing).ok}
    assert passed <= refused
