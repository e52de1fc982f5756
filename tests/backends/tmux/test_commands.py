"""The words of tmux commands, compared whole."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.backends.base import Size
from hqt.backends.tmux import commands
from hqt.backends.tmux.parse import LISTING, SAID
from hqt.errors import BackendError

KEY = "0123abcd"


def split_by_tmux(words: list[str]) -> list[list[str]]:
    """How tmux reads its argv: ; at the end ends a command, \\; stands for it (tmux(1), Parsing syntax)."""
    found: list[list[str]] = [[]]
    for word in words:
        if not word.endswith(";"):
            found[-1].append(word)
        elif word.endswith("\\;"):
            found[-1].append(word[:-2] + ";")
        else:
            if word != ";":
                found[-1].append(word[:-1])
            found.append([])
    return found


@given(st.lists(st.lists(st.text("a;\\ #"), min_size=1).map(tuple), min_size=1))
def test_tmux_reads_each_chained_command_as_it_was_meant(given_commands: list[tuple[str, ...]]) -> None:
    read = split_by_tmux(commands.chain(*given_commands))
    assert read == [list(command) for command in given_commands]


def test_a_session_is_made_in_one_call() -> None:
    chained = commands.chain(
        commands.source(Path("/r/c.conf")),
        commands.new_session(KEY, Size(100, 30), ("/usr/bin/python3", "-I", "/l;")),
        commands.remember_pane(KEY),
        commands.set_title(KEY, "it's #(me);"),
    )
    assert chained == [
        *("source-file", "/r/c.conf", ";"),
        *("new-session", "-d", "-s", "hqt-0123abcd", "-x", "100", "-y", "30", "-c", "/", "-n", "agent"),
        *("--", "/usr/bin/python3", "-I", "/l\\;", ";"),
        *("set-option", "-F", "-t", "=hqt-0123abcd:", "@hqt_pane", "#{pane_id}", ";"),
        *("set-option", "-t", "=hqt-0123abcd:", "--", "@hqt_title", "it's #(me)\\;"),
    ]


def test_all_panes_are_listed_in_one_call() -> None:
    assert commands.chain(*commands.list_panes()) == [
        *("display-message", "-p", "#{pid}", ";"),
        *("if-shell", "-F", "#{S:x}", f"list-panes -a -F '{LISTING}' ; list-panes -a -F '{SAID}'", ";"),
        *("display-message", "-p", "end"),
    ]


def test_the_panes_of_one_session_are_listed_alone() -> None:
    which = "list-panes -s -t '=hqt-0123abcd' -F"
    assert commands.chain(*commands.list_panes(KEY)) == [
        *("display-message", "-p", "#{pid}", ";"),
        *("if-shell", "-F", "#{S:#{?#{==:#{session_name},hqt-0123abcd},x,}}"),
        *(f"{which} '{LISTING}' ; {which} '{SAID}'", ";"),
        *("display-message", "-p", "end"),
    ]


def test_sessions_are_named_exactly_and_panes_by_their_id() -> None:
    assert commands.kill_session(KEY) == ("kill-session", "-t", "=hqt-0123abcd")
    assert commands.attach(KEY) == ("attach-session", "-t", "=hqt-0123abcd")
    assert commands.switch_client(KEY) == ("switch-client", "-t", "=hqt-0123abcd")
    assert commands.press_enter("%3") == ("send-keys", "-t", "%3", "Enter")
    assert commands.capture("%3", "-20") == (
        ("display-message", "-p", "-t", "%3", "#{pane_height}"),
        ("capture-pane", "-p", "-e", "-S", "-20", "-t", "%3"),
    )
    assert commands.face("%3") == (
        ("display-message", "-p", "-t", "%3", "#{cursor_x} #{cursor_y}"),
        ("capture-pane", "-p", "-t", "%3"),
    )
    assert commands.paste("%3", "b") == (
        ("load-buffer", "-b", "b", "-"),
        ("copy-mode", "-q", "-t", "%3"),
        ("paste-buffer", "-d", "-r", "-p", "-b", "b", "-t", "%3"),
    )


def test_what_cannot_be_printed_in_a_title_is_replaced() -> None:
    assert commands.set_title(KEY, "a\nb\x1b[31m\u2028\udcffé")[-1] == "a\ufffdb\ufffd[31m\ufffd\ufffdé"


def test_a_path_is_no_pattern() -> None:
    assert commands.source(Path("/a*[b]?{c}~\\ d")) == ("source-file", "/a\\*\\[b\\]\\?\\{c\\}\\~\\\\ d")


@pytest.mark.parametrize("key", ["", "1", "0123ABCD", "0123abcd0", "0123abc\n", "0123abc:"])
def test_what_is_no_key_names_no_session(key: str) -> None:
    with pytest.raises(BackendError, match="is no session key of 8 hex digits"):
        commands.session_name(key)


def test_a_line_for_control_mode_means_what_the_words_mean() -> None:
    assert commands.line(("display-message", "-p", "it's #{x};"), ("kill-server",)) == (
        """'display-message' '-p' 'it'"'"'s #{x};' ; 'kill-server'"""
    )


def test_who_waits_is_told_by_number_and_by_name() -> None:
    assert commands.announce({"0000000b", KEY}) == (
        ("set-option", "-g", "@hqt_waiting", "2"),
        ("set-option", "-g", "@hqt_waiters", " hqt-0000000b hqt-0123abcd "),
    )
    assert commands.announce(set()) == (
        ("set-option", "-g", "@hqt_waiting", "0"),
        ("set-option", "-g", "@hqt_waiters", " "),
    )
