"""What the service writes: each function is one transaction."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import delete, orm, select, update

from hqt.conversations.ownership import Learned
from hqt.db.columns import ConversationSource, stamp
from hqt.db.engine import Database
from hqt.db.models import Project, Session
from hqt.db.reader import SessionRow
from hqt.errors import ServiceError, about
from hqt.paths import project_key
from hqt.sessions import names
from hqt.start.plan import Plan
from hqt.values import frozen


@frozen
class Draft:
    """A session that is about to be."""

    key: str
    name: str | None  # None: the automatic one
    given: Path
    project: Path  # real
    harness: str
    args: tuple[str, ...]
    env_names: tuple[str, ...]
    conversation: str | None
    sandbox_json: str | None
    note: str | None
    roots: tuple[str, ...] = ()  # NAME=VALUE of the harness's root_env
    conversation_source: ConversationSource = "minted"  # of the conversation, where there is one
    copy_of: str | None = None  # the conversation that it begins with a copy of


def now() -> str:
    return stamp(datetime.now(UTC))


def add(database: Database, draft: Draft) -> int:
    """Insert it as `starting` and return its id; ServiceError where its name or conversation is taken."""
    with database.transaction() as session:
        if draft.conversation in _conversations(session, besides=draft.key):
            raise ServiceError(
                f"another session has the conversation {draft.conversation} by now: `hqt list` shows it"
            )
        project = session.scalar(select(Project).where(Project.path == str(draft.project)))
        if project is None:
            project = _new_project(draft.project)
        taken = set(session.scalars(select(Session.name)))
        if draft.name in taken:
            with about("name"):
                raise ServiceError(f"the name {draft.name} is taken: choose another")
        row = Session(
            key=draft.key,
            name=draft.name or names.automatic(project.name, draft.harness, taken),
            project=project,
            cwd=str(draft.given),
            harness=draft.harness,
            args=draft.args,
            env_names=draft.env_names,
            conversation=draft.conversation,
            conversation_source=draft.conversation_source if draft.conversation else None,
            roots=draft.roots,
            copy_of=draft.copy_of,
            note=draft.note,
            phase="starting",
            created_at=now(),
            sandbox_json=draft.sandbox_json,
        )
        session.add(row)
        session.flush()
        return row.id


def change(database: Database, key: str, values: Mapping[str, object]) -> None:
    """Set columns of one session."""
    with database.transaction() as session:
        session.execute(update(Session).where(Session.key == key).values(**values))


def claim(
    database: Database, judged: SessionRow, learned: Learned, told: str | None, *, instead_of: str
) -> bool:
    """Record where a session's conversation went; whether it was.

    It is not where another session has or had it, nor where the row has changed since it was `judged`.
    `told` goes into the note, in the place of what begins with `instead_of` there.
    """
    with database.transaction() as session:
        row = session.scalar(select(Session).where(Session.key == judged.key))
        theirs = _conversations(session, besides=judged.key)
        if row is None or learned.conversation in theirs or not _is_as_judged(row, judged):
            return False
        row.former = (*row.former, *(each for each in learned.left if each not in theirs))
        row.conversation, row.conversation_source = learned.conversation, learned.source
        if told is not None:
            said = (row.note or "").split("; ")
            row.note = "; ".join((*(each for each in said if each and not each.startswith(instead_of)), told))
        return True


def rename(database: Database, key: str, name: str) -> None:
    with database.transaction() as session:
        holder = session.scalar(select(Session.key).where(Session.name == name))
        if holder not in (None, key):
            raise ServiceError(f"the name {name} is taken: choose another")
        session.execute(update(Session).where(Session.key == key).values(name=name))


def move(database: Database, key: str, given: Path, project_path: Path) -> None:
    """Let the session live in another folder."""
    with database.transaction() as session:
        project = session.scalar(select(Project).where(Project.path == str(project_path)))
        if project is None:
            project = _new_project(project_path)
            session.add(project)
            session.flush()
        values = {"cwd": str(given), "project_id": project.id}
        session.execute(update(Session).where(Session.key == key).values(**values))


def remove(database: Database, key: str) -> None:
    with database.transaction() as session:
        session.execute(delete(Session).where(Session.key == key))


def _conversations(session: orm.Session, *, besides: str) -> set[str]:
    """All that the other sessions have or had."""
    others = session.execute(select(Session.conversation, Session.former).where(Session.key != besides))
    return {each for conversation, former in others for each in (conversation, *former) if each is not None}


def _is_as_judged(row: Session, judged: SessionRow) -> bool:
    return (row.conversation, row.started_at) == (judged.conversation, judged.started_at)


def _new_project(path: Path) -> Project:
    return Project(key=project_key(path), path=str(path), name=path.name or "root")


def draft(plan: Plan, name: str | None, roots: tuple[str, ...]) -> Draft:
    """The row of a session that starts as planned; `name` None: it gets the automatic one."""
    launch = plan.launch
    return Draft(
        key=launch.key or "",
        name=name,
        given=launch.given,
        project=plan.cwd,
        harness=launch.harness,
        args=launch.args,
        env_names=launch.env_names,
        conversation=launch.conversation,
        sandbox_json=launch.sandbox.to_json() if launch.sandbox else None,
        note="; ".join(plan.notes) or None,
        roots=roots,
        conversation_source="adopted" if launch.resume else "minted",
        copy_of=launch.copy_of,
    )
