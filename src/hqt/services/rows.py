"""What the service writes: each function is one transaction."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import delete, select, update

from hqt.db.columns import ConversationSource, stamp
from hqt.db.engine import Database
from hqt.db.models import Project, Session
from hqt.errors import ServiceError, about
from hqt.paths import project_key
from hqt.services import naming


@dataclass(frozen=True, slots=True)
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


def now() -> str:
    return stamp(datetime.now(UTC))


def add(database: Database, draft: Draft) -> int:
    """Insert it as `starting` and return its id; ServiceError where its name is taken."""
    with database.transaction() as session:
        project = session.scalar(select(Project).where(Project.path == str(draft.project)))
        if project is None:
            project = _new_project(draft.project)
        taken = set(session.scalars(select(Session.name)))
        if draft.name in taken:
            with about("name"):
                raise ServiceError(f"the name {draft.name} is taken: choose another")
        row = Session(
            key=draft.key,
            name=draft.name or naming.automatic(project.name, draft.harness, taken),
            project=project,
            cwd=str(draft.given),
            harness=draft.harness,
            args=draft.args,
            env_names=draft.env_names,
            conversation=draft.conversation,
            conversation_source="minted" if draft.conversation else None,
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


def claim(database: Database, key: str, conversation: str, source: ConversationSource) -> bool:
    """Record a conversation for a session that has none, unless another session has it."""
    with database.transaction() as session:
        if session.scalar(select(Session.id).where(Session.conversation == conversation)) is not None:
            return False
        unset = update(Session).where(Session.key == key, Session.conversation.is_(None))
        session.execute(unset.values(conversation=conversation, conversation_source=source))
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


def _new_project(path: Path) -> Project:
    return Project(key=project_key(path), path=str(path), name=path.name or "root")
