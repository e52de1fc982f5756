"""One call of tmux and what becomes of its failures."""

import re
import time
from pathlib import Path

import pytest

from hqt.backends.tmux import client
from hqt.backends.tmux.client import Client, NoServer, Refused
from hqt.errors import BackendError

ASK = ("display-message", "-p", "x")


def stub(folder: Path, script: str) -> Client:
    """A client whose tmux is a script for sh."""
    path = folder / "tmux"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return Client(path, folder / "s", folder / "c", {"PATH": "/usr/bin:/bin"})


def test_every_call_names_socket_and_configuration_and_starts_no_server() -> None:
    asked = Client(Path("/tmux"), Path("/s;"), Path("/c"), {})
    assert asked.argv(ASK, ("kill-session",), features="RGB") == [
        *("/tmux", "-u", "-N", "-T", "RGB", "-S", "/s;", "-f", "/c"),
        *("display-message", "-p", "x", ";", "kill-session"),
    ]
    assert asked.argv(ASK, start=True) == ["/tmux", "-u", "-S", "/s;", "-f", "/c", *ASK]


def test_a_missing_tmux_is_named(tmp_path: Path) -> None:
    missing = Client(tmp_path / "tmux", tmp_path / "s", tmp_path / "c", {})
    with pytest.raises(BackendError) as caught:
        missing.run(ASK)
    assert str(caught.value) == f"{tmp_path}/tmux can't be run (No such file or directory): install tmux"


@pytest.mark.parametrize(
    "said",
    [
        "no server running on /s",
        "error connecting to /s (No such file or directory)",
        "error connecting to /s (Connection refused)",
    ],
)
def test_no_server_is_told_from_other_failures(said: str, tmp_path: Path) -> None:
    with pytest.raises(NoServer):
        stub(tmp_path, f"echo '{said}' >&2; exit 1").run(ASK)


@pytest.mark.parametrize("said", ["error connecting to /s (Permission denied)", "no such thing"])
def test_tmux_is_quoted_where_it_refuses(said: str, tmp_path: Path) -> None:
    script = f'[ "$1" = -V ] && echo tmux 3.3a && exit; echo "{said}" >&2; exit 1'
    with pytest.raises(Refused, match=re.escape(f"tmux refused what hqt asked ({said}): run `hqt doctor`")):
        stub(tmp_path, script).run(ASK)


def test_an_old_tmux_is_named_by_its_version(tmp_path: Path) -> None:
    script = '[ "$1" = -V ] && echo tmux 3.1c && exit; echo "unknown option -- N" >&2; exit 1'
    with pytest.raises(BackendError, match=r"^tmux 3\.1c is too old: install tmux 3\.2 or newer$"):
        stub(tmp_path, script).run(ASK)


@pytest.mark.parametrize("said", ["server exited unexpectedly", "lost server"])
def test_a_server_lost_on_the_way_is_asked_once_more(said: str, tmp_path: Path) -> None:
    tried = tmp_path / "tried"
    script = f'[ -e {tried} ] && echo again && exit; touch {tried}; echo "{said}" >&2; exit 1'
    assert stub(tmp_path, script).run(ASK) == "again"


def test_a_server_lost_twice_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="ended while it was asked"):
        stub(tmp_path, "echo 'lost server' >&2; exit 1").run(ASK)


def test_a_tmux_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_LIMIT_S", 0.2)
    began = time.monotonic()
    with pytest.raises(BackendError, match="gave no answer within"):
        stub(tmp_path, "exec sleep 5").run(ASK)
    assert time.monotonic() - began < 2
