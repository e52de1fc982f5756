"""The text of the configuration that hqt's own tmux server runs with; the user's is never read."""

import re
import shlex
from collections.abc import Iterator, Sequence

from hqt.errors import ConfigError

_NAMED_KEY = (
    "F[1-9]|F1[0-2]|IC|Insert|DC|Delete|Home|End|NPage|PageDown|PgDn|PPage|PageUp|PgUp|"
    "BTab|Tab|BSpace|Enter|Escape|Space|Up|Down|Left|Right"
)
_KEY = re.compile(rf"(?:\^|(?:[CMS]-){{1,3}})?(?:[!-~]|{_NAMED_KEY})")

_IN_A_MODE_OR_MOUSE_WANTED = "#{||:#{pane_in_mode},#{mouse_any_flag}}"


def conf_text(*, detach_key: str, history: int, terminal: str, ended_command: Sequence[str]) -> str:
    """The whole file; sourcing it again changes nothing.

    `ended_command` runs in the background, with the session's name as its last word, when an agent ends.
    Raises ConfigError for a detach key that tmux would not know: tmux drops such a line silently at a start.
    """
    if not _KEY.fullmatch(detach_key):
        raise ConfigError(
            f"the detach key {detach_key!r} is no key that tmux knows: write it like C-q or F12"
        )
    lines = (
        *_server(),
        *_sessions(history, terminal),
        *_keys(quote(detach_key)),
        *_end_of_a_pane(ended_command),
    )
    return "\n".join(lines) + "\n"


def quote(text: str) -> str:
    """`text` as one word of a tmux configuration: nothing in it is expanded."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _server() -> Iterator[str]:
    # the server outlives its last session: starting one while the old one ends fails (terminal facts, 12)
    yield "set -s exit-empty off"
    yield "set -s exit-unattached off"
    yield "set -s escape-time 10"
    yield "set -s focus-events on"
    yield "set -s set-clipboard external"
    yield "set -s extended-keys on"
    # a fixed index, as appending would grow the list at each sourcing; shift+enter needs it
    yield "set -s 'terminal-features[90]' 'xterm*:extkeys'"


def _sessions(history: int, terminal: str) -> Iterator[str]:
    yield f"set -s default-terminal {quote(terminal)}"
    yield f"set -g history-limit {history}"
    yield "set -g default-shell /bin/sh"
    yield "set -g default-command ''"
    yield "set -g update-environment ''"
    yield "set -g destroy-unattached off"
    yield "set -g detach-on-destroy on"
    yield "set -g status off"
    yield "set -g set-titles off"
    yield "set -g mouse on"
    yield "set -g window-size latest"
    yield "set -g automatic-rename off"
    yield "set -g allow-rename off"
    # the last screen of an agent that ended at once is all there is to say why
    yield "set -g remain-on-exit on"
    # -q: tmux 3.2 knows neither of them
    yield "set -gq remain-on-exit-format ''"
    yield "set -gq allow-passthrough off"


def _keys(detach_key: str) -> Iterator[str]:
    """Every key but one reaches the agent; of the mouse the wheel and dragging stay."""
    yield "set -g prefix None"
    yield "set -g prefix2 None"
    yield "unbind -a -T root"
    in_a_mode = quote(_IN_A_MODE_OR_MOUSE_WANTED)
    yield "bind -n MouseDown1Pane { select-pane -t = ; send-keys -M }"
    yield f"bind -n MouseDrag1Pane {{ if -F {in_a_mode} {{ send-keys -M }} {{ copy-mode -M }} }}"
    yield f"bind -n WheelUpPane {{ if -F {in_a_mode} {{ send-keys -M }} {{ copy-mode -e }} }}"
    for table in ("root", "copy-mode", "copy-mode-vi"):
        yield f"bind -T {table} {detach_key} detach-client"


def _end_of_a_pane(ended_command: Sequence[str]) -> Iterator[str]:
    """The agent's pane sends its clients home; one that the user split off closes as ever."""
    # detach-client without -s threw out a client of another session, and hook_session_name is empty
    # here (tmux 3.3a); `run-shell -C` because the words of other commands are no formats
    yield "set-hook -g pane-died {"
    yield "  if -F '#{==:#{hook_pane},#{@hqt_pane}}' {"
    if ended_command:
        yield f"    run-shell -b {quote(_ended(ended_command))}"
    yield """    run-shell -C 'detach-client -s "=#{session_name}"'"""
    yield """    run-shell -C 'wait-for -S "#{session_name}"'"""
    yield "  } {"
    yield "    run-shell -C 'kill-pane -t \"#{hook_pane}\"'"
    yield "  }"
    yield "}"


def _ended(command: Sequence[str]) -> str:
    """A line for sh in which only the session's name is a format."""
    # output or a failure would be shown over the pane that the user came to look at
    words = shlex.join(command).replace("#", "##")
    return f"{words} #{{q:session_name}} </dev/null >/dev/null 2>&1 || :"
