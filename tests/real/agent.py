"""A real agent in a world of its own, its model a fake: start it, read its screen, type into it."""

import subprocess
import time
from dataclasses import dataclass
from typing import Any

from tests.fakes.http import FakeServer
from tests.fakes.script import Talk
from tests.real.kinds import Kind
from tests.world import World, wait_until

PLANTED = "a private key that nobody may see"

_ANSWER_S = 180.0  # opencode paints its first screen after 20 s, and after a minute on a busy machine
_SETTLE_S = 0.5


@dataclass(frozen=True, slots=True)
class Agent:
    kind: Kind
    world: World
    model: FakeServer

    def start(self, prompt: str, *options: str) -> Any:  # noqa: ANN401  # JSON, as World.json
        """`hqt new`, jailed, with a prompt; the session as JSON."""
        return self.world.json("new", "--harness", self.kind.harness, "-s", *options, "--prompt", prompt)

    def screen(self, session: str = "1") -> str:
        done = self.world.hqt("capture", session)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def wait_for(self, text: str, session: str = "1") -> None:
        """Return once the screen shows `text`."""
        assert wait_until(lambda: text in self.screen(session), within_s=_ANSWER_S), (
            f"no {text!r} on\n{self.screen(session)}"
        )

    def type(self, prompt: str, session: str = "1") -> None:
        """Type a prompt and submit it, once; `session`: the one that was started last."""
        # as a paste: codex takes fast typing for one, and an Enter just after it for a new line
        self._tmux(
            "set-buffer",
            "-b",
            "prompt",
            prompt,
            ";",
            "paste-buffer",
            "-dp",
            "-b",
            "prompt",
            "-t",
            self._pane(),
        )
        # claude drops an Enter that comes before it has shown what was pasted, gemini one just after it
        self.wait_for(prompt, session)
        time.sleep(_SETTLE_S)
        self.press("Enter")

    def press(self, *keys: str) -> None:
        """Press keys, as tmux names them, in the session that was started last."""
        self._tmux("send-keys", "-t", self._pane(), *keys)

    def pid(self) -> int:
        """The process in the pane of the session that was started last."""
        return int(self._tmux("display-message", "-p", "-t", self._pane(), "#{pane_pid}"))

    def talks(self) -> list[Talk]:
        """What the model was told, request by request; those on the side, such as for a title, left out."""
        return [self.kind.read_talk(request.body) for request in self.model.log if request.body.get("tools")]

    def everything_told(self) -> str:
        """All that left the jail: to the model and to the screen."""
        return repr(self.model.log) + self.screen()

    def _pane(self) -> str:
        """That of the session that was started last."""
        listed = self._tmux("list-panes", "-a", "-F", "#{session_id} #{session_name} #{pane_id}").splitlines()
        panes = {
            int(number[1:]): pane for number, name, pane in map(str.split, listed) if name.startswith("hqt-")
        }
        return panes[max(panes)]

    def _tmux(self, *command: str) -> str:
        argv = ["tmux", "-u", "-S", str(self.world.places.socket), "-f", "/dev/null", *command]
        done = subprocess.run(argv, env=self.world.env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout
