"""What a jail shows, lets through and leaves open, as values made from the very plan of its start; pure."""

from collections.abc import Callable, Iterator
from pathlib import Path

from hqt.explain.layers import layers
from hqt.explain.limits import lacks, remains
from hqt.explain.mount_roles import Roles
from hqt.launch import TMUX_SETS
from hqt.sandbox import SandboxPolicy
from hqt.sandbox.bwrap import Layer
from hqt.sandbox.mounts import Mount, has, mounts, seen
from hqt.start.plan import Plan
from hqt.start.preview import Preview
from hqt.start.survey import Surveys
from hqt.values import frozen

# looked for on the jail's mounts, so that none is called hidden which is not
_AT_HOME = ".ssh .gnupg .aws .kube .docker .netrc .config .mozilla .bash_history .git-credentials".split()
_OF_MACHINE = "/tmp /var/lib /var/log /run /mnt /media /srv /home /root /boot /sys".split()  # noqa: S108
# of the rules that a mount can have
_ORDER = "project git guard harness cache tool system home jail hidden".split()


@frozen
class Row:
    """Paths of one kind, by the names that they have inside."""

    what: str
    paths: tuple[Path, ...]


@frozen
class Variables:
    """Names only: what a variable holds is never shown."""

    passed: tuple[str, ...]  # as they are outside
    set: tuple[str, ...]  # by hqt


@frozen
class Network:
    on: bool
    means: tuple[str, ...]


@frozen
class Explanation:
    """One jail, as it would be started now; with `sandbox` None there is none."""

    subject: str  # which jail it is
    harness: str
    home: Path
    project: Path
    sandbox: SandboxPolicy | None
    writes: tuple[Row, ...] = ()
    fresh: tuple[Row, ...] = ()  # writable as well; empty at each start and gone with the jail
    reads: tuple[Row, ...] = ()
    hidden: tuple[Row, ...] = ()
    variables: Variables = Variables((), ())
    network: Network = Network(on=True, means=())
    layers: tuple[Layer, ...] = ()
    notes: tuple[str, ...] = ()  # said at the start
    lacks: tuple[str, ...] = ()  # what does not work inside
    remains: tuple[str, ...] = ()  # what stays possible


def explain(foreseen: Preview) -> Explanation:
    """What the agent of that start would see, and what not."""
    surveys, plan = foreseen.surveys, foreseen.plan
    whose = f"session {plan.launch.title}" if plan.launch.key else "a jail with these options"
    label = surveys.harness.label
    if plan.launch.sandbox is None:
        return Explanation(whose, label, surveys.places.home, surveys.cwd, None, notes=plan.notes)
    shown = _Shown(mounts(plan.argv), Roles.of(surveys, plan))
    return Explanation(
        subject=whose,
        harness=label,
        home=surveys.places.home,
        project=surveys.cwd,
        sandbox=plan.launch.sandbox,
        writes=shown.rows(lambda mount: mount.writable and mount.kind == "bind"),
        fresh=shown.rows(lambda mount: mount.writable and mount.kind in ("fresh", "file")),
        reads=shown.rows(lambda mount: not mount.writable and mount.kind == "bind"),
        hidden=tuple(_hidden(shown, surveys)),
        variables=_variables(surveys, plan),
        network=_network(surveys, plan),
        layers=layers(foreseen),
        notes=plan.notes,
        lacks=tuple(lacks(surveys, plan)),
        remains=tuple(remains(surveys, plan)),
    )


@frozen
class _Shown:
    mounts: tuple[Mount, ...]
    roles: Roles

    def rows(self, wanted: Callable[[Mount], bool]) -> tuple[Row, ...]:
        """The places of those mounts by kind; none that lies in another of its kind, or is covered."""
        found: dict[str, list[Path]] = {}
        for mount in sorted(self.mounts, key=lambda mount: _ORDER.index(self.roles(mount).rule)):
            if not wanted(mount) or seen(self.mounts, mount.dst) is not mount:
                continue
            places = found.setdefault(self.roles(mount).label, [])
            if not any(place in mount.dst.parents for place in places):
                places.append(mount.dst)
        return tuple(Row(label, tuple(places)) for label, places in found.items() if places)

    def is_hidden(self, path: Path) -> bool:
        """Whether nothing of the host's `path` is seen, nor anything in it."""
        holds_some = any(path in mount.dst.parents for mount in self.mounts)
        return not holds_some and self.roles(seen(self.mounts, path)).rule in ("home", "hidden", "jail")


def _hidden(shown: _Shown, surveys: Surveys) -> Iterator[Row]:
    home = surveys.places.home
    for what, paths in (
        ("your home, such as", [home / name for name in _AT_HOME]),
        ("hqt's own", surveys.places.own()),
        ("this machine, such as", list(map(Path, _OF_MACHINE))),
    ):
        yield Row(what, tuple(path for path in dict.fromkeys(paths) if shown.is_hidden(path)))


def _variables(surveys: Surveys, plan: Plan) -> Variables:
    outside = surveys.caller.env
    passed = {name for name, value in plan.env.items() if outside.get(name) == value}
    # a session's pane has a terminal of its own
    terminal = set(TMUX_SETS) if plan.launch.key else set()
    return Variables(tuple(sorted(passed - terminal)), tuple(sorted((plan.env.keys() - passed) | terminal)))


def _network(surveys: Surveys, plan: Plan) -> Network:
    if has(plan.argv, "--unshare-net"):
        none = "neither the internet nor this machine's localhost: the jail has an empty one of its own"
        return Network(
            False, (none, "abstract sockets of this machine (D-Bus, X11) are out of reach with it")
        )
    closed = plan.sealed is not None and plan.sealed.scopes
    return Network(
        True,
        (
            "all that this machine reaches, its localhost included: the servers and databases here",
            "abstract sockets of this machine (D-Bus, X11) are closed by Landlock"
            if closed
            else "abstract sockets of this machine (D-Bus, X11) can be reached: see the layers",
        ),
    )
