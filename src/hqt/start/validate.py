"""What is asked for a session that is to be: judged, and as the row that it becomes."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from hqt.errors import JailError, ServiceError, about
from hqt.harnesses.base import HarnessConfigurator
from hqt.paths import Places
from hqt.sandbox import Bind
from hqt.sandbox.files.private import Private
from hqt.start.caller import Caller

PROMPT_MAX = 100 * 1024


@about("prompt")
def validate_prompt(prompt: str | None) -> None:
    """Raise ServiceError where it is too long for a command line."""
    size = len((prompt or "").encode(errors="surrogateescape"))
    if size > PROMPT_MAX:
        raise ServiceError(
            f"the prompt has {size} bytes and {PROMPT_MAX} are the most: put it into a file of the project"
        )


@about("env_names")
def validate_variables(names: Iterable[str], caller: Caller) -> None:
    """Raise ServiceError where the caller's shell has no variable of such a name."""
    for name in names:
        if name not in caller.env:
            raise ServiceError(
                f"the variable {name} is not set in this shell: set it or leave out --env {name}"
            )


def missing_variables(names: Iterable[str], caller: Caller) -> tuple[str, ...]:
    """A sentence for each variable that a session passes on and the caller's shell does not have."""
    return tuple(
        f"{name} is not set in this shell and not passed on" for name in names if name not in caller.env
    )


def declared_binds(
    harness: HarnessConfigurator, binds: Iterable[Bind], places: Places, private: Private, project: Path
) -> None:
    """Raise JailError where a declared harness's jail, of `project`, would write a project by another way.

    Which projects there are is not known when config.toml is judged.
    """
    written = [bind.src for bind in binds if bind.writable] if harness.is_declared else []
    for each, whose in _projects(places, private, project) if written else ():
        for path in written:
            if path.is_relative_to(each) or each.is_relative_to(path):
                raise JailError(
                    f"{path} of harness.{harness.name}.rw is, holds or lies in {each}, the project of"
                    f" {whose}: name what lies elsewhere, or leave it out"
                )


def _projects(places: Places, private: Private, project: Path) -> Iterator[tuple[Path, str]]:
    from hqt.db import reader  # here: few users declare a harness

    yield project, "the session itself"
    for row in reader.rows(places):
        path = Path(row.project)
        # an open session may work in the home, which holds all that can be declared
        if private.why_refused(path) is None:
            yield path, f"session {row.id}"
