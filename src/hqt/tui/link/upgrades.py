"""Whether another hqt was installed over the one that runs."""

import time
from importlib.metadata import PackageNotFoundError, version

_DISTRIBUTION = "hqt-sessions"
_EVERY_S = 60.0


class Updates:
    """Compares what is installed with what was when it was made."""

    def __init__(self) -> None:
        self._running = _installed()
        self._looked_at = time.monotonic()
        self._is_outdated = False

    def is_outdated(self) -> bool:
        """Looked up once a minute; in the middle of an update there may be nothing to find."""
        if not self._is_outdated and time.monotonic() - self._looked_at >= _EVERY_S:
            self._looked_at = time.monotonic()
            self._is_outdated = _installed() not in (None, self._running)
        return self._is_outdated


def _installed() -> str | None:
    try:
        return version(_DISTRIBUTION)
    except PackageNotFoundError:
        return None
