"""Which layers hold a jail, and why one does not; pure."""

from collections.abc import Iterator

from hqt.explain.mount_roles import surveyed
from hqt.launch import PROCESSES_MAX
from hqt.sandbox import SandboxPolicy
from hqt.sandbox.bwrap import Layer
from hqt.sandbox.mounts import has
from hqt.sandbox.project import Project
from hqt.start.plan import Plan
from hqt.start.preview import Preview


def layers(foreseen: Preview) -> tuple[Layer, ...]:
    """The layers of that start: bwrap's, the machine's, then those of this project."""
    project, _, policy = surveyed(foreseen.surveys, foreseen.plan)
    return (
        *_always(foreseen.plan, foreseen.surveys.caller.uid),
        *foreseen.layers,
        _git(project, policy),
        _guards(project, policy),
        Layer("a cache of the project's own, apart from this machine's", active=True),
    )


def _always(plan: Plan, uid: int) -> Iterator[Layer]:
    parts = ("user", "pid", "ipc", "uts")
    apart = all(has(plan.argv, f"--unshare-{part}") for part in parts)
    yield Layer("users, processes, IPC and host name of its own", apart)
    yield Layer("no capabilities, not even root's", has(plan.argv, "--cap-drop", "ALL"))
    sealed = plan.sealed is not None
    # the kernel exempts the host's root from the limit of processes (setrlimit(2), RLIMIT_NPROC)
    few = f", at most {PROCESSES_MAX} processes" if uid else ""
    yield Layer(f"no core dumps{few}", sealed)
    yield Layer("what is shown is compared once more as it starts", sealed)


def _git(project: Project, policy: SandboxPolicy) -> Layer:
    name = "git's hooks and configuration are read-only"
    if policy.fs == "ro" or project.git.kind != "none":
        return Layer(name, active=True)
    return Layer(name, active=False, why_not="the project has no git of its own")


def _guards(project: Project, policy: SandboxPolicy) -> Layer:
    if policy.fs == "ro":
        return Layer("the whole project is read-only", active=True)
    kept, compared = len(project.guards.read_only), len(project.guards.watched)
    return Layer(f"guards: {kept} read-only, {compared} compared when a session ends", active=True)
