"""A24: names are resolved inside wherever /etc/resolv.conf really lies."""

import os
import subprocess
import sys

import pytest

from tests.world import World, needs_bwrap

pytestmark = [pytest.mark.real, needs_bwrap]

_TEXT = "nameserver 192.0.2.1\n"
# made in an /etc and a /run of the test's own; $E is that /etc
_KINDS = {
    "systemd-resolved": "mkdir -p /run/systemd/resolve; T=/run/systemd/resolve/stub-resolv.conf;"
    "ln -sf ../run/systemd/resolve/stub-resolv.conf $E/resolv.conf",
    "an absolute link": "mkdir /run/NetworkManager; T=/run/NetworkManager/resolv.conf;"
    "ln -sf $T $E/resolv.conf",
    "resolvconf, two links": "mkdir -p $E/resolvconf /run/resolvconf; T=/run/resolvconf/resolv.conf;"
    "ln -s /run/resolvconf $E/resolvconf/run; ln -sf resolvconf/run/resolv.conf $E/resolv.conf",
    "by a folder that is a link": "T=/run/real.conf; ln -sf /var/run/real.conf $E/resolv.conf",
    "a file": "T=$E/resolv.conf; rm -f $T",
}


def in_such_a_system(world: World, made: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run hqt where /run is new and /etc a copy."""
    script = f"""
    E={world.root}/etc; cp -a /etc $E 2>/dev/null; mount -t tmpfs tmpfs /run || exit 99
    {made}; [ -z "$T" ] || printf '{_TEXT}' > $T; mount --bind $E /etc && exec "$@"
    """
    apart = (
        "unshare",
        "--mount",
        *(() if os.geteuid() == 0 else ("--map-root-user",)),
        "sh",
        "-c",
        script,
        "sh",
    )
    return subprocess.run(
        [*apart, sys.executable, "-P", "-m", "hqt", "sandbox", "exec", *words],
        env=world.env,
        cwd=world.project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("made", _KINDS.values(), ids=_KINDS)
def test_the_hosts_text_is_read_and_the_folder_around_it_stays_hidden(world: World, made: str) -> None:
    look = "cat /etc/resolv.conf; ls -A /run; echo x 2>/dev/null >> /etc/resolv.conf || echo kept"
    done = in_such_a_system(world, made, "--", "sh", "-c", look)
    assert (done.returncode, done.stdout) == (0, f"{_TEXT}kept\n"), done


@pytest.mark.parametrize("made", ["ln -sf /run/gone $E/resolv.conf", "rm -f $E/resolv.conf"])
def test_without_one_the_jail_starts_all_the_same(world: World, made: str) -> None:
    done = in_such_a_system(world, made, "--", "sh", "-c", "cat /etc/resolv.conf 2>/dev/null || echo none")
    assert (done.returncode, done.stdout) == (0, "none\n"), done


def test_without_a_network_there_is_none(world: World) -> None:
    done = in_such_a_system(world, _KINDS["a file"], "--no-net", "--", "test", "!", "-e", "/etc/resolv.conf")
    assert done.returncode == 0, done
