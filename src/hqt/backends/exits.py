"""How an agent ended, once tmux knows."""

import time

from hqt.backends.base import Backend, Pane

_KNOWN_S = 1.0
_LOOK_S = 0.01


def dead_pane(backend: Backend, key: str) -> Pane | None:
    """The pane of an agent that has ended, once tmux knows how: it sees the terminal close first."""
    limit = time.monotonic() + _KNOWN_S
    pane = backend.panes().of(key)
    while pane is not None and not _is_known(pane) and time.monotonic() < limit:
        time.sleep(_LOOK_S)
        pane = backend.panes().of(key)
    return pane


def _is_known(pane: Pane) -> bool:
    return pane.dead and (pane.status is not None or pane.signal is not None)
