"""The bell of a terminal in which hqt is open, for each notice."""

import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

from hqt.config.file import load_config
from hqt.db.columns import stamp
from hqt.errors import ConfigError
from hqt.notifications.history import History, busy_keys
from hqt.observe.views import SessionView
from hqt.paths import Places


class Bell:
    """Counts how often to ring; whoever looks in this process asks it, from any thread."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._ledger = History(stamp(datetime.now(UTC)))
        self._turn = threading.Lock()

    def rings(self, views: Sequence[SessionView]) -> int:
        """How often to ring after this look: once for each notice, whoever in the process asked first."""
        with self._turn:
            notices = self._ledger.news(views, busy_keys(self._places, views))
        return len(notices) if notices and self._is_wanted() else 0

    def sound(self, views: Sequence[SessionView]) -> None:
        """Ring this process's terminal, which something else draws on, after this look."""
        with suppress(OSError):  # the terminal is gone
            os.write(1, b"\a" * self.rings(views))

    def _is_wanted(self) -> bool:
        """As config.toml says now; while somebody is in the middle of a change, rather one ring too many."""
        try:
            return load_config(self._places.config_file).notify.bell
        except ConfigError:
            return True
