"""hqt with one layer of the jail taken away: `python weakened.py LAYER ARGS…`, to show what notices it."""

import os
import sys
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from hqt import launch
from hqt.cli.main import main
from hqt.sandbox import argv, project
from hqt.sandbox.git.survey import Git
from hqt.sandbox.guards import Guards
from hqt.values import replace

Words = list[str]
Weaken = Callable[[], None]


def _argv(change: Callable[[Words], Words]) -> Weaken:
    """Change the composed argv of every jail."""

    def weaken() -> None:
        composed = argv.compose
        patch("hqt.start.plan.compose", lambda *given: change(composed(*given))).start()

    return weaken


def _without(*those: str) -> Weaken:
    """Leave out those words, which must be there, where they stand in a row."""

    def change(words: Words) -> Words:
        at = _place(words, *those)
        return [*words[:at], *words[at + len(those) :]]

    return _argv(change)


def _with(*new: str, at: tuple[str, ...]) -> Weaken:
    """Put `new` in the place of the words `at`."""

    def change(words: Words) -> Words:
        place = _place(words, *at)
        return [*words[:place], *new, *words[place + len(at) :]]

    return _argv(change)


def _place(words: Words, *those: str) -> int:
    return next(at for at in range(len(words)) if tuple(words[at : at + len(those)]) == those)


def _open_to_the_host(folder: str) -> Weaken:
    """The host's own folder in place of a fresh one."""

    def change(words: Words) -> Words:
        at = _place(words, "--tmpfs", folder)
        options = 4 if words[at - 4 : at : 2] == ["--size", "--perms"] else 0
        return [*words[: at - options], "--bind", folder, folder, *words[at + 2 :]]

    return _argv(change)


def _writable(folder: str) -> Weaken:
    return _with("--bind", folder, folder, at=("--ro-bind", folder, folder))


def _with_capabilities(words: Words) -> Words:
    # bwrap bars user namespaces from a second one, whose capabilities hold for nothing
    words = [word for word in words if word != "--disable-userns"]
    at = _place(words, "--cap-drop", "ALL")
    return [*words[:at], "--cap-add", *words[at + 1 :]]


def _unsized(words: Words) -> Words:
    while "--size" in words:
        at = words.index("--size")
        words = [*words[:at], *words[at + 2 :]]
    return words


def _in_the_hosts_users(words: Words) -> Words:
    return [word for word in words if word not in ("--unshare-user", "--disable-userns")]


def _in_the_hosts_name(words: Words) -> Words:
    return [word for word in words if word not in ("--unshare-uts", "--hostname", "hqt-sandbox")]


def _with_a_value(words: Words) -> Words:
    return [words[0], "--setenv", "ANTHROPIC_API_KEY", os.environ["ANTHROPIC_API_KEY"], *words[1:]]


def _unguarded(**emptied: Any) -> Weaken:  # noqa: ANN401
    """Show the project without its guards, or without what git's survey found."""

    def weaken() -> None:
        guarded = project.guarded
        patch("hqt.sandbox.project.guarded", lambda *given: replace(guarded(*given), **emptied)).start()

    return weaken


def _inherited_descriptor() -> None:
    listed = os.listdir

    def all_but_one(path: Any = ".") -> Any:  # noqa: ANN401
        return [name for name in listed(path) if (path, name) != ("/proc/self/fd", "9")]

    patch("os.listdir", all_but_one).start()


def _replaced(name: str, new: Callable[..., Any] = lambda *_, **__: None) -> Weaken:
    def weaken() -> None:
        patch(name, new).start()

    return weaken


_HOME = os.environ["HOME"]
LAYERS: dict[str, Weaken] = {
    "process-namespace": _without("--unshare-pid"),
    "network-namespace": _without("--unshare-net"),
    "ipc-namespace": _without("--unshare-ipc"),
    "cgroup-namespace": _without("--unshare-cgroup-try"),
    "host-name-namespace": _argv(_in_the_hosts_name),
    "user-namespace": _argv(_in_the_hosts_users),
    "host-name": _without("--hostname", "hqt-sandbox"),
    "capabilities": _argv(_with_capabilities),
    "filter": _without("--seccomp", str(launch.FILTER_FD)),
    "scopes": _replaced("hqt.launch.restrict_scopes"),
    "home": _open_to_the_host(_HOME),
    "tools-read-only": _writable(f"{_HOME}/.local/bin"),
    "temporary-folder": _open_to_the_host("/tmp"),
    "sized-temporary-folders": _argv(_unsized),
    "system-read-only": _writable("/usr"),
    "root-sealed": _without("--remount-ro", "/"),
    "devices-sealed": _without("--remount-ro", "/dev"),
    "proc-sealed": _without("--remount-ro", "/proc"),
    "fresh-devices": _with("--dev-bind", "/dev", "/dev", at=("--dev", "/dev")),
    "git-guards": _unguarded(git=Git()),
    "project-guards": _unguarded(guards=Guards()),
    "environment": _replaced("hqt.start.plan.environment", lambda env, *_: dict(env)),
    "descriptors": _inherited_descriptor,
    "input-by-a-pipe": _replaced("hqt.launch._pass_input_by_a_pipe"),
    "limits": _replaced("resource.setrlimit"),
    "new-session": _without("--new-session"),
    "terminal-kept": _argv(lambda words: [words[0], "--new-session", *words[1:]]),
    "values-out-of-argv": _argv(_with_a_value),
    "identities": _replaced("hqt.launch._refuse_replaced"),
    "signals": _replaced("hqt.launch._restore_signals"),
    "die-with-parent": _without("--die-with-parent"),
}


if __name__ == "__main__":
    LAYERS[sys.argv[1]]()
    main(sys.argv[2:])
