"""What one look says, and all of them together."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from hqt.errors import HqtError
from hqt.values import frozen

State = Literal["ok", "warning", "missing", "failed"]


@frozen
class Check:
    """One thing that was looked at."""

    id: str
    label: str
    state: State  # missing: hqt can do without; failed, and nothing else, keeps hqt from working
    detail: str
    remedy: str | None = None


@frozen
class Report:
    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether hqt itself can work: it can without a jail, without git and without an agent."""
        return all(check.state != "failed" for check in self.checks)


class Subject(NamedTuple):
    """What a check is about."""

    id: str
    label: str

    def ok(self, detail: str) -> Check:
        return Check(*self, "ok", detail)

    def warning(self, detail: str, remedy: str | None = None) -> Check:
        return Check(*self, "warning", detail, remedy)

    def missing(self, detail: str, remedy: str | None = None) -> Check:
        return Check(*self, "missing", detail, remedy)

    def failed(self, detail: str, remedy: str | None = None) -> Check:
        return Check(*self, "failed", detail, remedy)

    def error(self, error: HqtError) -> Check:
        """Failed with that sentence, which ends in what to do (hqt.errors)."""
        return self.failed(*_parted(error))

    def absent(self, error: HqtError) -> Check:
        """Missing with that sentence."""
        return self.missing(*_parted(error))


def _parted(error: HqtError) -> tuple[str, str | None]:
    what, _, remedy = str(error).rpartition(": ")
    return (what, remedy) if what else (remedy, None)


def count(things: Sequence[object], name: str) -> str:
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"
