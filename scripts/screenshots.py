"""Pictures of the real screen for the README, in docs/pictures: `make screenshots`.

Sessions, jails and tmux are real, in a scratch home; the agents are shell scripts that draw one screen.
What they would be doing is laid over the look, as a script can't be asked.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from textual.pilot import Pilot

from hqt.backends.base import Size
from hqt.backends.tmux.backend import TmuxBackend
from hqt.db.columns import stamp
from hqt.notifications.bell import Bell
from hqt.observe.views import SessionView, State
from hqt.sandbox import SandboxPolicy
from hqt.start.caller import Caller
from hqt.tui.app import HqtApp, utc_now
from hqt.tui.link.services import Services, Snapshot
from hqt.tui.main.screen import SessionsScreen
from hqt.wiring import here, open_service, tmux_settings

_PICTURES = Path(__file__).parents[1] / "docs/pictures"
_SIZE = (116, 30)  # of the terminal in the picture
_PATIENCE_S = 20
_FONT = "DejaVu Sans Mono"
_RW, _RO, _OFFLINE = SandboxPolicy(), SandboxPolicy("ro", net=False), SandboxPolicy(net=False)
_RED, _GREEN, _BLUE, _GREY, _BOLD, _OFF = (f"\033[{code}m" for code in (31, 32, 34, 90, 1, 0))


@dataclass(frozen=True, slots=True)
class Role:
    """One session of the picture: what its agent draws, and what it is said to be doing."""

    name: str
    project: str
    harness: str
    sandbox: SandboxPolicy | None
    state: State
    minutes: int  # in that state
    screen: str
    reason: str | None = None
    unseen: bool = False


_CAST = (
    Role("dev server", "blog", "generic", None, "running", 190, "listening on port 4000"),
    Role(
        "payment bug",
        "shop",
        "claude",
        _RW,
        "waiting",
        12,
        f"""
{_GREEN}●{_OFF} The totals differ because {_BOLD}cart.py{_OFF} rounds each line
  and {_BOLD}invoice.py{_OFF} rounds once, at the end.

{_GREEN}●{_OFF} {_BOLD}Update{_OFF}(src/cart.py)
  {_GREY}└{_OFF} 41 {_RED}-   sum(round(each, 2) for each in lines){_OFF}
    41 {_GREEN}+   round(sum(lines), 2){_OFF}

{_GREEN}●{_OFF} {_BOLD}Bash{_OFF}(make test)
  {_GREY}└{_OFF} 214 passed in 6.3 s

{_GREEN}●{_OFF} Fixed. Orders from before today hold the old totals.
  Shall I write a migration for them as well?

{_GREY}╭──────────────────────────────────────────────────╮
│{_OFF} {_BLUE}>{_OFF}                                                {_GREY}│
╰──────────────────────────────────────────────────╯{_OFF}
""",
        reason="asks: shall I write a migration for them as well?",
    ),
    Role("feeds", "blog", "claude", _RW, "exited", 25, "connection lost"),
    Role("shop-claude", "shop", "claude", _RW, "working", 3, "reading src/search.py"),
    Role("search index", "shop", "codex", _RW, "idle", 8, "done", unseen=True),
    Role("blog-codex", "blog", "codex", _OFFLINE, "working", 1, "writing tests"),
    Role("review", "shop", "claude", _RO, "idle", 71, "no findings"),
    Role("theme", "blog", "claude", None, "waiting", 4, "npm install?", reason="asks: run npm install?"),
)
_BRANCHES = {"shop": "main", "blog": "feature/dark-mode"}


class StagedDesk(Services):
    """The real one, whose agents are said to do what their roles say."""

    def glance(self) -> Snapshot:
        seen = super().glance()
        return replace(seen, views=tuple(map(_staged, seen.views)))


def _staged(view: SessionView) -> SessionView:
    role = next(role for role in _CAST if role.name == view.name)
    since = stamp(utc_now() - timedelta(minutes=role.minutes))
    if role.state == "exited":
        return replace(view, since=since, ended_at=since if view.ended_at else None)
    return replace(view, state=role.state, since=since, reason=role.reason, unseen=role.unseen)


def main() -> int:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("chromium is missing: `apt-get install chromium fonts-dejavu-core`", file=sys.stderr)
        return 1
    _PICTURES.mkdir(exist_ok=True)
    with _scratch() as desk:
        asyncio.run(_take(desk, chromium))
    return 0


@contextmanager
def _scratch() -> Iterator[Services]:
    """A home with two projects and every role's session, in which this process is from now on."""
    root = Path(tempfile.mkdtemp(prefix="hqt-"))
    home = root / "home"
    for folder in (home / ".local/bin", home / ".claude", home / ".codex", root / "run"):
        folder.mkdir(parents=True, mode=0o700)
    os.environ.clear()
    os.environ.update(
        HOME=str(home),
        PATH=f"{home}/.local/bin:/usr/local/bin:/usr/bin:/bin",
        LANG="C.UTF-8",
        TERM="xterm-256color",
        SHELL="/bin/sh",
        XDG_RUNTIME_DIR=str(root / "run"),
    )
    _furnish(home)
    found, caller = here(), Caller.current()
    backend = TmuxBackend(tmux_settings(found, caller))
    desk = StagedDesk(found, caller, backend, open_service, Bell(found))
    try:
        for role in _CAST:
            _start(desk, role, home)
        yield desk
    finally:
        backend.shutdown()
        os.chdir("/")
        shutil.rmtree(root)


def _furnish(home: Path) -> None:
    for project, branch in _BRANCHES.items():
        folder = home / "src" / project
        folder.mkdir(parents=True)
        subprocess.run(("git", "init", "-q", "-b", branch), cwd=folder, check=True)
    (home / ".claude.json").write_text('{"hasCompletedOnboarding": true}')
    (home / ".claude/.credentials.json").write_text("{}")
    (home / ".codex/auth.json").write_text("{}")
    for harness in ("claude", "codex"):
        program = home / ".local/bin" / harness
        program.write_text(_script(harness))
        program.chmod(0o755)
    os.chdir(home / "src/shop")


def _script(harness: str) -> str:
    """A program that draws the screen of the role that its prompt names; before a start it knows all."""
    screens = (
        f'"draw {role.name}") cat <<"END"\n{role.screen}\nEND\n'
        f"{'sleep 4; exit 3' if role.state == 'exited' else ''};;\n"
        for role in _CAST
        if role.harness == harness
    )
    return f"""#!/bin/sh
case " $* " in
*" --version "*) exec echo "2.1.197 (Claude Code)";;
*" --help "*) exec echo "--session-id --resume --settings --dangerously-skip-permissions
    --dangerously-bypass-approvals-and-sandbox --config";;
esac
for prompt; do :; done
case $prompt in
{"".join(screens)}esac
exec cat >/dev/null
"""


def _start(desk: Services, role: Role, home: Path) -> None:
    is_command = role.harness == "generic"
    desk.service.create_session(
        home / "src" / role.project,
        role.harness,
        name=role.name,
        sandbox=role.sandbox,
        args=("sh", "-c", f"echo {role.screen}; exec cat") if is_command else (),
        prompt=None if is_command else f"draw {role.name}",
        size=Size(*_SIZE),
    )


async def _take(desk: Services, chromium: str) -> None:
    app = HqtApp(desk, SessionsScreen)
    async with app.run_test(size=_SIZE) as pilot:
        await _shown(app, pilot, "214 passed", "exited (3)")
        _draw(app, chromium, "sessions")
        await pilot.press("N")
        await _shown(app, pilot, "Sandboxed", "ssh, gh")
        await pilot.press(*"find out why the search is slow")
        _draw(app, chromium, "new-session")
        await pilot.press("escape")
        app.theme = "textual-light"
        await pilot.press("t")
        await _shown(app, pilot, "Writable, kept")
        _draw(app, chromium, "light-jail")


async def _shown(app: HqtApp, pilot: Pilot[None], *words: str) -> None:
    for _ in range(_PATIENCE_S * 10):
        await pilot.pause(0.1)
        drawn = app.export_screenshot().replace("&#160;", " ")
        if all(word in drawn for word in words):
            return
    raise SystemExit(f"the screen never showed {' and '.join(words)}")


def _draw(app: HqtApp, chromium: str, name: str) -> None:
    drawn = re.sub(r"@font-face \{.*?\}", "", app.export_screenshot(), flags=re.DOTALL)
    drawn = drawn.replace("Fira Code", _FONT)
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn)
    width, height = (round(float(each)) for each in size.groups()) if size else _SIZE
    with tempfile.TemporaryDirectory(prefix="hqt-picture-") as folder:
        source = Path(folder, f"{name}.svg")
        source.write_text(drawn)
        argv = [chromium, "--headless", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}"]
        argv += ["--host-resolver-rules=MAP * ~NOTFOUND", f"--window-size={width},{height}"]
        argv += ["--no-sandbox"] if os.geteuid() == 0 else []  # chromium refuses root otherwise
        argv += [f"--screenshot={_PICTURES / name}.png", source.as_uri()]
        subprocess.run(argv, check=True, capture_output=True)


if __name__ == "__main__":
    sys.exit(main())
