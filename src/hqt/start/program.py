"""The program of a launch: where it is, what it knows, and its settings as they are now."""

from pathlib import Path

from hqt.errors import HarnessError, about
from hqt.harnesses import program_path as programs
from hqt.harnesses.base import HarnessConfigurator, Place, Program
from hqt.harnesses.program_help import Help, help_of
from hqt.paths import Places
from hqt.sandbox.files import untrusted
from hqt.sandbox.files.private import is_there, real_path
from hqt.start.caller import Caller
from hqt.start.request import Launch

_PROJECT_TEXT_MAX = 1 << 18  # of a settings file that agents write


def configure(launch: Launch, places: Places, caller: Caller, cwd: Path) -> HarnessConfigurator:
    """The launch's harness, with all that it may look at."""
    kind, env = caller.harnesses.kind(launch.harness), caller.env
    with about("harness" if kind.is_agent else "args"):
        found = _program(kind.wanted(launch.args, caller.shell), launch, places, caller, cwd)
    # of a command that is run in its jail no flag is the harness's
    told = _help(kind, found, places, caller, cwd) if launch.command is None else Help()
    place = Place(
        home=places.home,
        env=env,
        uid=caller.uid,
        cwd=cwd,
        program=found,
        shell=caller.shell,
        knows=told.has(kind.probes),
        lacks=told.lacks(flag for flag in kind.flags if flag not in (*kind.probes, *kind.unlisted)),
        session=places.session(launch.key) if launch.key else None,
        jailed=launch.sandbox is not None,
        texts=_texts(kind, launch, places, caller, cwd),
        present=frozenset(path for path in kind.looks_at(places.home, env) if is_there(path)),
    )
    return kind(place)


def installed(places: Places, caller: Caller) -> tuple[str, ...]:
    """The harnesses whose own program is on PATH."""
    return tuple(
        name
        for name in caller.harnesses.names
        if caller.harnesses.kind(name).is_agent and _is_installed(name, places, caller)
    )


def written_by_jails(
    kind: type[HarnessConfigurator], home: Path, caller: Caller, cwd: Path
) -> tuple[Path, ...]:
    """What the harness's jails may write beside the project: a program there could be an agent's."""
    binds = kind(Place(home, caller.env, caller.uid, cwd)).sandbox_binds()
    return tuple(real_path(bind.src) for bind in binds if bind.writable)


def program_paths(
    launch: Launch, harness: HarnessConfigurator, places: Places, caller: Caller, cwd: Path
) -> tuple[Path, ...]:
    """What a jail must show so that the launch's programs start."""
    shown = harness.place.program.shown if harness.place.program else ()
    if launch.command is None:
        return shown
    # where there is no such command the jail's own env(1) says so, exit 127
    other = _program(launch.command[0], launch, places, caller, cwd)
    return (*shown, *(other.shown if other else ()))


def programs_file(state: Path) -> Path:
    """What is known of installed harnesses, by path and time of change; `state`: hqt's state folder."""
    return state / "programs.json"


def _program(word: str, launch: Launch, places: Places, caller: Caller, cwd: Path) -> Program | None:
    """The harness's program; in `sandbox exec` it may be missing, as another command is run."""
    try:
        return programs.find(word, caller.env.get("PATH", ""), cwd, places.home)
    except HarnessError:
        if launch.command is None:
            raise
        return None


def _help(
    kind: type[HarnessConfigurator], found: Program | None, places: Places, caller: Caller, cwd: Path
) -> Help:
    if found is None or not (kind.flags or kind.probes):
        return Help()
    return help_of(
        found,
        question=kind.help,
        cache=programs_file(places.state),
        env=caller.env,
        projects=(cwd, *written_by_jails(kind, places.home, caller, cwd)),
        patient=bool(kind.probes),  # what it runs depends on them
    )


def _is_installed(name: str, places: Places, caller: Caller) -> bool:
    word = caller.harnesses.kind(name).executable
    try:
        programs.find(word, caller.env.get("PATH", ""), Path("/"), places.home)
    except HarnessError:
        return False
    return True


def _texts(
    kind: type[HarnessConfigurator], launch: Launch, places: Places, caller: Caller, cwd: Path
) -> dict[Path, bytes]:
    found = {path: _text(path) for path in kind.reads(places.home, caller.env)}
    if launch.sandbox is not None and launch.command is None:
        # an agent wrote them: a link could name any file, a pipe would never end
        own = (path for path in kind.reads_of_project(cwd) if untrusted.is_direct(path))
        found |= {path: untrusted.read(path, _PROJECT_TEXT_MAX) for path in own}
    return {path: text for path, text in found.items() if text is not None}


def _text(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
