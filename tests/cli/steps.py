"""Steps of the command-line tests: start, look, and make sure that nothing is left."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from hqt.db import reader
from tests.backends.tmux.terminal import Terminal
from tests.world import World, tmux_servers, wait_until

KEYS = {
    "id",
    "name",
    "project",
    "cwd",
    "harness",
    "state",
    "since",
    "unseen",
    "reason",
    "muted",
    "exit",
    "sandbox",
    "conversation",
    "created_at",
    "note",
}


def new(world: World, script: str, *options: str) -> Any:  # noqa: ANN401  # JSON
    """A session of a shell script, as its JSON."""
    return world.json("new", "--harness", "generic", *options, "--", "sh", "-c", script)


def shown(world: World, session: object) -> Any:  # noqa: ANN401
    """The session as its JSON."""
    done = world.hqt("show", "--json", str(session), cwd=world.home)  # the project may have been moved
    assert (done.returncode, done.stderr) == (0, ""), done
    return json.loads(done.stdout)


def becomes(world: World, session: object, state: str) -> bool:
    """Whether its state is that one soon."""
    return wait_until(lambda: shown(world, session)["state"] == state, within_s=10)


def screen(world: World, session: object) -> str:
    done = world.hqt("capture", str(session), "--lines", "500", cwd=world.home)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def shows(world: World, session: object, text: str) -> bool:
    """Whether `text` is on its screen soon."""
    return wait_until(lambda: text in screen(world, session), within_s=10)


def key(world: World, session: object) -> str:
    return reader.find(world.places, str(session)).key


def tmux(world: World, *command: str) -> subprocess.CompletedProcess[str]:
    """Ask hqt's own server, as a user might."""
    argv = ["tmux", "-N", "-u", "-S", str(world.places.socket), "-f", "/dev/null", *command]
    return subprocess.run(argv, env=world.env, capture_output=True, text=True, check=False, timeout=10)


def press(world: World, session: object, *keys: str) -> None:
    tmux(world, "send-keys", "-t", f"=hqt-{key(world, session)}:", *keys)


def agent_pid(world: World, session: object) -> int:
    """The pane's own process: the agent, or the jail around it."""
    done = tmux(world, "list-panes", "-t", f"=hqt-{key(world, session)}:", "-F", "#{pane_pid}")
    return int(done.stdout)


def panes(world: World) -> list[str]:
    """The names of hqt's tmux sessions; none where no server runs."""
    return sorted(tmux(world, "list-sessions", "-F", "#{session_name}").stdout.split())


def traces(world: World) -> dict[str, list[str]]:
    """All that sessions leave: rows, panes, private folders, launch specs."""
    folder = world.places.data / "sessions"
    return {
        "rows": [row.name for row in reader.rows(world.places)],
        "panes": panes(world) if tmux_servers(world.root) else [],
        "folders": sorted(each.name for each in folder.iterdir()) if folder.exists() else [],
        "specs": sorted(path.name for path in world.places.runtime.glob("spec-*")),
    }


NOTHING: dict[str, list[str]] = {"rows": [], "panes": [], "folders": [], "specs": []}


def refused(done: subprocess.CompletedProcess[str], code: int) -> str:
    """The one sentence of a failure, which has no result."""
    assert (done.returncode, done.stdout) == (code, ""), done
    (line,) = done.stderr.splitlines()
    assert line.startswith("hqt: "), line
    return line.removeprefix("hqt: ")


def attach(terminal: Terminal, window: str, *words: str, **env: str) -> None:
    """Run `hqt WORDS` in a terminal of its own."""
    terminal.run(window, command(*words), {**terminal.world.env, **env})


def sees(terminal: Terminal, window: str, text: str) -> bool:
    """Whether `text` appears in that terminal; a whole hqt may have to start and end first."""
    return wait_until(lambda: text in terminal.screen(window), within_s=15)


def command(*words: str) -> list[str]:
    return [sys.executable, "-P", "-m", "hqt", *words]


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def parsed(text: str) -> Any:  # noqa: ANN401
    return json.loads(text)
