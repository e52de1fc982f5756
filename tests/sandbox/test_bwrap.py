"""Whether a jail can be had, asked of bwraps that answer as the test wants."""

import json
import os
import stat
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

from hqt import sandbox
from hqt.sandbox import seccomp
from hqt.sandbox.bwrap import Availability, Features, availability, forget
from hqt.sandbox.policy import SandboxPolicy
from tests.world import World, needs_bwrap

UID_MAP = "bwrap: setting up uid map: Permission denied"
LOOPBACK = "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted"


def _system(sysname: str, machine: str) -> os.uname_result:
    return os.uname_result((sysname, "host", "6.1", "#1", machine))


@dataclass(frozen=True, slots=True)
class Stub:
    """A bwrap of the test's own, first and alone on PATH, that notes what it is asked."""

    path: Path
    log: Path

    def write(self, *, version: str = "bubblewrap 0.8.0", online: str = "", offline: str = "") -> None:
        """`online`, `offline`: what it says when it fails with and without a network; empty: it works."""
        self.path.write_text(f"""#!/bin/sh
echo "$*" >> {self.log}
fail() {{ echo "a warning" >&2; echo "$1" >&2; exit 1; }}
case "$*" in
--version) echo "{version}" ;;
*--unshare-net*) [ -z "{offline}" ] || fail "{offline}" ;;
*) [ -z "{online}" ] || fail "{online}" ;;
esac
""")
        self.path.chmod(0o755)

    def asked(self) -> list[str]:
        """The calls since the last look."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return lines


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the answer is remembered."""
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path / ".local/state/hqt/bwrap.json"


@pytest.fixture
def bwrap(tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> Stub:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    stub = Stub(folder / "bwrap", tmp_path / "asked")
    stub.write()
    return stub


def told(found: Availability) -> tuple[bool, bool, str | None, str | None]:
    return found.ok, found.net_off_ok, found.reason, found.remedy


def test_a_bwrap_that_works_is_usable(bwrap: Stub) -> None:
    found = availability()
    assert told(found) == (True, True, None, None)
    assert (found.bwrap, found.version, found.features) == (bwrap.path, (0, 8, 0), Features())
    assert sandbox.is_available()


def test_it_is_tried_with_the_real_namespaces_and_a_filter_with_and_without_a_network(bwrap: Stub) -> None:
    availability()
    version, online, offline = bwrap.asked()
    names = "--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try"
    rest = "--die-with-parent --cap-drop ALL --hostname hqt-sandbox --disable-userns --seccomp"
    tail = "--ro-bind / / --proc /proc --dev /dev -- /usr/bin/env --default-signal=INT true"
    assert version == "--version"
    assert (online.startswith(f"{names} {rest} "), online.endswith(f" {tail}")) == (True, True)
    assert (offline.startswith(f"{names} --unshare-net {rest} "), offline.endswith(f" {tail}")) == (
        True,
        True,
    )


def test_a_machine_that_is_not_linux_has_no_jail(bwrap: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "uname", lambda: _system("Darwin", "arm64"))
    assert told(availability()) == (
        False,
        False,
        "bubblewrap needs Linux",
        "start the session without a jail, or on a Linux machine",
    )
    assert bwrap.asked() == []
    assert not sandbox.is_available()


def test_a_machine_without_a_filter_has_no_jail(bwrap: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "uname", lambda: _system("Linux", "riscv64"))
    assert told(availability()) == (
        False,
        False,
        "hqt has no system call filter for riscv64 and starts no jail without one",
        f"start the session without a jail, or on {' or '.join(seccomp.MACHINES)}",
    )
    assert bwrap.asked() == []


@pytest.mark.parametrize("path", ["", "/nonexistent", ".:bin"])
def test_a_missing_bwrap_says_how_to_get_it(bwrap: Stub, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.chdir(bwrap.path.parent)  # relative entries of PATH are not looked at
    monkeypatch.setenv("PATH", path)
    found = availability()
    assert told(found) == (
        False,
        False,
        "bubblewrap (bwrap) is not on PATH",
        "install bubblewrap with your package manager (apt, dnf, pacman, zypper, apk)",
    )
    assert found.refusal(SandboxPolicy()) == f"a jail can't be made here: {found.reason}: {found.remedy}"
    assert not sandbox.is_available()


@pytest.mark.parametrize(
    ("said", "meaning", "remedy"),
    [
        (UID_MAP, "lets only programs with an AppArmor profile", "install the AppArmor profile for bwrap"),
        (
            "bwrap: No permissions to create new namespace, likely because the kernel does not allow it.",
            "user namespaces are switched off, or this is a jail in a jail",
            "sysctl user.max_user_namespaces",
        ),
        (
            "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
            "masking /proc",
            "--security-opt unmask=ALL",
        ),
        (
            "env: unrecognized option '--default-signal=INT'",
            "env is not from coreutils 8.31 or newer",
            "install coreutils",
        ),
        ("bwrap: something new", "(bwrap: something new)", "run that bwrap by hand"),
    ],
)
def test_a_bwrap_that_fails_is_explained_with_its_own_words(
    bwrap: Stub, said: str, meaning: str, remedy: str
) -> None:
    bwrap.write(online=said)
    found = availability()
    assert (found.ok, found.net_off_ok) == (False, False)
    assert found.reason is not None
    assert found.reason.startswith(f"bubblewrap is present but not usable ({said})")
    assert meaning in found.reason
    assert found.remedy is not None
    assert remedy in found.remedy
    refusal = found.refusal(SandboxPolicy(net=True))
    assert refusal == f"a jail can't be made here: {found.reason}: {found.remedy}"
    assert "\n" not in refusal


def test_where_only_offline_fails_jails_with_a_network_stay(bwrap: Stub) -> None:
    bwrap.write(offline=LOOPBACK)
    found = availability()
    assert (found.ok, found.net_off_ok) == (True, False)
    assert found.refusal(SandboxPolicy(net=True)) is None
    assert found.refusal(SandboxPolicy(net=False)) == (
        "an offline jail can't be made here: bubblewrap is usable with a network and not without "
        f"({LOOPBACK}): this system does not let it set up an offline network: "
        "install the AppArmor profile for bwrap or give the container NET_ADMIN; jails with a network work"
    )


def test_a_bwrap_that_fails_without_a_word_is_told_by_its_exit(bwrap: Stub) -> None:
    bwrap.path.write_text("#!/bin/sh\nexit 7\n")
    reason = availability().reason
    assert reason == "bubblewrap is present but not usable (bwrap ended with 7 and no word)"


def test_a_bwrap_that_can_not_be_run_is_told(bwrap: Stub) -> None:
    bwrap.path.write_text("#!/nonexistent/interpreter\n")
    assert availability().reason == (
        f"bubblewrap is present but not usable ({bwrap.path} can't be run (No such file or directory))"
    )


def test_a_bwrap_that_hangs_is_not_waited_for(bwrap: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("hqt.sandbox.bwrap")  # the package's attribute is the function
    monkeypatch.setattr(module, "_LIMIT_S", 0.1)
    bwrap.path.write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    assert availability().reason == "bubblewrap is present but not usable (bwrap did not answer within 0.1 s)"


def test_a_bwrap_that_is_too_old_is_refused_although_it_works(bwrap: Stub) -> None:
    bwrap.write(version="bubblewrap 0.3.3")
    found = availability()
    assert told(found) == (
        False,
        False,
        "bubblewrap is present but not usable (bubblewrap 0.3.3 is too old): "
        "hqt needs bubblewrap 0.4 or newer",
        "install bubblewrap with your package manager (apt, dnf, pacman, zypper, apk)",
    )


def test_a_good_answer_is_remembered_and_private(bwrap: Stub, state: Path) -> None:
    first = availability()
    assert len(bwrap.asked()) == 3
    assert availability() == first
    assert bwrap.asked() == []
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    assert stat.S_IMODE(state.parent.stat().st_mode) == 0o700
    assert [path.name for path in state.parent.iterdir()] == ["bwrap.json"]


@pytest.mark.parametrize("answer", [{"online": UID_MAP}, {"offline": LOOPBACK}])
def test_a_bad_answer_is_asked_for_again(bwrap: Stub, state: Path, answer: dict[str, str]) -> None:
    bwrap.write(**answer)
    availability()
    assert not state.exists()
    bwrap.write()
    found = availability()
    assert (found.ok, found.net_off_ok) == (True, True)


def test_another_bwrap_is_asked_anew(bwrap: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    availability()
    bwrap.asked()
    bwrap.write(version="bubblewrap 0.11.0")
    assert availability().version == (0, 11, 0)
    assert len(bwrap.asked()) == 3
    other = bwrap.path.parent / "other"
    other.mkdir()
    (other / "bwrap").hardlink_to(bwrap.path)
    monkeypatch.setenv("PATH", str(other))
    assert availability().bwrap == other / "bwrap"
    assert len(bwrap.asked()) == 3


def test_after_a_reboot_bwrap_is_asked_anew(bwrap: Stub, state: Path) -> None:
    availability()
    bwrap.asked()
    remembered = json.loads(state.read_text())
    remembered["identity"]["boot"] = "another"
    state.write_text(json.dumps(remembered))
    availability()
    assert len(bwrap.asked()) == 3


def test_what_proved_wrong_is_forgotten(bwrap: Stub) -> None:
    availability()
    bwrap.asked()
    for _ in range(2):  # with nothing to forget, too
        forget()
    availability()
    assert len(bwrap.asked()) == 3


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', '{"identity": {}}', "\x00\xff"])
def test_a_damaged_memory_is_no_memory(bwrap: Stub, state: Path, text: str) -> None:
    availability()
    bwrap.asked()
    state.write_bytes(text.encode("latin-1"))
    assert availability().ok
    assert len(bwrap.asked()) == 3


@pytest.mark.parametrize("version", [None, "0.8", [0, "8"], [0, None]])
def test_a_memory_without_a_version_is_no_memory(bwrap: Stub, state: Path, version: object) -> None:
    availability()
    bwrap.asked()
    remembered = json.loads(state.read_text())
    state.write_text(json.dumps({**remembered, "version": version}))
    assert availability().version == (0, 8, 0)
    assert len(bwrap.asked()) == 3


def test_where_nothing_can_be_remembered_bwrap_is_asked_each_time(bwrap: Stub, state: Path) -> None:
    state.parent.parent.mkdir(parents=True)
    state.parent.write_text("a file where the folder should be")
    for _ in range(2):
        assert availability().ok
        assert len(bwrap.asked()) == 3


@pytest.mark.parametrize(
    ("version", "features"),
    [
        ((), Features(perms=False, size=False, disable_userns=False)),
        ((0, 4, 1), Features(perms=False, size=False, disable_userns=False)),
        ((0, 5, 0), Features(perms=True, size=False, disable_userns=False)),
        ((0, 6, 2), Features(perms=True, size=False, disable_userns=False)),
        ((0, 7, 0), Features(perms=True, size=True, disable_userns=False)),
        ((0, 8, 0), Features(perms=True, size=True, disable_userns=True)),
        ((0, 11, 1), Features(perms=True, size=True, disable_userns=True)),
        ((1, 0, 0), Features(perms=True, size=True, disable_userns=True)),
    ],
)
def test_a_version_knows_what_its_release_notes_say(version: tuple[int, ...], features: Features) -> None:
    assert Features.of(version) == features


def test_a_setuid_bwrap_takes_no_sizes_and_no_user_namespaces_away() -> None:
    assert Features.of((0, 11, 1), setuid=True) == Features(perms=True, size=False, disable_userns=False)


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("bubblewrap 0.8.0", (0, 8, 0)),
        ("bubblewrap 0.10", (0, 10, 0)),
        ("bubblewrap 0.11.1-dirty", (0, 11, 1)),
        ("who knows", ()),
    ],
)
def test_the_version_is_read_from_what_it_says(bwrap: Stub, said: str, version: tuple[int, ...]) -> None:
    bwrap.write(version=said)
    assert availability().version == version


def test_a_version_on_standard_error_is_as_good(bwrap: Stub) -> None:
    bwrap.write(version='bubblewrap 0.8.0" >&2; : "')
    assert availability().version == (0, 8, 0)


def test_each_layer_that_is_missing_says_why(bwrap: Stub) -> None:
    bwrap.write(version="bubblewrap 0.6.2")
    why = {layer.name: layer.why_not for layer in availability().layers if not layer.active}
    why.pop("abstract sockets and signals of others closed", None)  # the kernel's answer, not bwrap's
    assert why == {
        "no user namespaces inside": "bubblewrap 0.6.2 does not know it",
        "limited temporary folders": "bubblewrap 0.6.2 does not know it",
    }


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a setuid program that is root's")
def test_a_setuid_bwrap_is_named_as_the_reason(bwrap: Stub) -> None:
    bwrap.path.chmod(0o4755)
    why = {layer.name: layer.why_not for layer in availability().layers if not layer.active}
    assert why["limited temporary folders"] == "bubblewrap 0.8.0 is setuid"


@pytest.mark.real
@needs_bwrap
def test_the_real_bwrap_is_usable_here(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in world.env.items():
        monkeypatch.setenv(name, value)
    found = availability()
    assert told(found) == (True, True, None, None)
    assert found.bwrap is not None
    assert found.version >= (0, 4, 0)
    assert availability() == found
