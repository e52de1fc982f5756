"""Commands called so often that click would be most of their start, where their words are the usual ones.

Whatever is written in another way is left to click, which knows every way and every error.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hqt.sandbox.policy import Fs

_JAIL_VALUES = ("--fs", "--harness", "--env", "-C")


def run(words: Sequence[str]) -> int | None:
    """The exit status of `hqt WORDS`; None where click is to read them."""
    match list(words):
        case ["--help" | "-h"]:
            from hqt.cli import help as page

            print(page.text())
            return 0
        case ["list", *options] if set(options) <= {"--json", "--all"}:
            from hqt.cli.observe.sessions import print_sessions

            print_sessions(as_json="--json" in options, all_="--all" in options)
            return 0
        case ["sandbox", "exec", *rest] if "--" in rest:
            return _exec(rest[: rest.index("--")], tuple(rest[rest.index("--") + 1 :]))
    return None


def _exec(options: Sequence[str], command: tuple[str, ...]) -> int | None:
    left, values, names = list(options), {"--harness": "generic", "-C": "."}, []
    net: bool | None = None
    while left:
        word = left.pop(0)
        if word in ("--net", "--no-net"):
            net = word == "--net"
        elif word in _JAIL_VALUES and left and not left[0].startswith("-"):
            names += [left[0]] if word == "--env" else []
            values[word] = left.pop(0)
        else:
            return None
    fs: Fs | None = {"rw": "rw", "ro": "ro", None: None}.get(values.get("--fs"))
    if not command or (fs is None and "--fs" in values):
        return None
    from hqt.cli.sandbox.run import run_command

    return run_command(
        command, fs=fs, net=net, harness=values["--harness"], env_names=tuple(names), directory=values["-C"]
    )
