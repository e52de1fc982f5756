"""What keeps an agent alive: the request, what is seen of it, and the operations."""

from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from typing import Literal, Protocol

from hqt.sandbox.policy import Copy
from hqt.values import field, frozen


@frozen
class Size:
    columns: int
    rows: int


@frozen
class Source:
    """A host path that a jail shows, and what lay there when it was judged."""

    path: Path
    device: int
    inode: int


@frozen
class Seal:
    """What the launcher does to itself before it becomes a jail."""

    filter: bytes  # for bwrap's --seccomp
    scopes: bool  # keep abstract sockets and signals inside, by Landlock
    sources: tuple[Source, ...] = ()  # checked once more: a link may have taken a place since


@frozen
class SpawnRequest:
    """All that a pane runs; complete, nothing is inherited."""

    key: str  # 8 hex digits; names the tmux session
    title: str  # shown to people, never handed to tmux as a format
    jail: str  # how it is confined, in the words that people see: `rw net`, `OPEN`
    argv: tuple[str, ...]
    cwd: Path  # exists; the launcher enters it
    env: Mapping[str, str]
    copies: tuple[Copy, ...]  # in the order of the descriptors that argv names
    status: Path | None  # where the launcher and bwrap tell of the start and the end
    seal: Seal | None  # None: an open session
    umask: int
    size: Size  # of the terminal that will show it


@frozen
class Pane:
    """One agent's pane as tmux sees it. A dead one is kept, with its last screen, until killed."""

    key: str
    pane: str  # %n
    pid: int
    dead: bool
    status: int | None  # exit status, once dead
    signal: int | None  # signal that ended the pane's own process, once dead
    title: str
    said: str = ""  # the title that the agent gave its terminal: its own words
    rang: bool = False  # a bell that nobody has looked at
    printed_at: int | None = None  # Unix time, when it last printed
    watched: bool = False  # a terminal shows it


@frozen
class Face:
    """What is on a pane's screen in one moment."""

    rows: tuple[str, ...]  # top first, right-trimmed, without colours and blank ones at the end
    column: int = 0  # of the cursor, as `row` from 0
    row: int = 0


Reach = Literal["up", "down", "unreachable"]


@frozen
class Panes:
    """One look at every pane. `unreachable`: the server lives but its socket is gone."""

    reach: Reach
    panes: tuple[Pane, ...] = ()
    server: int | None = None  # the server's pid where it is up or unreachable
    _first: Mapping[str, Pane] = field(init=False)  # by key

    def __post_init__(self) -> None:
        # made once: each of a hundred sessions asks several times a look
        object.__setattr__(self, "_first", {pane.key: pane for pane in reversed(self.panes)})

    def of(self, key: str) -> Pane | None:
        return self._first.get(key)


class Backend(Protocol):
    """A keeper of panes. Every method raises BackendError with one sentence."""

    def spawn(self, request: SpawnRequest) -> None:
        """Start it in a new pane; BackendError where one of that key is there already."""

    def panes(self) -> Panes:
        """Every agent's pane, in one call; starts no server."""

    def kill(self, key: str) -> None:
        """Remove the pane and what is left of its session; none of that key is no error."""

    def rename(self, key: str, title: str) -> None:
        """Show another title; none of that key is no error."""

    def attach_command(self, key: str, env: Mapping[str, str]) -> "Attach":
        """What a terminal runs to enter the pane."""

    def attend(self, command: "Attach", tick: Callable[[], None]) -> "Attended":
        """Run `command` in this terminal until it comes home, as it does when the agent shown ends.

        `tick` is called at once and then every second.
        """

    def switch(self, client: str, key: str) -> None:
        """Let a terminal that is inside show another session; `client`: the backend's name of it."""

    def tell(self, client: str, sentence: str) -> None:
        """Show a sentence in a terminal that is inside, for a moment."""

    def announce(self, waiting: Set[str]) -> None:
        """Show inside how many others wait; `waiting`: the keys of all sessions that need their human."""

    def capture(self, key: str, *, lines: int | None, ansi: bool) -> list[str]:
        """The pane's screen, top first, right-trimmed; `lines`: that many last rows of screen and history."""

    def screens(self, panes: Sequence[Pane]) -> Mapping[str, list[str]]:
        """What is on their screens now, by key, without colours; in one call for all."""

    def face(self, pane: Pane) -> Face:
        """What is on its screen now, and where its cursor stands."""

    def send(self, key: str, text: str, *, enter: bool) -> None:
        """Type `text` literally into the pane."""


@frozen
class Attach:
    argv: Sequence[str]
    env: Mapping[str, str]
    note: str | None = None  # such as a TERM that tmux does not know


@frozen
class Attended:
    """How a terminal came home."""

    code: int
    last: str | None = None  # the key of the session that it showed last, where tmux told
    said: str = ""  # what tmux complained of
