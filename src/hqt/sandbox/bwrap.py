"""Whether a jail can be had here: found by really running bwrap, never by looking for it."""

import json
import os
import re
import stat
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from hqt.errors import ConfigError
from hqt.launch import landlock_version
from hqt.paths import folder, make_private
from hqt.sandbox import seccomp
from hqt.sandbox.files import untrusted
from hqt.sandbox.policy import SandboxPolicy
from hqt.values import frozen

_LIMIT_S = 5
_OLDEST = (0, 4, 0)
_LANDLOCK_SCOPES = 6
_SCOPES = "abstract sockets and signals of others closed"
_INSTALL = "install bubblewrap with your package manager (apt, dnf, pacman, zypper, apk)"


@frozen
class Features:
    """What this bwrap knows; the policy leaves out what it lacks."""

    perms: bool = True
    size: bool = True
    disable_userns: bool = True

    @classmethod
    def of(cls, version: tuple[int, ...], *, setuid: bool = False) -> "Features":
        return cls(
            perms=version >= (0, 5, 0),
            size=version >= (0, 7, 0) and not setuid,
            disable_userns=version >= (0, 8, 0) and not setuid,
        )


@frozen
class Layer:
    """One part of the jail and whether this machine gives it."""

    name: str
    active: bool
    why_not: str | None = None


@frozen
class Availability:
    """`ok`: jails with a network work; `net_off_ok`: offline ones too. Sentences where not."""

    ok: bool
    net_off_ok: bool
    reason: str | None = None  # why not, for the first of the two that fails
    remedy: str | None = None
    version: tuple[int, ...] = ()
    layers: tuple[Layer, ...] = ()
    bwrap: Path | None = None
    features: Features = Features()
    scopes: bool = False  # the kernel can keep abstract sockets and signals inside (Landlock)

    def refusal(self, policy: SandboxPolicy) -> str | None:
        """Why a jail of that policy can't be had, with the remedy, in one sentence; None: it can."""
        if self.ok and (policy.net or self.net_off_ok):
            return None
        what = "a jail" if not self.ok else "an offline jail"
        return f"{what} can't be made here: {self.reason}: {self.remedy}"


def availability(project: Path | None = None) -> Availability:
    """What bwrap really does on this machine; a good answer is remembered, a bad one is asked for again.

    `project`: the folder to be jailed; a bwrap that lies in it is not even tried.
    """
    system = os.uname()
    if system.sysname != "Linux":
        return _none("bubblewrap needs Linux", "start the session without a jail, or on a Linux machine")
    if not seccomp.is_known(system.machine):
        reason = f"hqt has no system call filter for {system.machine} and starts no jail without one"
        return _none(reason, f"start the session without a jail, or on {' or '.join(seccomp.MACHINES)}")
    bwrap = untrusted.program("bwrap", os.environ, *([project] if project else []))
    if bwrap is None:
        return _none("bubblewrap (bwrap) is not on PATH", _INSTALL)
    identity = _identity(bwrap)
    remembered = _recall(identity)
    if remembered is not None:
        return _judge(bwrap, remembered, None, None)
    version = _version(bwrap)
    online = _try(bwrap, SandboxPolicy(net=True), version)
    offline = _try(bwrap, SandboxPolicy(net=False), version) if online is None else None
    if online is None and offline is None:
        _remember(identity, version)
    return _judge(bwrap, version, online, offline)


def is_available() -> bool:
    """Whether a jail can be had at all; `availability()` says why not."""
    return availability().ok


def forget() -> None:
    """Ask bwrap again next time: what was remembered proved wrong."""
    with suppress(ConfigError, OSError):
        _cache().unlink(missing_ok=True)


def namespaces(policy: SandboxPolicy, features: Features) -> list[str]:
    """The options that part the jail from the host, the same for every run and for the trial of them."""
    argv = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if not policy.net:
        argv.append("--unshare-net")
    argv += ["--die-with-parent", "--cap-drop", "ALL", "--hostname", "hqt-sandbox"]
    if features.disable_userns:
        argv.append("--disable-userns")
    return argv


def _judge(bwrap: Path, version: tuple[int, ...], online: str | None, offline: str | None) -> Availability:
    setuid = _is_setuid(bwrap)
    features = Features.of(version, setuid=setuid)
    if version and version < _OLDEST:
        online = f"bubblewrap {_dotted(version)} is too old"
    reason, remedy = _explain(online) if online else _explain_offline(offline)
    return Availability(
        ok=online is None,
        net_off_ok=online is None and offline is None,
        reason=reason,
        remedy=remedy,
        version=version,
        layers=_layers(version, features, setuid=setuid),
        bwrap=bwrap,
        features=features,
        scopes=_has_scopes() and not setuid,
    )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _none(reason: str, remedy: str) -> Availability:
    return Availability(ok=False, net_off_ok=False, reason=reason, remedy=remedy)


@cache
def _has_scopes() -> bool:
    return landlock_version() >= _LANDLOCK_SCOPES


def _layers(version: tuple[int, ...], features: Features, *, setuid: bool) -> tuple[Layer, ...]:
    def layer(name: str, *, active: bool, known: bool) -> Layer:
        if active:
            return Layer(name, active)
        named = _dotted(version) or "of unknown version"
        return Layer(name, active, f"bubblewrap {named} {'is setuid' if known else 'does not know it'}")

    any_user = Features.of(version)
    kernel = "the kernel has no Landlock scopes, which begin with Linux 6.12"
    scopes = (
        Layer(_SCOPES, active=False, why_not=kernel)
        if not _has_scopes()
        else layer(_SCOPES, active=not setuid, known=True)
    )
    return (
        Layer("system call filter", active=True),
        scopes,
        layer("no user namespaces inside", active=features.disable_userns, known=any_user.disable_userns),
        layer("limited temporary folders", active=features.size, known=any_user.size),
        layer("private modes of fresh folders", active=features.perms, known=any_user.perms),
    )


def _version(bwrap: Path) -> tuple[int, ...]:
    try:
        said = subprocess.run(
            [bwrap, "--version"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=_LIMIT_S,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    match = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", said)
    return tuple(int(part or 0) for part in match.groups()) if match else ()


def _try(bwrap: Path, policy: SandboxPolicy, version: tuple[int, ...]) -> str | None:
    """bwrap's own words about why `true` can't be run in such a jail; None: it ran."""
    features = Features.of(version, setuid=_is_setuid(bwrap))
    with _filter_file() as file:
        argv = [str(bwrap), *namespaces(policy, features), "--seccomp", str(file)]
        argv += "--ro-bind / / --proc /proc --dev /dev -- /usr/bin/env --default-signal=INT true".split()
        try:
            ran = subprocess.run(
                argv,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_LIMIT_S,
                check=False,
                pass_fds=[file],
            )
        except subprocess.TimeoutExpired:
            return f"bwrap did not answer within {_LIMIT_S} s"
        except OSError as error:
            return f"{bwrap} can't be run ({error.strerror})"
    if ran.returncode == 0:
        return None
    said = [line.strip() for line in ran.stderr.splitlines() if line.strip()]
    return said[-1] if said else f"bwrap ended with {ran.returncode} and no word"


@contextmanager
def _filter_file() -> Iterator[int]:
    descriptor = os.memfd_create("hqt-filter")
    try:
        os.write(descriptor, seccomp.program(os.uname().machine))
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)


# bwrap's words (bubblewrap.c, network.c) and what they mean on the machines they were reported from
_MEANINGS = (
    (
        "setting up uid map: Permission denied",
        "this system lets only programs with an AppArmor profile make user namespaces",
        "install the AppArmor profile for bwrap (package apparmor-profiles, file bwrap-userns-restrict); "
        "leave the restriction on for everything else",
    ),
    (
        "No permissions to create new namespace",
        "user namespaces are switched off, or this is a jail in a jail",
        "allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone) "
        "or start hqt outside of the other sandbox",
    ),
    (
        "Creating new namespace failed",
        "no more user namespaces may be made, or this is a jail in a jail",
        "raise sysctl user.max_user_namespaces or start hqt outside of the other sandbox",
    ),
    (
        "Failed to make / slave",
        "this container blocks nested sandboxes by refusing mounts",
        "start the container with --security-opt apparmor=unconfined --security-opt seccomp=unconfined",
    ),
    (
        "Can't mount proc",
        "this container blocks nested sandboxes by masking /proc",
        "start the container with --security-opt unmask=ALL (docker: systempaths=unconfined)",
    ),
    (
        "default-signal",
        "env is not from coreutils 8.31 or newer",
        "install coreutils",
    ),
    ("is too old", "hqt needs bubblewrap 0.4 or newer", _INSTALL),
)


def _explain(said: str | None) -> tuple[str | None, str | None]:
    if said is None:
        return None, None
    for words, meaning, remedy in _MEANINGS:
        if words in said:
            return f"bubblewrap is present but not usable ({said}): {meaning}", remedy
    return f"bubblewrap is present but not usable ({said})", "run that bwrap by hand, or start without a jail"


def _explain_offline(said: str | None) -> tuple[str | None, str | None]:
    if said is None:
        return None, None
    return (
        f"bubblewrap is usable with a network and not without ({said}): "
        "this system does not let it set up an offline network",
        "install the AppArmor profile for bwrap or give the container NET_ADMIN; jails with a network work",
    )


def _is_setuid(bwrap: Path) -> bool:
    try:
        return bool(bwrap.stat().st_mode & stat.S_ISUID)
    except OSError:
        return False


def _identity(bwrap: Path) -> dict[str, object]:
    """What a remembered answer holds for: this program, this boot, this user."""
    found = bwrap.stat()
    boot = Path("/proc/sys/kernel/random/boot_id")
    return {
        "path": str(bwrap),
        "mtime_ns": found.st_mtime_ns,
        "ctime_ns": found.st_ctime_ns,
        "size": found.st_size,
        "uid": os.geteuid(),
        "boot": boot.read_text() if boot.exists() else "",
    }


def _cache() -> Path:
    return folder("state", os.environ, os.geteuid()) / "bwrap.json"


def _recall(identity: Mapping[str, object]) -> tuple[int, ...] | None:
    try:
        found = json.loads(_cache().read_text())
    except (ConfigError, OSError, ValueError):
        return None
    if not isinstance(found, dict) or found.get("identity") != identity:
        return None
    version = found.get("version")
    return (
        tuple(version)
        if isinstance(version, list) and all(isinstance(part, int) for part in version)
        else None
    )


def _remember(identity: Mapping[str, object], version: tuple[int, ...]) -> None:
    with suppress(ConfigError, OSError):  # without a memory bwrap is asked again
        cache = _cache()
        make_private(cache.parent)
        draft = cache.with_name(f"{cache.name}.{os.getpid()}")
        draft.write_text(json.dumps({"identity": identity, "version": version}))
        draft.chmod(0o600)
        draft.replace(cache)
