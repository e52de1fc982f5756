"""What a new session can be made of: the harnesses, folders and names that there are, and a jail or none."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from hqt import sandbox
from hqt.config.file import load_config
from hqt.db import reader
from hqt.db.reader import SessionRow
from hqt.harnesses.base import Place
from hqt.paths import Places
from hqt.sandbox import Availability
from hqt.sandbox.files import untrusted
from hqt.sandbox.files.private import Private
from hqt.start import folders, program
from hqt.start.caller import Caller
from hqt.values import frozen


@frozen
class Candidate:
    """A harness that can be chosen; one that is not installed can't be started."""

    name: str
    label: str
    installed: bool = True
    keeps_login: bool = False  # its jail shows a login of its own
    asks: bool = False  # for permissions, but not in a jail


@frozen
class Choices:
    """What there is to choose from, and what is chosen unless something else is said."""

    home: Path
    harnesses: tuple[Candidate, ...] = ()  # installed ones first
    harness: str | None = None
    jailed: bool = False  # config.toml asks for a jail
    here: Path | None = None  # where hqt was started; None: that folder is gone
    projects: tuple[Path, ...] = ()  # of the sessions, newest first
    names: frozenset[str] = frozenset()  # taken

    def candidate(self, name: str) -> Candidate | None:
        return next((each for each in self.harnesses if each.name == name), None)


@frozen
class FolderFacts:
    """A folder, as an agent would work in it."""

    project: str | None  # the name that its sessions begin with; None: no folder was said
    jail: Availability | None  # None: not known yet


def choices(places: Places, caller: Caller) -> Choices:
    """A look at config.toml, the sessions and PATH; nothing is started."""
    wanted, rows = load_config(places.config_file), reader.rows(places)
    installed = program.installed(places, caller)
    found = sorted(_candidates(installed, places, caller), key=lambda each: not each.installed)
    found += _unknown(wanted.new_harness, found)
    return Choices(
        home=places.home,
        harnesses=tuple(found),
        harness=wanted.new_harness or _usual(found, installed, rows),
        jailed=wanted.new_sandbox,
        here=folders.current(),
        projects=tuple(dict.fromkeys(Path(row.cwd) for row in reversed(rows))),
        names=frozenset(row.name for row in rows),
    )


def folder_facts(directory: Path | None, places: Places, caller: Caller) -> FolderFacts:
    """What a session there would be called, and whether it can be jailed: bwrap may be run for it."""
    if directory is None:
        return FolderFacts(None, sandbox.availability())
    real = untrusted.real(directory) or directory
    private = Private.of(places.home, places.own(), caller.account_home)
    # below / lies every bwrap: of a folder that is refused anyway it is no news that none is left to run
    suspect = None if private.why_refused(real) else real
    return FolderFacts(real.name or "root", sandbox.availability(suspect))


def _candidates(installed: Sequence[str], places: Places, caller: Caller) -> Iterable[Candidate]:
    for name in caller.harnesses.names:
        kind = caller.harnesses.kind(name)
        # of a session, as some keep their login in its folder
        place = Place(places.home, caller.env, caller.uid, places.home, session=places.session("new"))
        binds = caller.harnesses.configure(name, place).sandbox_binds()
        yield Candidate(
            name=name,
            label=kind.label,
            installed=name in installed or not kind.is_agent,
            keeps_login=any(bind.writable for bind in binds),
            asks=bool(kind.sandbox_skip_permission_flags),
        )


def _unknown(name: str | None, found: Sequence[Candidate]) -> list[Candidate]:
    """What config.toml names and nobody knows: shown, as its start will say what is wrong with it."""
    if name is None or any(each.name == name for each in found):
        return []
    return [Candidate(name, name, installed=False)]


def _usual(found: Sequence[Candidate], installed: Sequence[str], rows: Sequence[SessionRow]) -> str | None:
    """That of the newest session, else the only agent that there is."""
    last = rows[-1].harness if rows else None
    if any(each.name == last and each.installed for each in found):
        return last
    return installed[0] if len(installed) == 1 else None
