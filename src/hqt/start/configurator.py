"""The harness of a session, for a look at its own files; its program is not looked for (start.program)."""

from pathlib import Path
from typing import TYPE_CHECKING

from hqt.harnesses.base import HarnessConfigurator, Place
from hqt.paths import Places
from hqt.start.caller import Caller
from hqt.values import replace

if TYPE_CHECKING:
    from hqt.db.reader import SessionRow


def on_disk(harness: str, places: Places, caller: Caller, cwd: Path) -> HarnessConfigurator:
    """The harness for a look at its own files; its program is not looked for."""
    return caller.harnesses.configure(
        harness, Place(places.home, caller.env, caller.uid, cwd, shell=caller.shell)
    )


def of_row(row: "SessionRow", places: Places, caller: Caller) -> HarnessConfigurator:
    """The harness of a session, for a look at the session's own files."""
    caller = as_started(row, caller)
    place = Place(
        home=places.home,
        env=caller.env,
        uid=caller.uid,
        cwd=Path(row.project),
        shell=caller.shell,
        session=places.session(row.key),
        jailed=row.sandbox_json is not None,
    )
    return caller.harnesses.configure(row.harness, place)


def roots(harness: str, caller: Caller) -> tuple[str, ...]:
    """Where the caller's shell says that the harness keeps its files, as NAME=VALUE; kept with a session."""
    names = caller.harnesses.kind(harness).root_env
    return tuple(f"{name}={caller.env[name]}" for name in names if name in caller.env)


def as_started(row: "SessionRow", caller: Caller) -> Caller:
    """The caller, whose harness keeps its files where it did when the session was started.

    The end is recorded by a command of tmux, which has the variables of another shell.
    """
    if row.roots is None:
        return caller
    names = caller.harnesses.kind(row.harness).root_env
    others = {name: value for name, value in caller.env.items() if name not in names}
    return replace(caller, env=others | dict(word.split("=", 1) for word in row.roots if "=" in word))
