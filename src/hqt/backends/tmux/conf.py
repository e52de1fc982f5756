"""The text of the configuration that hqt's own tmux server runs with; the user's own is never read for it."""

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence

from hqt.backends.tmux.settings import TmuxSettings
from hqt.backends.tmux.statusline import status_line
from hqt.errors import ConfigError

_NAMED_KEY = (
    "F[1-9]|F1[0-2]|IC|Insert|DC|Delete|Home|End|NPage|PageDown|PgDn|PPage|PageUp|PgUp|"
    "BTab|Tab|BSpace|Enter|Escape|Space|Up|Down|Left|Right"
)
_KEY = re.compile(rf"(?:\^|(?:[CMS]-){{1,3}})?(?:[!-~]|{_NAMED_KEY})")

_FORMAT = re.compile("[#,}]")  # what a format would read
_IN_A_MODE_OR_MOUSE_WANTED = "#{||:#{pane_in_mode},#{mouse_any_flag}}"


def conf_text(settings: TmuxSettings) -> str:
    """The whole file; sourcing it again changes nothing.

    Raises ConfigError for a key that tmux would not know: tmux drops such a line silently at a start.
    """
    return _text(_taste(settings)) + held_text(settings)


def held_text(settings: TmuxSettings) -> str:
    """The part that hqt stands on: it comes once more after the user's own file."""
    return _text(_held(settings))


def quote(text: str) -> str:
    """`text` as one word of a tmux configuration: nothing in it is expanded."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _taste(settings: TmuxSettings) -> Iterator[str]:
    """What the user's own file may change."""
    yield from _terminals(settings)
    yield from _status(settings.detach_key)
    yield f"set -g history-limit {settings.history}"
    yield "set -g window-size latest"
    yield "set -g automatic-rename off"
    yield "set -g allow-rename off"
    yield "set -g prefix None"
    yield "set -g prefix2 None"
    yield from _mouse()


def _terminals(settings: TmuxSettings) -> Iterator[str]:
    yield "set -s escape-time 10"
    yield "set -s focus-events on"
    # an agent must not write to the clipboard of the terminal that looks at it
    yield "set -s set-clipboard external"
    yield "set -s extended-keys on"
    # a fixed index, as appending would grow the list at each sourcing; shift+enter needs it
    yield "set -s 'terminal-features[90]' 'xterm*:extkeys'"
    yield f"set -s default-terminal {quote(settings.terminal)}"
    yield "set -g set-titles off"
    # -q: tmux 3.2 does not know it
    yield "set -gq allow-passthrough off"


def _status(detach_key: str) -> Iterator[str]:
    yield "set -g status on"
    yield "set -g status-position bottom"
    yield "set -g status-interval 0"  # it is drawn anew when an option changes
    # no colour of ours: reversed it can be read on any background, in 16 colours and in none
    yield "set -g status-style default,reverse"
    yield "set -g message-style default,reverse"
    yield f"set -g 'status-format[0]' {quote(status_line(detach_key))}"


def _mouse() -> Iterator[str]:
    """Every key but hqt's own reaches the agent; of the mouse the wheel and dragging stay."""
    yield "set -g mouse on"
    yield "unbind -a -T root"
    in_a_mode = quote(_IN_A_MODE_OR_MOUSE_WANTED)
    yield "bind -n MouseDown1Pane { select-pane -t = ; send-keys -M }"
    yield f"bind -n MouseDrag1Pane {{ if -F {in_a_mode} {{ send-keys -M }} {{ copy-mode -M }} }}"
    yield f"bind -n WheelUpPane {{ if -F {in_a_mode} {{ send-keys -M }} {{ copy-mode -e }} }}"


def _held(settings: TmuxSettings) -> Iterator[str]:
    """What keeps agents alive, apart and within reach, whatever the user's file says."""
    # the server outlives its last session: starting one while the old one ends fails (terminal facts, 12)
    yield "set -s exit-empty off"
    yield "set -s exit-unattached off"
    yield "set -g default-shell /bin/sh"
    yield "set -g default-command ''"
    yield "set -g update-environment ''"
    yield "set -g destroy-unattached off"
    yield "set -g detach-on-destroy on"
    # the last screen of an agent that ended at once is all there is to say why
    yield "set -g remain-on-exit on"
    yield "set -gq remain-on-exit-format ''"  # -q: tmux 3.2 does not know it
    yield "set -g key-table root"
    yield from _key(settings.detach_key, "detach-client")
    if settings.next_key is not None and settings.next_command:
        names = "#{q:client_name} #{q:session_name}"
        yield from _key(settings.next_key, f"run-shell -b {quote(_line(settings.next_command, names))}")
    yield from _end_of_a_pane(settings.ended_command)


def _key(key: str, command: str) -> Iterator[str]:
    """The same in every session, while scrolling too, and not as the prefix, which would go first."""
    if not _KEY.fullmatch(key):
        raise ConfigError(f"the key {key!r} is none that tmux knows: write it like C-q or F12")
    in_format = _FORMAT.sub(r"#\g<0>", key)
    for option in ("prefix", "prefix2"):
        same = f"#{{==:#{{{option}}},{in_format}}}"
        yield f"if -F {quote(same)} {{ set -g {option} None }}"
    for table in ("root", "copy-mode", "copy-mode-vi"):
        yield f"bind -T {table} {quote(key)} {command}"


def _end_of_a_pane(ended_command: Sequence[str]) -> Iterator[str]:
    """The agent's pane sends its clients home; one that the user split off closes as ever."""
    # detach-client without -s threw out a client of another session, and hook_session_name is empty
    # here (tmux 3.3a); `run-shell -C` because the words of other commands are no formats
    yield "set-hook -g pane-died {"
    yield "  if -F '#{==:#{hook_pane},#{@hqt_pane}}' {"
    if ended_command:
        yield f"    run-shell -b {quote(_line(ended_command, '#{q:session_name}'))}"
    yield """    run-shell -C 'detach-client -s "=#{session_name}"'"""
    yield """    run-shell -C 'wait-for -S "#{session_name}"'"""
    yield "  } {"
    yield "    run-shell -C 'kill-pane -t \"#{hook_pane}\"'"
    yield "  }"
    yield "}"


def _line(command: Sequence[str], names: str) -> str:
    """A line for sh in which only `names` are formats."""
    # output or a failure would be shown over the pane that the user is looking at
    return f"{shlex.join(command).replace('#', '##')} {names} </dev/null >/dev/null 2>&1 || :"
