"""Why a session waits, or how it ended, in one line."""

from datetime import datetime

from hqt.formatting import age, literal, state_words
from hqt.observe.views import SessionView, State

_TOLD: dict[State, str] = {
    "starting": "it starts",
    "waiting": "it waits for you",
    "lost": "gone with tmux or a reboot: r resumes it",
    "unreachable": "alive, but its tmux can't be reached: D says what to do",
    "broken": "its record can't be read or honoured",
}


def reason(view: SessionView, now: datetime | None = None) -> str:
    """Literal; empty where there is nothing to say of a session that works or stands at its prompt."""
    said = [view.invalid or view.reason or _TOLD.get(view.state) or _ending(view, now), view.note]
    return literal(" · ".join(filter(None, said)))


def _ending(view: SessionView, now: datetime | None) -> str | None:
    if view.is_alive:
        return None
    ago = f" {age(view.ended_at, now)} ago" if view.ended_at else ""
    return f"{state_words(view)}{ago}"
