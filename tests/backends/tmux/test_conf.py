"""The configuration is one that tmux takes whole, and holds what hqt promises."""

import subprocess
from pathlib import Path

import pytest

from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.conf import conf_text, quote
from hqt.backends.tmux.settings import TmuxSettings
from hqt.errors import ConfigError
from hqt.values import replace
from tests.backends.requests import sh
from tests.world import World, needs_tmux


def text(**changed: object) -> str:
    settings = TmuxSettings(Path("tmux"), Path("/s"), Path("/r"), {}, Path("/l"), Path("/p"))
    return conf_text(replace(settings, **changed))


@pytest.mark.parametrize(
    "key", ["", " ", "C-", "C-qq", "Foo", "C-q\nset -g prefix C-b", "C-q ; kill-server", "q q", "é", "C-é"]
)
def test_a_key_that_tmux_would_not_know_is_refused(key: str) -> None:
    with pytest.raises(ConfigError, match="is none that tmux knows: write it like C-q or F12"):
        text(detach_key=key)
    with pytest.raises(ConfigError, match="is none that tmux knows: write it like C-q or F12"):
        text(next_key=key, next_command=("x",))


def test_a_quoted_word_holds_its_quotes() -> None:
    assert quote("it's") == """'it'"'"'s'"""


def test_without_a_command_for_the_end_none_is_run() -> None:
    assert "run-shell -b" not in text()


@pytest.mark.real
@needs_tmux
@pytest.mark.parametrize(
    "key",
    [
        "C-q",
        "^Q",
        "F12",
        "M-Left",
        "C-M-S-F1",
        "C-\\",
        "C-'",
        '"',
        "#",
        "$",
        "~",
        "{",
        ";",
        "C-;",
        "PPage",
        "-",
    ],
)
def test_tmux_takes_every_line_with_every_key(key: str, settings: TmuxSettings, world: World) -> None:
    backend = TmuxBackend(settings)
    backend.spawn(sh(world, "exec sleep 60"))
    hostile = ("a b", "it's;", "#{x}", "$y", '"', "\\")
    settings.config.write_text(
        text(detach_key=key, ended_command=hostile, next_key="M-F9", next_command=hostile)
    )
    argv = ["tmux", "-N", "-u", "-S", str(settings.socket), "source-file", str(settings.config)]
    done = subprocess.run(argv, env=dict(settings.server_env), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    argv[-2:] = ["list-keys", "-T", "root"]
    keys = subprocess.run(
        argv, env=dict(settings.server_env), capture_output=True, text=True, check=True
    ).stdout
    assert keys.count("detach-client") == 1
    assert keys.count("M-F9") == 1


PROMISED = {
    "exit-empty": "off",
    "escape-time": "10",
    "focus-events": "on",
    "set-clipboard": "external",
    "extended-keys": "on",
    "default-terminal": "tmux-256color",
    "history-limit": "5000",
    "prefix": "None",
    "default-shell": "/bin/sh",
    "default-command": "",
    "update-environment": "",
    "destroy-unattached": "off",
    "status": "on",
    "key-table": "root",
    "mouse": "on",
    "window-size": "latest",
    "remain-on-exit": "on",
    "remain-on-exit-format": "",
    "allow-passthrough": "off",
}


@pytest.mark.real
@needs_tmux
def test_the_server_runs_with_what_is_promised(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "exec sleep 60"))
    backend.spawn(sh(world, "exec sleep 60", key="0000000b"))  # sourced again: nothing grows
    found = {}
    for name in PROMISED:
        argv = ["tmux", "-N", "-S", str(settings.socket), "show-options", "-Av", "-t", "=hqt-0000000a:", name]
        done = subprocess.run(argv, env=dict(settings.server_env), capture_output=True, text=True, check=True)
        found[name] = done.stdout.rstrip("\n")
    assert found == PROMISED
