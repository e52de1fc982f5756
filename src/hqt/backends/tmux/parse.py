"""What tmux prints, read into values; a title may hold anything but a line break."""

import re

from hqt.backends.base import Pane

# opaque fields first and the title last, where no text in it can pass for a field
LISTING = (
    "#{pane_id} #{@hqt_pane} #{pane_pid} #{pane_dead} #{pane_dead_status} #{pane_dead_signal} "
    "#{window_bell_flag} #{window_activity} #{session_attached} #{session_name} #{@hqt_title}"
)
SAID = "said #{pane_id} #{pane_title}"  # in lines of their own, as the words are the agent's
END = "end"  # of a whole answer: a tmux that was ended amid one was seen to exit with 0

_LINE = re.compile(
    r"(?P<pane>%\d+) (?P=pane) (?P<pid>\d+) (?P<dead>[01]) (?P<status>\d*) (?P<signal>\d*) "
    r"(?P<rang>[01]) (?P<printed>\d*) (?P<watched>\d+) hqt-(?P<key>[0-9a-f]{8}) (?P<title>.*)"
)
_SAID = re.compile(r"said (%\d+) (.*)")
_DETACHED = re.compile(r"\[detached \(from session hqt-([0-9a-f]{8})\)\]")
_VERSION = re.compile(r"(\d+)\.(\d+)")
_RELEASE = re.compile(r"(\d+)\.(\d+)[a-z]?")


def server(text: str) -> tuple[int, tuple[Pane, ...]] | None:
    """The server's pid and the agents' panes, of what `commands.list_panes` prints; None where it is cut."""
    pid, *lines = text.split("\n")
    if lines[-1:] != [END]:
        return None
    said = {match[1]: match[2] for line in lines if (match := _SAID.fullmatch(line))}
    found = (_LINE.fullmatch(line) for line in lines)
    return int(pid), tuple(_pane(match, said.get(match["pane"], "")) for match in found if match)


def _pane(match: re.Match[str], said: str) -> Pane:
    return Pane(
        key=match["key"],
        pane=match["pane"],
        pid=int(match["pid"]),
        dead=match["dead"] == "1",
        status=int(match["status"]) if match["status"] else None,
        signal=int(match["signal"]) if match["signal"] else None,
        title=match["title"],
        said=said,
        rang=match["rang"] == "1",
        printed_at=int(match["printed"]) if match["printed"] else None,
        watched=match["watched"] != "0",
    )


def last_session(text: str) -> str | None:
    """The key of the session that a client left, of the words that it prints at its end."""
    found = _DETACHED.search(text)
    return found[1] if found else None


def is_at_least(text: str, wanted: tuple[int, int]) -> bool:
    """Whether a server's `#{version}` names a release that is so new; builds between two releases do not."""
    found = _RELEASE.fullmatch(text)
    return found is not None and (int(found[1]), int(found[2])) >= wanted


def version(text: str) -> tuple[int, int] | None:
    """Major and minor of `tmux -V`; None for builds that name no number, such as `tmux master`."""
    found = _VERSION.search(text)
    return (int(found[1]), int(found[2])) if found else None
