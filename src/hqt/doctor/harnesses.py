"""Each harness: where it is, and whether it knows the flags that hqt starts it with."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from hqt.doctor.check import Check, Subject
from hqt.doctor.facts import Facts
from hqt.errors import DatabaseError, HarnessError
from hqt.harnesses import program_help
from hqt.harnesses import program_path as programs
from hqt.harnesses.base import HarnessConfigurator, Program
from hqt.start import program
from hqt.start.caller import Caller


def check(name: str, scene: Facts, current: Path | None) -> Check:
    """`current`: see `examine`."""
    caller = scene.caller
    kind = caller.harnesses.kind(name)
    subject = Subject(f"harness-{name}", kind.label)
    home = Path(caller.env.get("HOME", "/"))
    try:
        found = programs.find(kind.wanted((), caller.shell), caller.env.get("PATH", ""), Path("/"), home)
    except HarnessError as error:
        return subject.absent(error)
    if not kind.is_agent:
        return subject.ok(f"{found.path}, unless another is given")
    folders = (*_agents_folders(scene, current), *_written(kind, home, caller))
    holder = program_help.holder(found, folders)
    if holder is not None:
        detail = f"{found.path}: not asked, as an agent could have put it into {holder}"
        return subject.warning(detail, "put another first on PATH")
    state = scene.folder("state")
    if state is None:
        return subject.ok(f"{found.path}: not asked, as there is no folder to remember the answer in")
    return _asked(subject, kind, found, caller, program.programs_file(state), folders)


def _asked(
    subject: Subject,
    kind: type[HarnessConfigurator],
    found: Program,
    caller: Caller,
    cache: Path,
    folders: Sequence[Path],
) -> Check:
    version = program_help.version(found, cache=cache, env=caller.env, projects=folders)
    detail = f"{version or 'unknown version'}, {found.path}"
    # a flag that hqt looks for before each use may lack
    flags = [flag for flag in kind.flags if flag not in (*kind.probes, *kind.unlisted)]
    if not flags or not kind.help:
        return subject.ok(detail)
    asked = program_help.help_of(
        found, question=kind.help, cache=cache, env=caller.env, projects=folders, patient=True
    )
    question = f"`{' '.join((kind.executable, *kind.help))}`"
    if not asked.is_one:
        return subject.warning(f"{detail}: {question} lists no options, so that its flags are not verified")
    lacking = [flag for flag in flags if flag in asked.lacks(flags)]
    if not lacking:
        return subject.ok(detail)
    refused = (
        "a session that needs it is refused" if len(lacking) == 1 else "sessions that need them are refused"
    )
    return subject.warning(
        f"{detail}: {question} does not name {', '.join(lacking)}: {refused}", f"update {kind.label}"
    )


def _agents_folders(scene: Facts, current: Path | None) -> Iterator[Path]:
    """Where agents write: the sessions' projects and the current folder, unless the home lies in it."""
    if not isinstance(scene.sessions, DatabaseError):
        yield from (Path(row.project) for row in scene.sessions or ())
    home = Path(scene.caller.env.get("HOME", "/")).resolve()
    if current is not None and not home.is_relative_to(current):
        yield current


def _written(kind: type[HarnessConfigurator], home: Path, caller: Caller) -> Sequence[Path]:
    try:
        return program.written_by_jails(kind, home, caller, Path("/"))
    except HarnessError:  # of its variables one names no folder, which stops each start as well
        return ()
