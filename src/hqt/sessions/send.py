"""Typing into a session: its text comes whole and is submitted once, and no question is answered by it."""

import re
import time

from hqt.backends.base import Pane
from hqt.errors import BackendError, ServiceError
from hqt.observe.look import Looker, tells_state
from hqt.observe.views import SessionView
from hqt.sessions import locks
from hqt.sessions.preconditions import refuse_unreachable
from hqt.sessions.submit import Submission

TEXT_MAX = 1 << 20  # bytes

# an escape could end the paste that the text comes in, and what follows would be keys; so could the signs of
# 8 bits. Lone surrogates stand for bytes that are no UTF-8
_NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_LOOK_S = 0.05
_READY_S = 15.0  # within which an agent that was just started shows what it does
_BEGIN_S = 5.0  # within which one that took a prompt shows that it works


def send_text(
    looker: Looker, session: str, text: str, *, enter: bool = True, force: bool = False
) -> SessionView:
    """Type `text` into the session and submit it, once; returns it when it is seen at work, or 5 s later.

    A question on its screen is answered only with `force`. Raises HqtError where nothing was typed, or what
    was typed was not seen to be taken.
    """
    typed = typeable(text.rstrip("\n") if enter else text)
    with locks.hold_row(looker.places, session) as row:
        view = _ready(looker, str(row.id), force=force)
        _type(looker, view, typed, enter=enter, force=force)
    return _at_work(looker, view) if enter else looker.one(str(view.id))


def typeable(text: str) -> str:
    """`text` with the line breaks of a terminal; ServiceError where it holds what is no text."""
    plain = text.replace("\r\n", "\n")
    found = _NO_TEXT.search(plain)
    if found is not None:
        raise ServiceError(
            f"the text holds {found[0]!r}, which a terminal takes for a key:"
            " send letters, tabs and line breaks"
        )
    size = len(plain.encode())
    if size > TEXT_MAX:
        raise ServiceError(
            f"the text has {size} bytes and {TEXT_MAX} are the most: put it into a file of the project"
        )
    return plain


def _ready(looker: Looker, session: str, *, force: bool) -> SessionView:
    """The session, which takes text now; of one that has just begun nobody knows before it shows itself."""
    limit = time.monotonic() + _READY_S
    view = looker.one(session)
    while view.state in ("starting", "running") and tells_state(looker, view) and not force:
        if time.monotonic() >= limit:
            raise ServiceError(
                f"session {view.id} does not show that it takes text: look at its screen,"
                " or use `hqt send --force`"
            )
        time.sleep(_LOOK_S)
        view = looker.one(session)
    refuse_unreachable(view, looker.backend)
    if not view.is_running:
        raise ServiceError(f"session {view.id} is {view.state}: resume it before sending")
    _refuse_question(view, force=force)
    return view


def _refuse_question(view: SessionView, *, force: bool) -> None:
    if view.suspended:
        raise ServiceError(f"session {view.id} is suspended: `hqt resume {view.id}` lets it continue")
    if view.state == "waiting" and not force:
        asked = f" ({view.reason})" if view.reason else ""
        raise ServiceError(
            f"session {view.id} asks you something{asked}: answer on its screen, or use `hqt send --force`"
        )


def _type(looker: Looker, view: SessionView, text: str, *, enter: bool, force: bool) -> None:
    """Paste, and press Enter when that is sure to count."""
    backend, pane = looker.backend, _pane(looker, view)
    typing = Submission.of(text, backend.face(pane), time.monotonic())
    if text:
        backend.send(view.key, text, enter=False)
    while enter and (step := typing.step(time.monotonic())) != "taken":
        if step == "stuck":
            raise ServiceError(f"session {view.id} shows the text and does not take it: look at its screen")
        if step == "press":
            if not _may_press(looker, view, again=typing.presses > 0, force=force):
                break
            typing = typing.entering(time.monotonic())
            backend.send(view.key, "", enter=True)
        time.sleep(_LOOK_S)
        typing = typing.seeing(backend.face(pane), time.monotonic())


def _may_press(looker: Looker, view: SessionView, *, again: bool, force: bool) -> bool:
    """Whether Enter is still meant: a question may have come between, and the first one may have ended it."""
    now = looker.one(str(view.id))
    if again and (now.state == "waiting" or not now.is_running):
        return False
    _refuse_question(now, force=force)
    return True


def _pane(looker: Looker, view: SessionView) -> Pane:
    pane = looker.backend.panes().of(view.key)
    if pane is None or pane.dead:
        raise BackendError(f"session {view.id} has just ended: resume it before sending")
    return pane


def _at_work(looker: Looker, before: SessionView) -> SessionView:
    """The session once it shows that it took the text, so that who waits for its end waits for this one's."""
    limit = time.monotonic() + (_BEGIN_S if tells_state(looker, before) else 0.0)
    view = looker.one(str(before.id))
    while view.is_running and view.state == before.state == "idle" and view.since == before.since:
        if time.monotonic() >= limit:
            break
        time.sleep(_LOOK_S)
        view = looker.one(str(before.id))
    return view
