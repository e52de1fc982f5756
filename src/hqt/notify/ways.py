"""Which programs are run for a notice, and how: the desktop's notify-send, the user's own command."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from hqt.config_notify import Notify
from hqt.notify import message
from hqt.notify.courier import Errand
from hqt.services import notifiers
from hqt.services.launches import Caller
from hqt.services.noticing import Notice

Way = Literal["desktop", "command"]


class Ground(NamedTuple):
    """What a notice is given from."""

    chosen: Notify
    caller: Caller
    config: Path  # the folder of config.toml
    suspect: tuple[Path, ...]  # the projects of jails: no program that lies there is run


def errands(notice: Notice, ground: Ground) -> Iterator[tuple[Way, Errand | str]]:
    """What is to be run for it, and a sentence for each way that has no program to run."""
    env, suspect = ground.caller.env, ground.suspect
    sender = notifiers.desktop(env, suspect) if ground.chosen.desktop else None
    if sender is not None:
        yield "desktop", Errand(desktop(sender, notice))
    if ground.chosen.command:
        name, *words = ground.chosen.command
        program = notifiers.command(name, env, ground.config, suspect)
        said = message.event(notice) + "\n"
        yield "command", program if isinstance(program, str) else Errand((str(program), *words), said)


def desktop(sender: Path, notice: Notice) -> tuple[str, ...]:
    """The argv; nothing of a notice can be an option of it (notify-send(1))."""
    # it makes characters of `\\074` in a body, such as those of markup (g_strcompress in its source)
    body = message.body(notice).replace("\\", "\\\\")
    return str(sender), "--app-name=hqt", "--", message.title(notice), body
