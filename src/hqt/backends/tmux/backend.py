"""The tmux backend: one server of hqt's own, one session for each agent."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from pathlib import Path

from hqt.backends.base import Attach, Attended, Face, Pane, Panes, Size, SpawnRequest
from hqt.backends.processes import Held, descendants, is_alive
from hqt.backends.tmux import commands, files, parse, screen, server, terminal, userfile
from hqt.backends.tmux.client import Client, NoServer, Reader, Refused, outside_tmux
from hqt.backends.tmux.conf import conf_text, held_text
from hqt.backends.tmux.settings import TmuxSettings
from hqt.errors import BackendError
from hqt.paths import make_private

_GRACE_S = 3.0
_SCREENS_MAX = 100  # of one call, whose words hold 16 KB
_TICK_S = 1.0
_NOTICE_S = 0.05  # what tmux takes to notice an end that it does not miss


class TmuxBackend:
    """Implements `Backend`; tmux alone knows what lives, nothing is remembered here."""

    def __init__(self, settings: TmuxSettings, reader: Reader | None = None) -> None:
        """`reader`: what asks for panes and screens, where they are asked for often."""
        self.settings = settings
        self._client = Client.of(settings)
        self._reader = reader or self._client

    def spawn(self, request: SpawnRequest) -> None:
        """Start it in a new pane of its size; BackendError where one of that key is there already."""
        self._configure()
        spec = files.write_spec(self.settings.runtime, request)
        try:
            self._start(request, spec)
        except BackendError:
            spec.unlink(missing_ok=True)
            raise

    def panes(self) -> Panes:
        """Every agent's pane, in one call; starts no server."""
        return self._panes()

    def kill(self, key: str) -> None:
        """Remove the pane, its session and a spec that no launcher took; none of that key is no error."""
        self._run_if_there(key, commands.kill_session(key))
        files.discard_specs(self.settings.runtime, key)

    def rename(self, key: str, title: str) -> None:
        """Show another title; none of that key is no error."""
        self._run_if_there(key, commands.set_title(key, title))

    def attach_command(self, key: str, env: Mapping[str, str]) -> Attach:
        """What a terminal whose environment is `env` runs to enter the pane; starts no server."""
        self._configure()
        source, note = self._sourced()
        if env.get("TMUX", "").startswith(f"{self.settings.socket},"):
            return Attach(self._client.argv(*source, commands.switch_client(key)), dict(env), note)
        passed, unknown = terminal.environment(outside_tmux(env))
        argv = self._client.argv(*source, commands.attach(key), features=terminal.features(env))
        return Attach(argv, passed, "; ".join(filter(None, (note, unknown))) or None)

    def attend(self, command: Attach, tick: Callable[[], None]) -> Attended:
        """Run `attach_command` in this terminal until it comes home; `tick` at once and every second.

        An agent that ends meanwhile sends it home, also where tmux missed the end, and whichever of them it
        shows by then.
        """
        # tmux draws on its stdin; of the others only its last words come
        pipe = subprocess.PIPE
        with subprocess.Popen(list(command.argv), env=dict(command.env), stdout=pipe, stderr=pipe) as client:
            try:
                tick()
                while client.poll() is None:
                    self._watch(client.pid, tick)
            except BaseException:
                client.terminate()  # who waits for it is ended: tmux gives the terminal back as it was
                raise
            said, complaint = client.communicate()
        last = parse.last_session(said.decode(errors="replace"))
        return Attended(client.returncode, last, complaint.decode(errors="replace").strip())

    def switch(self, client: str, key: str) -> None:
        """Let a terminal that is inside show another session; `client`: tmux's name of it."""
        self._client.run(commands.switch_client(key, client))

    def tell(self, client: str, sentence: str) -> None:
        """Show a sentence in a terminal that is inside, for a moment."""
        self._client.run(commands.tell(client, sentence))

    def announce(self, waiting: Set[str]) -> None:
        """Show inside how many others wait; `waiting`: the keys of all sessions that need their human."""
        with suppress(NoServer):
            self._client.run(*commands.announce(waiting))

    def capture(self, key: str, *, lines: int | None, ansi: bool) -> list[str]:
        """The agent's screen, top first, right-trimmed; `lines`: that many last rows of screen and history.

        Of control characters only colours remain, with `ansi`. The text of an agent that ended may have
        left its screen: then as many last rows as fit on it.
        """
        pane = self._pane(key)
        start = f"-{lines}" if lines is not None else "-" if pane.dead else "0"
        height, _, text = self._reader.run(*commands.capture(pane.pane, start)).partition("\n")
        rows = screen.rows(text, ansi=ansi)
        return rows[max(0, len(rows) - (int(height) if lines is None else lines)) :]

    def screens(self, panes: Sequence[Pane]) -> Mapping[str, list[str]]:
        """What is on their screens now, by key, without colours; in one call for all."""
        found: dict[str, list[str]] = {}
        for first in range(0, len(panes), _SCREENS_MAX):
            some = panes[first : first + _SCREENS_MAX]
            fence = os.urandom(16).hex()
            text = self._reader.run(*commands.screens([pane.pane for pane in some], fence)) + "\n"
            shown = text.split(f"{fence}\n")
            found |= {
                pane.key: screen.rows(each, ansi=False) for pane, each in zip(some, shown, strict=False)
            }
        return found

    def face(self, pane: Pane) -> Face:
        """What is on its screen now, and where its cursor stands."""
        where, _, text = self._reader.run(*commands.face(pane.pane)).partition("\n")
        column, row = map(int, where.split())
        return Face(tuple(screen.rows(text, ansi=False)), column, row)

    def send(self, key: str, text: str, *, enter: bool) -> None:
        """Type `text` literally into the agent's pane, as one paste where the agent asked to be told."""
        pane = self._pane(key)
        if pane.dead:
            raise BackendError(f"the agent of session {key} has ended: resume it before sending")
        typed = commands.paste(pane.pane, f"hqt-{os.urandom(8).hex()}") if text else ()
        self._client.run(*typed, *([commands.press_enter(pane.pane)] if enter else []), stdin=text)

    def version(self) -> str:
        """What `tmux -V` prints."""
        return self._client.version()

    def shutdown(self) -> None:
        """End the server with every agent, leaving no process and no socket; for demo and tests."""
        seen = self.panes()
        if seen.server is not None:
            live = (pane.pid for pane in seen.panes if not pane.dead)
            _end({seen.server}.union(*map(descendants, live)))
        self.settings.socket.unlink(missing_ok=True)

    def _watch(self, client: int, tick: Callable[[], None]) -> None:
        """Wait until the client or any agent ends; a look then finds an end that tmux missed."""
        live = [pane.pid for pane in self.panes().panes if not pane.dead and is_alive(pane.pid)]
        with Held() as held:
            held.add((client, *live))
            if client not in held.pids:
                return
            while not held.wait_any(_TICK_S):
                tick()
            if not held.wait(0, client):
                time.sleep(_NOTICE_S)

    def _panes(self, key: str | None = None) -> Panes:
        """What is seen of all, or of the session of `key` alone.

        A server found without its socket is looked at twice: it may be about to make or to lose it.
        """
        for wait_s in (0.0, 0.1):
            time.sleep(wait_s)
            try:
                return self._settled(self._look(key), key)
            except NoServer:
                found = server.find_server(self.settings.socket)
                if found is None:
                    return Panes("down")
        return Panes("unreachable", server=found)

    def _look(self, key: str | None) -> Panes:
        found = parse.server(self._reader.run(*commands.list_panes(key)))
        if found is None:
            raise BackendError("tmux did not tell of all sessions: try again")
        pid, panes = found
        return Panes("up", panes, pid)

    def _settled(self, seen: Panes, key: str | None) -> Panes:
        """`seen`, with the ends that tmux missed.

        Below 3.5, where it is built with utempter, tmux loses the SIGCHLD of one end in five: the pane is
        dead without a status, its hook did not run, and both wait for another signal (tmux issue 311).
        """
        for _ in range(10):
            if seen.server is None or not any(map(_is_missed, seen.panes)):
                break
            os.kill(seen.server, signal.SIGCHLD)
            time.sleep(0.01)
            seen = self._look(key)
        return seen

    def _start(self, request: SpawnRequest, spec: Path) -> None:
        said = self.settings
        argv = (str(said.python), "-I", "-S", str(said.launcher), str(spec))
        steps = (
            commands.new_session(request.key, _inside(request.size), argv),
            commands.remember_pane(request.key),
            commands.set_title(request.key, request.title),
            commands.set_jail(request.key, request.jail),
        )
        try:
            self._run_new(request.key, steps)
        except NoServer:
            self._refuse_unreachable()
            # apart, because the words of the call that starts it stay the server's command line in `ps`
            self._client.run(commands.START_SERVER, start=True)
            self._run_new(request.key, steps)

    def _run_new(self, key: str, steps: tuple[commands.Command, ...]) -> None:
        source, _ = self._sourced()
        try:
            self._client.run(*source, *steps)
        except Refused as refused:
            if "duplicate session" in refused.said:
                raise BackendError(f"session {key} has a pane already: attach to it or stop it") from refused
            self.kill(key)  # a half made one must not stay
            raise

    def _sourced(self) -> tuple[tuple[commands.Command, ...], str | None]:
        """What a chain begins with so that the configuration holds, and what tmux says of the user's file.

        That one is read by a call of its own: what is wrong in it must not fail the chain.
        """
        said = self.settings
        if said.user_file is None:
            return (commands.source(said.config),), None
        try:
            self._client.run(*map(commands.source, (said.config, said.user_file, said.held)))
        except Refused as refused:
            return (), f"tmux says of {said.user_file}: {refused.first}"
        return (), None

    def _refuse_unreachable(self) -> None:
        seen = self.panes()
        if seen.reach == "unreachable":
            raise BackendError(self._unreachable(seen.server))

    def _unreachable(self, pid: int | None) -> str:
        socket = self.settings.socket
        return (
            f"tmux's server (pid {pid}) lives but its socket {socket} is gone: "
            f"run `{server.revive_command(socket, pid)}`, which makes it anew"
        )

    def _run_if_there(self, key: str, command: commands.Command) -> None:
        try:
            self._client.run(command)
        except NoServer:
            self._refuse_unreachable()
        except Refused:
            # tmux has several sentences for "not there", by version and number of sessions
            if self.panes().of(key) is not None:
                raise

    def _pane(self, key: str) -> Pane:
        seen = self._panes(key)
        if seen.reach == "unreachable":
            raise BackendError(self._unreachable(seen.server))
        pane = seen.of(key)
        if pane is None:
            raise BackendError(f"session {key} has no pane: resume it")
        return pane

    def _configure(self) -> None:
        """Write the configuration where its text changed; each spawn and attach has the server read it."""
        said = self.settings
        if said.user_file is not None:
            userfile.judge(said.user_file, said.suspect)
        for folder in {said.runtime, said.socket.parent}:
            make_private(folder)
        files.write_config(said.config, conf_text(said))
        if said.user_file is not None:
            files.write_config(said.held, held_text(said))


def _inside(terminal: Size) -> Size:
    """What a terminal of that size leaves to the agent: the status line has the last row."""
    return Size(terminal.columns, max(1, terminal.rows - 1))


def _is_missed(pane: Pane) -> bool:
    """Whether it ended and tmux has not waited for it: it is there, but as a zombie."""
    explained = not pane.dead or pane.status is not None or pane.signal is not None
    return not explained and Path(f"/proc/{pane.pid}").exists() and not is_alive(pane.pid)


def _end(pids: set[int]) -> None:
    with Held() as held:
        held.add(pids)
        held.send(signal.SIGTERM)
        if not held.wait(_GRACE_S):
            held.send(signal.SIGKILL)
            held.wait(_GRACE_S)
