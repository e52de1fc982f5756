"""tmux commands as words: one chained call per operation, nothing in a user's text means anything to tmux."""

import os
import re
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from hqt.backends.base import Size
from hqt.backends.tmux.conf import quote
from hqt.backends.tmux.parse import END, LISTING, SAID
from hqt.errors import BackendError

Command = tuple[str, ...]

START_SERVER: Command = ("start-server",)

_KEY = re.compile(r"[0-9a-f]{8}")
_GLOB = re.compile(r"([*?\[\]{}\\~])")


def chain(*commands: Command) -> list[str]:
    """The argv words that run `commands` in turn; the first that fails, source-file apart, ends the chain."""
    return [word for number, command in enumerate(commands) for word in _words(command, first=not number)]


def line(*commands: Command) -> str:
    """The same as one line for a client in control mode."""
    text = " ; ".join(" ".join(map(quote, command)) for command in commands)
    if "\n" in text:
        raise BackendError(f"{text!r} is more than one line for tmux: report this as a bug")
    return text


def _words(command: Command, *, first: bool) -> Iterator[str]:
    if not first:
        yield ";"
    for word in command:
        # a word that ends in ; separates commands, one that ends in \; is that word with a ; (tmux(1))
        yield f"{word[:-1]}\\;" if word.endswith(";") else word


def session_name(key: str) -> str:
    """The opaque name of a session: titles are formats to tmux and would be run."""
    if not _KEY.fullmatch(key):
        raise BackendError(f"{key!r} is no session key of 8 hex digits: see `hqt list`")
    return f"hqt-{key}"


def session_target(key: str) -> str:
    """Exactly that session: without = a prefix of its name would do."""
    return f"={session_name(key)}"


def _in_session(key: str) -> str:
    return f"={session_name(key)}:"


def source(config: Path) -> Command:
    return ("source-file", _GLOB.sub(r"\\\1", str(config)))  # its argument is a glob(7) pattern


def new_session(key: str, size: Size, argv: Sequence[str]) -> Command:
    """A detached session around `argv`, exec'ed as it is: one word alone would go through a shell."""
    # -c / because its value is a format and a missing folder is no error; the launcher enters the folder
    shape = ("-x", str(size.columns), "-y", str(size.rows), "-c", "/", "-n", "agent")
    return ("new-session", "-d", "-s", session_name(key), *shape, "--", *argv)


def remember_pane(key: str) -> Command:
    """Mark the agent's pane, the only one yet: later the user may split it or leave another active."""
    return ("set-option", "-F", "-t", _in_session(key), "@hqt_pane", "#{pane_id}")


def set_title(key: str, title: str) -> Command:
    """Keep the title where no format is expanded; what can't be printed is replaced, as in line breaks."""
    printable = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in title)
    return ("set-option", "-t", _in_session(key), "--", "@hqt_title", printable)


def set_jail(key: str, words: str) -> Command:
    """Keep how the session is confined, for its status line."""
    return ("set-option", "-t", _in_session(key), "--", "@hqt_jail", words)


def hidden_session(pid: int) -> tuple[Command, Command]:
    """A session for a client in control mode, which must be in one; it ends with its client.

    Its size counts for no window, and what its pane prints is not told.
    """
    name = f"_hqt-{pid}-{os.urandom(4).hex()}"  # none of hqt's looks takes it for an agent's
    shape = ("-x", "20", "-y", "2", "-c", "/", "-f", "ignore-size,no-output")
    made = ("new-session", "-s", name, *shape, "--", "cat", "-")
    # destroy-unattached would do the same, but the server crashes if another client leaves in that moment,
    # and takes every agent with it: https://github.com/tmux/tmux/pull/5497
    return made, ("set-hook", "-t", f"={name}:", "client-detached", f"kill-session -t ={name}")


def announce(waiting: Set[str]) -> tuple[Command, Command]:
    """Who waits, for every status line: how many they are, and their names, each between blanks."""
    names = "".join(f" {session_name(key)}" for key in sorted(waiting))
    return ("set-option", "-g", "@hqt_waiting", str(len(waiting))), (
        "set-option",
        "-g",
        "@hqt_waiters",
        f"{names} ",
    )


def list_panes(key: str | None = None) -> tuple[Command, Command, Command]:
    """The server's pid, for each pane of each session a line of its state and one of its words, and an end.

    With `key` of that session alone: with a hundred of them this costs a fraction.
    """
    # list-panes fails where there is no such session, or none at all
    if key is None:
        is_there, which = "#{S:x}", "-a"
    else:
        name = session_name(key)
        is_there, which = f"#{{S:#{{?#{{==:#{{session_name}},{name}}},x,}}}}", f"-s -t '={name}'"
    listing = f"list-panes {which} -F '{LISTING}' ; list-panes {which} -F '{SAID}'"
    end = ("display-message", "-p", END)
    return ("display-message", "-p", "#{pid}"), ("if-shell", "-F", is_there, listing), end


def kill_session(key: str) -> Command:
    return ("kill-session", "-t", session_target(key))


def attach(key: str) -> Command:
    return ("attach-session", "-t", session_target(key))


def switch_client(key: str, client: str | None = None) -> Command:
    """The client that asks, or that one, shows the session."""
    return ("switch-client", *(("-c", client) if client else ()), "-t", session_target(key))


def tell(client: str, sentence: str) -> Command:
    """Show a sentence in place of the status line, for two seconds."""
    return ("display-message", "-c", client, "-d", "2000", sentence.replace("#", "##").replace("%", "%%"))


def capture(pane: str, start: str) -> tuple[Command, Command]:
    """The pane's height, then its rows; `start`: the first row, 0 the screen's, -N that far up, - all."""
    height = ("display-message", "-p", "-t", pane, "#{pane_height}")
    return height, ("capture-pane", "-p", "-e", "-S", start, "-t", pane)


def screens(panes: Sequence[str], fence: str) -> tuple[Command, ...]:
    """The rows of each pane's screen, then a row that holds just `fence`."""
    after = ("display-message", "-p", fence)
    return tuple(each for pane in panes for each in (("capture-pane", "-p", "-t", pane), after))


def face(pane: str) -> tuple[Command, Command]:
    """Where the pane's cursor stands, then the rows of its screen."""
    where = ("display-message", "-p", "-t", pane, "#{cursor_x} #{cursor_y}")
    return where, ("capture-pane", "-p", "-t", pane)


def paste(pane: str, buffer: str) -> tuple[Command, Command, Command]:
    """Type what comes on stdin, of any length: one command's words hold only 16 KB."""
    # -q: while the user scrolls, keys go to the mode; -r: line feeds stay; -p: marked as a paste if asked for
    return (
        ("load-buffer", "-b", buffer, "-"),
        ("copy-mode", "-q", "-t", pane),
        ("paste-buffer", "-d", "-r", "-p", "-b", buffer, "-t", pane),
    )


def press_enter(pane: str) -> Command:
    return ("send-keys", "-t", pane, "Enter")
