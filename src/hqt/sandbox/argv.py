"""The jail's command line: values in, bwrap's argv out, in the one order that holds."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from hqt.errors import JailError
from hqt.sandbox.bwrap import Features, namespaces
from hqt.sandbox.host import Host, Shown
from hqt.sandbox.policy import Bind, Copy, SandboxPolicy
from hqt.sandbox.project import Project
from hqt.sandbox.read_only import read_only_binds
from hqt.values import frozen

ARGUMENT_MAX = 131_071  # MAX_ARG_STRLEN less the NUL (execve(2))
_GIB = str(1 << 30)


@frozen
class Fds:
    """The descriptors that the launcher opens and argv names."""

    status: int | None = None
    filter: int | None = None
    copies: tuple[int, ...] = ()


def compose(
    command: Sequence[str],
    project: Project,
    policy: SandboxPolicy,
    binds: Sequence[Bind],
    copies: Sequence[Copy],
    host: Host,
    fds: Fds,
) -> list[str]:
    """The argv that runs `command`, unchanged and last, in the jail that `policy` asks for.

    Later mounts cover earlier ones, so the order is the policy: system, empty home, what is shown in
    it, then the project; everything around them read-only at the end. Binds come resolved (host.resolve).
    """
    _refuse_command(command)
    return [
        str(host.bwrap),
        *namespaces(policy, host.features),
        *_descriptors(host, fds),
        *_system(host),
        *_fresh(host),
        *_home(host),
        *_harness(binds, copies, host, fds),
        *_project(project, policy, binds, host),
        *_seals(host),
        *("--chdir", str(project.path), "--"),
        # the outer bwrap ignores Ctrl-C (launch.py); the agent gets its default back
        *("/usr/bin/env", "--default-signal=INT", *command),
    ]


def _refuse_command(command: Sequence[str]) -> None:
    if not command or not command[0]:
        raise JailError("there is no command to run: name one after --")
    if "=" in command[0]:
        # env(1) would read it as an assignment and run the next word
        raise JailError(
            f"the command {command[0]!r} holds '=' and can't be run in a jail: give it another name"
        )
    if command[0].startswith("-"):
        # … or as an option of its own, and a lone '-' even after `--`
        raise JailError(
            f"the command {command[0]!r} begins with '-' and can't be run in a jail: give it another name"
        )
    if any(len(word.encode(errors="surrogateescape")) > ARGUMENT_MAX for word in command):
        raise JailError(
            f"an argument is over the {ARGUMENT_MAX} bytes that the kernel takes: hand it over in a file"
        )


def _descriptors(host: Host, fds: Fds) -> Iterator[str]:
    if fds.filter is not None:
        yield from ("--seccomp", str(fds.filter))
    if not host.terminal:
        # on a terminal setsid() would take away SIGWINCH, the agent's screen would never resize (bwrap(1))
        yield "--new-session"
    if fds.status is not None:
        yield from ("--json-status-fd", str(fds.status))


def _system(host: Host) -> Iterator[str]:
    for target, link in host.links:
        yield from ("--symlink", target, str(link))
    for shown in host.system:
        yield from _read_only(shown)
    if host.resolver is not None:
        yield from ("--ro-bind", str(host.resolver), "/etc/resolv.conf")


def _fresh(host: Host) -> Iterator[str]:
    yield from ("--proc", "/proc", "--dev", "/dev")
    for folder in ("/dev/shm", "/tmp", "/var/tmp"):  # noqa: S108 - the jail's own
        yield from _tmpfs(folder, "1777", host.features)
    yield from ("--dir", "/run", "--symlink", "/run", "/var/run")
    for shown in host.run:
        yield from _read_only(shown)


def _home(host: Host) -> Iterator[str]:
    yield from _tmpfs(str(host.home), "0700", host.features)


def _harness(binds: Sequence[Bind], copies: Sequence[Copy], host: Host, fds: Fds) -> Iterator[str]:
    # a program may lie in a harness's folder, so that both go into one order
    tools = (Bind(shown.src, dst=shown.dst) for shown in host.tools)
    for bind in sorted((*tools, *binds), key=lambda bind: bind.inside.parts):
        yield from _bind(bind)
    for copy, descriptor in zip(copies, fds.copies, strict=True):
        if host.features.perms:
            yield from ("--perms", "0600")
        yield from ("--file", str(descriptor), str(copy.dst))


def _project(project: Project, policy: SandboxPolicy, binds: Sequence[Bind], host: Host) -> Iterator[str]:
    path = str(project.path)
    yield from ("--bind" if policy.fs == "rw" else "--ro-bind", path, path)
    for bind in (*read_only_binds(project.path, project.guards.read_only), *project.git.mounts):
        yield from _bind(bind)
    if project.link is not None and _is_free(project.link, project, binds, host):
        # the name it was given by leads there inside as well
        yield from ("--symlink", path, str(project.link))


def _is_free(link: Path, project: Project, binds: Sequence[Bind], host: Host) -> bool:
    """Whether `link` is a place of the empty home, so that no mount is in the way of making it."""
    taken = [project.path, *(shown.dst for shown in host.tools), *(bind.inside for bind in binds)]
    in_home = host.home in link.parents
    return in_home and not any(path == link or path in link.parents or link in path.parents for path in taken)


def _seals(host: Host) -> Iterator[str]:
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")
    if host.uid == 0:
        # root without capabilities still passes the owner's check on /proc/sys
        yield from ("--remount-ro", "/proc")


def _tmpfs(folder: str, mode: str, features: Features) -> Iterator[str]:
    if features.size:
        yield from ("--size", _GIB)
    if features.perms:
        yield from ("--perms", mode)
    yield from ("--tmpfs", folder)


def _bind(bind: Bind) -> tuple[str, str, str]:
    return ("--bind" if bind.writable else "--ro-bind", str(bind.src), str(bind.inside))


def _read_only(shown: Shown) -> tuple[str, str, str]:
    return ("--ro-bind", str(shown.src), str(shown.dst))
