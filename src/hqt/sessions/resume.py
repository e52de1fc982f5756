"""How a session that is not alive comes back: with its conversation, else fresh."""

import signal
from collections.abc import Iterable
from pathlib import Path

from hqt.db import reader
from hqt.db.reader import SessionRow
from hqt.errors import JailError, ServiceError
from hqt.harnesses.base import HarnessConfigurator
from hqt.observe.views import Outcome, SessionView
from hqt.paths import Places
from hqt.start import configurator
from hqt.start.caller import Caller
from hqt.start.preview import Preview, preview_start
from hqt.start.request import Launch, policy_of
from hqt.values import replace

# what people, shells, the kernel that runs out of memory and a machine that goes down end programs with
_SENT = {signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGKILL, signal.SIGTERM}


def fresh_launch(row: SessionRow, harness: HarnessConfigurator, *, again: bool = True) -> Launch:
    """A start without history, in the row's own jail; `again`: under its id, while that is unused."""
    return Launch(
        harness=row.harness,
        given=Path(row.cwd),
        sandbox=policy_of(row),
        args=row.args,
        env_names=row.env_names,
        conversation=harness.mint(row.conversation if again else None),
        key=row.key,
        title=row.name,
    )


def resume_launch(row: SessionRow, harness: HarnessConfigurator) -> Launch | None:
    """The way back into the row's own conversation; None where there is none on disk yet.

    A copy in which nothing was said may not be on disk: it is made once more (docs/decisions/0038).
    """
    sandboxed = row.sandbox_json is not None
    own = row.conversation
    if own and harness.build_resume_config(own, args=row.args, sandboxed=sandboxed) is not None:
        return replace(fresh_launch(row, harness), conversation=own, resume=True)
    if row.copy_of is None or (own and harness.has_conversation(own)):
        return None
    again = replace(fresh_launch(row, harness), copy_of=row.copy_of)
    new_id = again.conversation if harness.mint_fork() else None
    copied = harness.build_fork_config(row.copy_of, new_id, args=row.args, sandboxed=sandboxed)
    return None if copied is None else replace(again, conversation=new_id)


def started_columns(
    row: SessionRow, launch: Launch, *, now: str, roots: tuple[str, ...], note: str | None
) -> dict[str, object]:
    """The columns of a session whose start begins; a conversation that it leaves stays its own."""
    values: dict[str, object] = {
        "phase": "starting",
        "started_at": now,
        "ended_at": None,
        "exit_code": None,
        "exit_signal": None,
        "note": note,
        "roots": roots,
    }
    if launch.conversation != row.conversation:
        values |= {
            "conversation": launch.conversation,
            "conversation_source": "minted" if launch.conversation else None,
            "former": (*row.former, row.conversation) if row.conversation else row.former,
        }
    if not launch.resume:
        values["copy_of"] = launch.copy_of
    return values


def failed_start_columns(row: SessionRow, begun: Iterable[str]) -> dict[str, object]:
    """A start that failed leaves the row as it was: ended, or lost with its server."""
    was = {name: getattr(row, name) for name in begun}
    return was | {"phase": "running" if row.phase == "starting" else row.phase}


def why_not_resumable(row: SessionRow, harness: HarnessConfigurator) -> str | None:
    """Why the row's conversation is not resumed at all."""
    gone = row.conversation is not None and not harness.has_conversation(row.conversation)
    return "no transcript of it is left" if gone else None


def fallback_note(row: SessionRow, launch: Launch, reason: str | None) -> str | None:
    """Why a conversation was left behind, and its id, so that nothing is lost in silence."""
    if row.conversation is None or launch.conversation == row.conversation:
        return None
    why = f" as it could not be resumed ({reason})" if reason else ""
    return f"started fresh{why}; the previous conversation is {row.conversation}"


def refused_to_resume(view: SessionView) -> bool:
    """Whether a resumed program ended by itself; one that somebody ended knows its conversation still."""
    return view.state == "exited" and (view.exit is None or view.exit.signal not in _SENT)


def fallback_reason(tried: Outcome) -> str | None:
    """Why a resume that was tried falls back to a fresh start, in the program's last words; None if not."""
    if not refused_to_resume(tried.view):
        return None
    return next((line.strip() for line in reversed(tried.lines) if line.strip()), "it ended")


def lost_its_conversation(
    row: SessionRow, now: SessionRow, launch: Launch, harness: HarnessConfigurator
) -> bool:
    """Whether the start `launch`, which ended at once, replaced a conversation of `row` by nothing."""
    replaced = row.conversation not in (None, launch.conversation)
    used = launch.conversation is not None and harness.has_conversation(launch.conversation)
    return replaced and now.conversation == launch.conversation and not used


def kept_conversation_columns(row: SessionRow) -> dict[str, object]:
    """The columns of a session that goes back to the conversation that a start was to replace."""
    return {
        "conversation": row.conversation,
        "conversation_source": row.conversation_source,
        "former": row.former,
        "copy_of": row.copy_of,
        "note": f"a fresh start ended at once; the conversation is still {row.conversation}",
    }


def refuse_another_folder(row: SessionRow) -> None:
    """Raise ServiceError where the session's folder is gone or its name leads to another one now."""
    given, expected = Path(row.cwd), Path(row.project)
    try:
        real = given.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise ServiceError(
            f"directory gone: {given}: `hqt move {row.id} DIR` or `hqt rm {row.id}`"
        ) from error
    if real != expected:
        raise ServiceError(
            f"{given} leads to {real} now and led to {expected} when session {row.id} was made:"
            f" `hqt move {row.id} DIR` chooses one"
        )


def preview_resume(view: SessionView, places: Places, caller: Caller) -> Preview:
    """The start that `hqt resume` would make of the session; errors as of `start`."""
    if view.invalid is not None:
        raise JailError(f"session {view.id} would not be started: {view.invalid}")
    if view.state == "broken":
        raise ServiceError(f"session {view.id} would not be started: {view.note}")
    row = reader.find(places, str(view.id))
    refuse_another_folder(row)
    return preview_next_start(row, places, caller)


def preview_next_start(row: SessionRow, places: Places, caller: Caller) -> Preview:
    """The start that the row would have next: back into its conversation, else fresh."""
    harness = configurator.of_row(row, places, caller)
    launch = resume_launch(row, harness) or fresh_launch(row, harness)
    return preview_start(launch, places, configurator.as_started(row, caller), terminal=True)
