"""What a notice says: to a person on the desktop, and to a program as JSON. What an agent wrote is inert."""

import json
from datetime import UTC, datetime
from html import escape

from hqt.db.columns import stamp
from hqt.formatting import exit_word, literal
from hqt.notifications.transitions import Notice

_LONGEST = 200  # characters of the agent's own; a question stands at its beginning


def title(notice: Notice) -> str:
    """Such as `shop-claude needs you`."""
    return f"{literal(notice.view.name)} {_says(notice)}"


def body(notice: Notice) -> str:
    """Its project and why it waits, for a server that reads markup (Desktop Notifications, 1.2: Markup)."""
    return escape("\n".join(filter(None, (literal(notice.view.project_name), _reason(notice)))), quote=False)


def event(notice: Notice) -> str:
    """One line of JSON (docs/notifications.md)."""
    view = notice.view
    return json.dumps(
        {
            "id": view.id,
            "name": view.name,
            "project": str(view.project),
            "harness": view.harness,
            "from": notice.before,
            "to": notice.kind,
            "reason": _reason(notice),
            "at": view.since or stamp(datetime.now(UTC)),
        }
    )


def _says(notice: Notice) -> str:
    if notice.kind == "failed":
        found = notice.view.exit
        return f"failed ({exit_word(found)})" if found is not None else "failed"
    return "needs you" if notice.kind == "waiting" else "is done"


def _reason(notice: Notice) -> str | None:
    """In the agent's words, of a question; of a failure, how it ended."""
    if notice.kind == "failed":
        return None if notice.view.exit is None else f"exited ({exit_word(notice.view.exit)})"
    reason = notice.view.reason
    if not reason:
        return None
    told = literal(reason)
    return told if len(told) <= _LONGEST else f"{told[: _LONGEST - 1]}…"
