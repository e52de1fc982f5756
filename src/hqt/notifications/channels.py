"""Which programs are run for a notice, and how: the desktop's notify-send, the user's own command."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from hqt.config.notify import Notify
from hqt.notifications import message, programs
from hqt.notifications.program_queue import Run
from hqt.notifications.transitions import Notice
from hqt.start.caller import Caller

Way = Literal["desktop", "command"]


class Delivery(NamedTuple):
    """What a notice is given from."""

    chosen: Notify
    caller: Caller
    config: Path  # the folder of config.toml
    suspect: tuple[Path, ...]  # the projects of jails: no program that lies there is run


def runs(notice: Notice, delivery: Delivery) -> Iterator[tuple[Way, Run | str]]:
    """What is to be run for it, and a sentence for each way that has no program to run."""
    env, suspect = delivery.caller.env, delivery.suspect
    sender = programs.desktop(env, suspect) if delivery.chosen.desktop else None
    if sender is not None:
        yield "desktop", Run(desktop(sender, notice))
    if delivery.chosen.command:
        name, *words = delivery.chosen.command
        program = programs.command(name, env, delivery.config, suspect)
        said = message.event(notice) + "\n"
        yield "command", program if isinstance(program, str) else Run((str(program), *words), said)


def desktop(sender: Path, notice: Notice) -> tuple[str, ...]:
    """The argv; nothing of a notice can be an option of it (notify-send(1))."""
    # it makes characters of `\\074` in a body, such as those of markup (g_strcompress in its source)
    body = message.body(notice).replace("\\", "\\\\")
    return str(sender), "--app-name=hqt", "--", message.title(notice), body
