"""The real `hqt`, run as a person would, in the demo's own world."""

import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

from hqt.demo.stage import Stage
from hqt.errors import ServiceError
from hqt.values import frozen

_LIMIT_S = 60.0


class Done(NamedTuple):
    code: int
    out: str
    err: str


@frozen
class Commands:
    """Every command but `attempt` must succeed: ServiceError tells which did not, and its own words."""

    stage: Stage
    leave_if_asked: Callable[[], None]  # raises where the person has had enough

    def text(self, *args: str) -> str:
        """How a person would type it."""
        return shlex.join(("hqt", *args)).replace(str(self.stage.home), "~")

    def lines(self, *args: str) -> list[str]:
        return self._succeed(args).out.splitlines()

    def session(self, name: str) -> Mapping[str, object]:
        """The documented object of one session."""
        return cast(Mapping[str, object], json.loads(self._succeed(("show", name, "--json")).out))

    def attempt(self, *args: str) -> Done:
        """Run it to its end; before and after it the demo may be left."""
        self.leave_if_asked()
        try:
            done = subprocess.run(
                (sys.executable, "-I", "-m", "hqt", *args),
                env=dict(self.stage.env),
                cwd=self.stage.project,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # Ctrl-C is the demo's alone
                timeout=_LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ServiceError(
                f"`{self.text(*args)}` has not ended within {_LIMIT_S:.0f} s: see `hqt doctor`"
            ) from error
        self.leave_if_asked()
        return Done(done.returncode, done.stdout, done.stderr)

    def _succeed(self, args: Sequence[str]) -> Done:
        done = self.attempt(*args)
        if done.code != 0:
            said = " ".join(done.err.split()).removeprefix("hqt: ") or "no word"
            raise ServiceError(f"`{self.text(*args)}` failed with {done.code} ({said}): see `hqt doctor`")
        return done
