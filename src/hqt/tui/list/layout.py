"""What the list shows, line by line: one look at everything turned into texts of one width. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from hqt.formatting import age, jail_words
from hqt.observe.order import in_order
from hqt.observe.views import SessionView
from hqt.tui.cells import fit, plain, width
from hqt.tui.link.services import Snapshot
from hqt.tui.list.states import Role, Shown, busy, shown
from hqt.values import field, frozen

_TIME = 4
_NAME_WANTED = 20  # cells that a long name gets before harness and branch do
_NAME_MIN = 8  # … and before the time does
_MUTED = " muted"  # after the name
_BRANCH_MAX, _BRANCH_SHORT = 16, 10
_HARNESS_MAX = 12


@frozen
class Scene:
    """All that the list depends on."""

    glance: Snapshot
    now: datetime
    wanted: str = ""  # the filter, as typed
    marked: frozenset[str] = frozenset()
    doing: Mapping[str, str] = field(default_factory=dict)  # what hqt does with a session now, by its key
    leaving: Mapping[str, str] = field(default_factory=dict)  # what is said of one about to be deleted


class Span(NamedTuple):
    text: str
    role: Role = "plain"


@frozen
class Line:
    """One line; its first cell is left free for the cursor."""

    spans: tuple[Span, ...]
    key: str | None = None  # the session's; None: no session can be chosen here

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


class _Columns(NamedTuple):
    """Widths in cells; 0: not shown."""

    state: int
    name: int
    harness: int
    jail: int
    branch: int
    time: int


def arrange(scene: Scene, cells: int) -> tuple[Line, ...]:
    """The lines, each exactly `cells` wide: projects by their most urgent session, sessions by urgency."""
    views = matching(scene)
    if not views:
        return tuple(_line([Span(text, "muted")], cells) for text in _nothing(scene))
    columns = _columns(views, scene, cells)
    return tuple(
        chain.from_iterable(
            (_head(project, group, views, cells), *(_row(view, scene, columns, cells) for view in group))
            for project, group in _by_project(views).items()
        )
    )


def matching(scene: Scene) -> tuple[SessionView, ...]:
    """The sessions in which every word of the filter is found, in their order of urgency."""
    words = scene.wanted.casefold().split()
    ordered = in_order(scene.glance.views)
    return tuple(view for view in ordered if all(word in _searched(view, scene) for word in words))


def _searched(view: SessionView, scene: Scene) -> str:
    branch = scene.glance.branches.get(view.project, "")
    muted = _MUTED if view.muted else ""
    said = (view.name, muted, str(view.project), view.harness, shown(view).word, jail_words(view), branch)
    return "\n".join(said).casefold()


def _nothing(scene: Scene) -> tuple[str, ...]:
    if scene.glance.views:
        return (" nothing matches the filter: esc shows all",)
    return (
        " No sessions yet.",
        "",
        " n    starts an agent in a folder",
        " N    starts one in a jail",
        " q, then `hqt demo`, shows what a jail does",
    )


def _by_project(views: Iterable[SessionView]) -> dict[Path, list[SessionView]]:
    groups: dict[Path, list[SessionView]] = {}
    for view in views:
        groups.setdefault(view.project, []).append(view)
    return groups


def _head(project: Path, group: list[SessionView], views: Iterable[SessionView], cells: int) -> Line:
    name = group[0].project_name
    is_ambiguous = any(view.project_name == name and view.project != project for view in views)
    spans = [Span(f" {plain(name)}", "project")]
    return _line([*spans, Span(f"  {plain(str(project))}", "muted")] if is_ambiguous else spans, cells)


def _row(view: SessionView, scene: Scene, columns: _Columns, cells: int) -> Line:
    mark = Span(" *" if view.key in scene.marked else "  ")
    if view.key in scene.leaving:
        said = Span(f"{scene.leaving[view.key]}  ", "failed")
        return _line([mark, said, Span(plain(view.name), "muted")], cells, view.key)
    state = _state(view, scene)
    jail = jail_words(view)
    spans = [
        mark,
        Span(fit(f"{state.sign} {state.word}", columns.state) + " ", state.role),
        *_named(view, columns.name),
        *_optional(view.harness, columns.harness),
        Span(fit(jail, columns.jail) + " ", _JAIL_ROLES.get(jail, "plain")),
        *_optional(scene.glance.branches.get(view.project, ""), columns.branch),
        *_optional(age(view.since, scene.now) if view.since else "", columns.time),
        Span("!" if view.note or view.invalid else " ", "waiting"),
    ]
    return _line(spans, cells, view.key)


_JAIL_ROLES: dict[str, Role] = {"OPEN": "open", "INVALID": "failed"}


def _named(view: SessionView, cells: int) -> Iterator[Span]:
    """The name; of a muted session it leaves room to say so, unless next to nothing of it were left.

    No column is made wider for that: by a key that mutes, the others would come and go.
    """
    name, rest = plain(view.name), cells - len(_MUTED)
    if not view.muted or rest < _NAME_MIN:
        yield from _optional(name, cells, "plain")
        return
    short = fit(name, min(width(name), rest))
    yield Span(short)
    yield from _optional(_MUTED, cells - width(short))


def _state(view: SessionView, scene: Scene) -> Shown:
    return busy(scene.doing[view.key]) if view.key in scene.doing else shown(view)


def _optional(text: str, cells: int, role: Role = "muted") -> Iterator[Span]:
    if cells:
        yield Span(fit(plain(text), cells) + " ", role)


def _columns(views: Iterable[SessionView], scene: Scene, cells: int) -> _Columns:
    """Narrow lists have no harness, then no branch, then no time; state and jail always stand there."""
    state = max(2 + width(_state(view, scene).word) for view in views)
    branches = scene.glance.branches
    harness = min(max(width(plain(view.harness)) for view in views), _HARNESS_MAX)
    branch = min(max(width(plain(branches.get(view.project, ""))) for view in views), _BRANCH_MAX)
    name = min(max(width(plain(view.name)) for view in views), _NAME_WANTED)
    jail = max(map(len, map(jail_words, views)))
    rest = cells - (2 + state + 1 + 1 + jail + 1 + 1)
    short = min(branch, _BRANCH_SHORT)
    for kept in ((harness, branch), (0, branch), (0, short), (0, 0)):
        left = rest - sum(each + 1 for each in (*kept, _TIME) if each)
        if left >= (name if any(kept) else min(name, _NAME_MIN)):
            return _Columns(state, left, kept[0], jail, kept[1], _TIME)
    return _Columns(state, max(rest, 0), 0, jail, 0, 0)


def _line(spans: Iterable[Span], cells: int, key: str | None = None) -> Line:
    """Cut or filled to exactly `cells`."""
    fitted, left = [], cells
    for span in spans:
        text = span.text if width(span.text) <= left else fit(span.text.rstrip(), left)
        fitted.append(span._replace(text=text))
        left -= width(text)
    return Line((*fitted, Span(" " * left)), key)
