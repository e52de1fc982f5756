"""Notices on their ways, as config.toml is at that moment."""

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from hqt.config.file import load_config
from hqt.config.notify import Notify
from hqt.errors import ConfigError
from hqt.notifications.channels import Delivery, Way, runs
from hqt.notifications.program_queue import ProgramQueue
from hqt.notifications.transitions import Notice
from hqt.observe.views import SessionView
from hqt.paths import Places
from hqt.start.caller import Caller


class Dispatcher:
    """Gives each notice on every way that the user chose; a way that fails holds up no other."""

    def __init__(self, places: Places, caller: Caller, chosen: Notify) -> None:
        self._places = places
        self._caller = caller
        self._chosen = chosen
        self._couriers: dict[Way, ProgramQueue] = {way: ProgramQueue(caller.env) for way in get_args(Way)}

    def give(self, notice: Notice, views: Sequence[SessionView]) -> None:
        """Returns at once. `views`: of all sessions, from the look that found the notice."""
        for way, errand in runs(notice, self._ground(views)):
            if isinstance(errand, str):
                self._couriers[way].complain(errand)
            else:
                self._couriers[way].take(errand)

    def finish(self, limit_s: float) -> None:
        """Let what is on its way arrive, for so long each."""
        for courier in self._couriers.values():
            courier.finish(limit_s)

    def _ground(self, views: Sequence[SessionView]) -> Delivery:
        return Delivery(self._now(), self._caller, self._places.config, _jailed(views))

    def _now(self) -> Notify:
        """What config.toml says; while somebody is in the middle of a change, what it said before."""
        try:
            self._chosen = load_config(self._places.config_file).notify
        except ConfigError as error:
            self._couriers["command"].complain(str(error))
        return self._chosen


def _jailed(views: Sequence[SessionView]) -> tuple[Path, ...]:
    """The projects of jails, also of those whose policy can't be read."""
    return tuple({view.project for view in views if view.sandbox is not None or view.invalid is not None})
