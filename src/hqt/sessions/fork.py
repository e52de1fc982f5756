"""A start that begins with a copy of a session's conversation."""

from hqt.db.reader import SessionRow
from hqt.errors import ServiceError
from hqt.harnesses.base import HarnessConfigurator
from hqt.sessions import resume
from hqt.start.request import Launch
from hqt.values import replace


def fork_launch(
    row: SessionRow, harness: HarnessConfigurator, *, key: str, title: str, prompt: str | None
) -> Launch:
    """As `row` would be started, under `key`; HqtError where its conversation can't be copied."""
    resume.refuse_another_folder(row)
    if not harness.forks:
        raise ServiceError(
            f"{harness.label} can't copy a conversation: begin another with `hqt new --harness {row.harness}`"
        )
    if row.conversation is None or not harness.has_conversation(row.conversation):
        raise ServiceError(
            f"session {row.id} has no conversation on disk yet that could be copied: prompt it first"
        )
    sandboxed = row.sandbox_json is not None
    new_id = harness.mint_fork()
    if harness.build_fork_config(row.conversation, new_id, args=row.args, sandboxed=sandboxed) is None:
        raise ServiceError(
            f"session {row.id} can't be copied, as its own arguments choose a conversation: use `hqt new`"
        )
    return replace(
        resume.fresh_launch(row, harness),
        conversation=new_id,
        copy_of=row.conversation,
        prompt=prompt or None,
        key=key,
        title=title,
    )
