"""Looks for tests: sessions in every state, as they stand at one moment."""

from datetime import UTC, datetime
from pathlib import Path

from hqt.observe.views import Exit
from hqt.sandbox import SandboxPolicy
from hqt.tui.link.services import Snapshot
from hqt.tui.list.layout import Scene
from hqt.values import replace
from tests.tui.sample import view

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
SHOP, BLOG, OTHER_SHOP = Path("/home/a/shop"), Path("/home/a/blog"), Path("/srv/shop")
_OFFLINE = SandboxPolicy(fs="ro", net=False)


def _on(project: Path) -> dict[str, object]:
    return {"project": project, "project_name": project.name, "cwd": project, "given": project}


VIEWS = (
    view(1, name="shop-claude", state="working", since="2026-06-10T11:58:00Z"),
    view(2, name="payment bug", state="waiting", since="2026-06-10T11:56:00Z", reason="may it run make?"),
    view(3, name="search", state="idle", unseen=True, since="2026-06-10T11:30:00Z", harness="codex"),
    view(4, name="docs", state="idle", since="2026-06-10T10:00:00Z", sandbox=_OFFLINE),
    view(5, name="blog-codex", state="waiting", since="2026-06-10T11:50:00Z", sandbox=None, **_on(BLOG)),
    view(6, name="theme", state="exited", exit=Exit(code=3), since="2026-06-10T11:59:30Z", **_on(BLOG)),
    view(7, name="feed", state="exited", exit=Exit(code=0), since="2026-06-09T12:00:00Z", **_on(BLOG)),
    view(8, name="build", state="exited", exit=Exit(signal=9), since="2026-06-10T11:00:00Z", note="left"),
    view(9, name="lost one", state="lost", **_on(OTHER_SHOP)),
    view(10, name="shell", state="running", harness="generic", sandbox=None, since="2026-06-10T11:59:59Z"),
    view(11, name="odd", state="broken", invalid="its policy can't be read", sandbox=None),
    view(12, name="new", state="starting", since="2026-06-10T12:00:00Z"),
    view(13, name="old", state="stopped", exit=Exit(signal=15), since="2026-06-08T12:00:00Z"),
    view(14, name="alone", state="unreachable", since="2026-06-10T09:00:00Z"),
)
BRANCHES = {SHOP: "main", BLOG: "feature/dark-mode"}
EVERY_STATE = Scene(Snapshot(VIEWS, BRANCHES), NOW)


def scene(*names: str) -> Scene:
    """Sessions that differ by their names alone."""
    views = tuple(
        replace(view(number), name=name, since="2026-06-10T11:00:00Z")
        for number, name in enumerate(names, start=1)
    )
    return Scene(Snapshot(views, {SHOP: "main"}), NOW)
