"""What agents tell is looked at when they tell it, not at the screen's next second."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path

from hqt.status.waking import Alarm

_AGAIN_S = 0.6  # by then a title and a screen show what was told (status/detect.py)


class Wakeups:
    """Calls `look` once something was written, and once more a moment later; between the two it is deaf.

    So a jailed agent that writes all the time brings no more than three looks a second.
    """

    def __init__(self, look: Callable[[], object]) -> None:
        self._look = look
        self._alarm: Alarm | None = None
        self._again: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Begin to hear, in the loop that runs; where the kernel gives no inotify nothing is heard."""
        self._alarm = Alarm()
        self._listen(self._alarm)

    def close(self) -> None:
        if self._again is not None:
            self._again.cancel()
        if self._alarm is not None:
            self._deafen(self._alarm)
            self._alarm.close()
            self._alarm = None

    def attend(self, folders: Iterable[Path]) -> None:
        """Hear what is written there from now on; those of before, until they are gone, as well."""
        for folder in folders:
            if self._alarm is not None:
                self._alarm.watch(folder)

    def _listen(self, alarm: Alarm) -> None:
        if alarm.fileno() >= 0:
            asyncio.get_running_loop().add_reader(alarm.fileno(), self._heard, alarm)

    def _deafen(self, alarm: Alarm) -> None:
        if alarm.fileno() >= 0:
            asyncio.get_running_loop().remove_reader(alarm.fileno())

    def _heard(self, alarm: Alarm) -> None:
        self._deafen(alarm)
        alarm.forget()
        self._look()
        self._again = asyncio.get_running_loop().call_later(_AGAIN_S, self._caught_up, alarm)

    def _caught_up(self, alarm: Alarm) -> None:
        alarm.forget()
        self._look()
        self._listen(alarm)
