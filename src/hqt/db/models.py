"""The rows that hqt writes; the schema itself is made by migrations.py, and a test holds them together."""

from typing import Any, ClassVar

from sqlalchemy import CheckConstraint, Dialect, ForeignKey, Integer, Text, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlalchemy.types import TypeDecorator

from hqt.db.columns import ConversationSource, Phase, dump_words, load_words, new_key
from hqt.errors import DatabaseError


class Words(TypeDecorator[tuple[str, ...]]):
    """A tuple of texts, as a JSON array.

    What is stored but no such array is a DatabaseError when it is loaded: a row that the reader calls
    damaged is deleted by statement (`delete(Session)`), not as an object.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        return None if value is None else dump_words(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...] | None:
        if value is None:
            return None
        try:
            return load_words(value)
        except ValueError as error:
            raise DatabaseError(f"the stored words {value!r} can't be read: remove their session") from error


class Base(DeclarativeBase):
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: Text(),
        Phase: Text(),
        ConversationSource: Text(),
        tuple[str, ...]: Words(),
    }


class Project(Base):
    """A folder in which agents work."""

    __tablename__ = "project"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    key: Mapped[str] = mapped_column(unique=True, default=new_key)
    path: Mapped[str] = mapped_column(unique=True)  # real path
    name: Mapped[str]


class Session(Base):
    """One agent, whether or not it lives: intent and history. Times are texts made by `columns.stamp`."""

    __tablename__ = "session"
    __table_args__ = (
        CheckConstraint("phase IN ('starting', 'running', 'stopped', 'exited')"),
        {"sqlite_autoincrement": True},  # an id is never given twice, so that people can rely on it
    )

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    key: Mapped[str] = mapped_column(unique=True, default=new_key)
    name: Mapped[str] = mapped_column(unique=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("project.id"))
    cwd: Mapped[str]  # as the user gave it, absolute; a link stays a link
    harness: Mapped[str]
    args: Mapped[tuple[str, ...]] = mapped_column(default=())
    env_names: Mapped[tuple[str, ...]] = mapped_column(default=())
    conversation: Mapped[str | None] = mapped_column(default=None)
    conversation_source: Mapped[ConversationSource | None] = mapped_column(default=None)
    note: Mapped[str | None] = mapped_column(default=None)
    phase: Mapped[Phase] = mapped_column(default="starting")
    exit_code: Mapped[int | None] = mapped_column(default=None)
    exit_signal: Mapped[int | None] = mapped_column(default=None)
    created_at: Mapped[str]
    started_at: Mapped[str | None] = mapped_column(default=None)
    ended_at: Mapped[str | None] = mapped_column(default=None)
    sandbox_json: Mapped[str | None] = mapped_column(default=None)  # NULL: no jail
    former: Mapped[tuple[str, ...]] = mapped_column(default=(), server_default="[]")
    roots: Mapped[tuple[str, ...] | None] = mapped_column(default=None)  # NULL: of an hqt that kept none
    copy_of: Mapped[str | None] = mapped_column(default=None)
    muted: Mapped[int] = mapped_column(default=0, server_default=text("0"))  # 0 or 1

    project: Mapped[Project] = relationship()
