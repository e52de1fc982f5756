"""How the user is told when an agent needs them: `[notify]` of config.toml, judged by its form."""

from collections.abc import Mapping
from pathlib import Path

from hqt.config.table import Table
from hqt.values import frozen

_KEYS = ("bell", "command", "desktop")


@frozen
class Notify:
    """The ways that notices take; all may be off."""

    desktop: bool = True  # by notify-send, where there is one and a desktop that shows what it sends
    bell: bool = True  # of the terminals in which hqt is open
    command: tuple[str, ...] = ()  # the user's own; empty: none


def notify(found: Mapping[str, object], file: Path) -> Notify:
    """The choices of the table `found`; ConfigError names `file`, the key and what it may be."""
    table = Table(file, "notify", found)
    table.refuse_unknown(_KEYS)
    default = Notify()
    return Notify(
        desktop=table.flag("desktop", default.desktop),
        bell=table.flag("bell", default.bell),
        command=table.words("command"),
    )
