"""Whether one path of this machine is seen and written in a jail, and by which of its rules."""

import os
from collections.abc import Iterator
from pathlib import Path

from hqt.explain.mount_roles import HIDDEN, HOLDER, HOME, HOME_SHOWN, Role, Roles, Rule, surveyed
from hqt.sandbox.files.private import Private
from hqt.sandbox.mounts import Mount, mounts, seen
from hqt.sandbox.path_inside import Inside, Reached
from hqt.start.plan import Plan
from hqt.start.preview import Preview
from hqt.start.survey import Surveys
from hqt.values import frozen

# the folders above what is shown are there as well
_AS_SEEN = {HIDDEN: HOLDER, HOME: HOME_SHOWN}


@frozen
class Answer:
    """What the agent would find at `path`."""

    path: Path
    exists: bool  # inside where it is visible, else on this machine
    visible: bool  # with `exists` False: as soon as it is made
    writable: bool  # likewise
    rule: Rule
    why: str
    also: Path | None = None  # where this machine's file is seen, when that is another name
    advice: str | None = None  # None: nothing is in the way


def why(foreseen: Preview, path: Path) -> Answer:
    """The answer on `path`, which is absolute; whether or not anything is there."""
    surveys, plan = foreseen.surveys, foreseen.plan
    if plan.launch.sandbox is None:
        return _open(path)
    return _Question(surveys, plan, mounts(plan.argv), path, Path(os.path.realpath(path))).answer()


def _open(path: Path) -> Answer:
    there = os.path.lexists(path)
    writable = os.access(path if there else path.parent, os.W_OK)
    return Answer(path, there, True, writable, "open", "there is no jail: the agent can do what you can")


@frozen
class _Question:
    surveys: Surveys
    plan: Plan
    mounts: tuple[Mount, ...]
    path: Path
    real: Path  # on this machine

    def answer(self) -> Answer:
        reached = Inside(self.mounts).reach(self.path)
        same = reached.source is not None and Path(os.path.realpath(reached.source)) == self.real
        visible = reached.exists or (same and reached.barred is None)
        writable = visible and reached.writable
        role = self._role(reached, visible=visible)
        also = None if visible and same else self._elsewhere(reached)
        return Answer(
            path=self.path,
            exists=reached.exists if visible else os.path.lexists(self.path),
            visible=visible,
            writable=writable,
            rule=role.rule,
            why="; ".join((role.why, *self._more(role, reached, visible=visible, writable=writable))),
            also=also,
            advice=self._advice(role, also, visible=visible, writable=writable),
        )

    def _role(self, reached: Reached, *, visible: bool) -> Role:
        own = self.surveys.places.own()
        if not visible and any(
            folder in (self.path, *self.path.parents, self.real, *self.real.parents) for folder in own
        ):
            return Role("hqt", "hqt's own", "it is hqt's own, which no jail shows")
        role = Roles.of(self.surveys, self.plan)(reached.mount)
        return _AS_SEEN.get(role, role) if visible else role

    def _more(self, role: Role, reached: Reached, *, visible: bool, writable: bool) -> Iterator[str]:
        project, _, policy = surveyed(self.surveys, self.plan)
        if reached.barred is not None:
            yield f"the folder {reached.barred} can't be entered by the agent"
        elif reached.place != self.path and role.rule not in ("hqt", "home", "hidden"):
            yield f"inside the name leads to {reached.place}"
        if visible and not writable and role.rule in ("project", "git"):
            yield (
                "it is read-only in this jail"
                if policy.fs == "ro"
                else "its owner and mode keep it from being written"
            )
        if (
            any(each in (reached.place, *reached.place.parents) for each in project.guards.watched)
            and writable
        ):
            yield "programs outside obey it: hqt compares it when the session ends"

    def _elsewhere(self, reached: Reached) -> Path | None:
        """Another name inside by which this machine's own file is seen."""
        for mount in self.mounts:
            if mount.kind == "bind" and mount.src in (self.real, *self.real.parents):
                assert mount.src is not None  # noqa: S101 - for the type checker
                place = mount.dst / self.real.relative_to(mount.src)
                if seen(self.mounts, place) is mount and place != reached.place:
                    return place
        return None

    def _advice(self, role: Role, also: Path | None, *, visible: bool, writable: bool) -> str | None:
        _, _, policy = surveyed(self.surveys, self.plan)
        if visible and (writable or role.rule == "jail"):
            return None
        if visible:
            ours = role.rule in ("project", "git") and policy.fs == "ro"
            return (
                "to let it be written, start with --fs rw"
                if ours
                else "to change it, do so outside of the jail"
            )
        if also is not None:
            return f"to use it inside, name it {also}"
        if role.rule == "hqt":
            return "nothing makes a jail show it: `hqt show` and `hqt capture` tell of sessions"
        if self._is_login():
            return (
                "to use what it opens, do so outside of the jail: push, sign, deploy; the agent needs no keys"
            )
        return (
            f"to let it be seen, put it or a copy of it into the project {self.surveys.cwd}, "
            "or start a session in its folder"
        )

    def _is_login(self) -> bool:
        places = self.surveys.places
        return Private.of(places.home, (), self.surveys.caller.account_home).is_login(self.real)
