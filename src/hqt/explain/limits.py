"""What a jail does not keep from its agent, and what does not work in it; pure."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from hqt.explain.mount_roles import surveyed
from hqt.sandbox.environment import matches
from hqt.sandbox.mounts import has
from hqt.sandbox.project import Project
from hqt.start.plan import Plan
from hqt.start.survey import Surveys

_KEYS = "*KEY* *TOKEN* *SECRET* *PASSWORD* *CREDENTIAL*".split()
_GIT_SETTINGS = "GIT_CONFIG_*"  # hqt's own
_DOTFILES = (".gitconfig", ".config/git")


def remains(surveys: Surveys, plan: Plan) -> Iterator[str]:
    """What stays possible in that very jail, one sentence each."""
    project, host, policy = surveyed(surveys, plan)
    if policy.fs == "rw":
        yield from _of_writing(project)
    yield from _of_harness(surveys)
    shown = {each.dst for each in host.tools}
    if any(host.home / name in shown for name in _DOTFILES):
        yield "your git configuration can be read: where it holds a token, the agent has it"
    keys = sorted(name for name in plan.env if matches(name, _KEYS) and not matches(name, [_GIT_SETTINGS]))
    if keys:
        yield f"variables that may hold keys can be read and used: {_listed(keys)}"
    if not has(plan.argv, "--unshare-net"):
        yield "with the network, all that the agent reads can be sent out, and servers on localhost answer it"
    yield "what one session puts into the project's cache, the project's next jailed sessions use"
    yield "the kernel is this machine's: a flaw in it may be a way out"


def lacks(surveys: Surveys, plan: Plan) -> Iterator[str]:
    """What an agent will miss there, one sentence each."""
    project, _, policy = surveyed(surveys, plan)
    if project.git.kind != "none" and policy.fs == "rw":
        yield "git config, git remote add and the tracking of git push -u: git's configuration is read-only"
    yield "ssh, gpg and their agents, docker: push, sign and deploy from outside"
    yield "32-bit programs, and jails inside the jail, such as those of browsers"


def _of_writing(project: Project) -> Iterator[str]:
    yield "the agent can write source, build files and tests: look at them before you run them outside"
    if project.git.kind == "none":
        yield "the project has no git of its own: one made inside, hooks and all, acts on who uses it outside"
    yield "new settings files and repositories can appear in the project: hqt only names them at the end"
    if project.guards.read_only:
        yield "a guarded file that a program outside replaces is writable from then on: `hqt show` says so"


def _of_harness(surveys: Surveys) -> Iterator[str]:
    label = surveys.harness.label
    own = [bind for bind in surveys.harness.sandbox_binds() if bind.writable]
    there = {bind.inside for bind in surveys.binds}
    logins = [bind.inside for bind in own if bind.create is None and bind.inside in there]
    if logins:
        yield f"the login of {label} can be read and used: {_listed(logins)}"
    kept = [bind.inside for bind in own if bind.create is not None]
    if kept:
        yield f"what {label} keeps can be written, and its later sessions obey it: {_listed(kept)}"


def _listed(things: Iterable[str | Path]) -> str:
    return ", ".join(map(str, things))
