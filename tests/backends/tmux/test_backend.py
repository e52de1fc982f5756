"""The backend against the real tmux, each test with a server of its own."""

import hashlib
import os
import signal
import stat
import subprocess
import time
from pathlib import Path

import pytest

from hqt.backends.base import Face, Pane, Panes, Size
from hqt.backends.processes import is_alive
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.settings import TmuxSettings
from hqt.errors import BackendError
from hqt.sandbox.policy import Copy
from hqt.values import replace
from tests.backends.requests import KEY, sh
from tests.backends.tmux.server import tmux
from tests.world import World, needs_tmux, wait_until

pytestmark = [pytest.mark.real, needs_tmux]

OTHER = "0000000b"


def the_pane(backend: TmuxBackend, key: str = KEY) -> Pane:
    pane = backend.panes().of(key)
    assert pane is not None
    return pane


def untimed(backend: TmuxBackend) -> tuple[Pane, ...]:
    """What is seen, but for when: a second may begin between two looks."""
    return tuple(replace(pane, printed_at=None) for pane in backend.panes().panes)


def dies(backend: TmuxBackend, key: str = KEY) -> Pane:
    assert wait_until(
        lambda: the_pane(backend, key).status is not None or the_pane(backend, key).signal is not None
    )
    return the_pane(backend, key)


def shows(backend: TmuxBackend, text: str, key: str = KEY) -> bool:
    return wait_until(lambda: any(text in row for row in backend.capture(key, lines=None, ansi=False)))


def test_looking_starts_no_server(backend: TmuxBackend, settings: TmuxSettings) -> None:
    assert backend.panes() == Panes("down")
    backend.kill(KEY)
    backend.rename(KEY, "x")
    assert not settings.socket.exists()


def test_a_spawned_agent_is_seen_until_it_is_killed(backend: TmuxBackend, world: World) -> None:
    backend.spawn(sh(world, "exec sleep 60", title="a b"))
    seen = backend.panes()
    assert seen == Panes("up", (replace(the_pane(backend), key=KEY, dead=False, title="a b"),), seen.server)
    assert (seen.panes[0].status, seen.panes[0].signal) == (None, None)
    assert seen.server is not None
    backend.kill(KEY)
    assert backend.panes() == Panes("up", (), seen.server)
    backend.kill(KEY)


def test_the_server_outlives_its_last_session_and_takes_the_next(backend: TmuxBackend, world: World) -> None:
    backend.spawn(sh(world, "exec sleep 60"))
    first = backend.panes().server
    backend.kill(KEY)
    backend.spawn(sh(world, "exec sleep 60"))
    assert backend.panes().server == first


def test_a_second_spawn_of_a_key_is_refused_and_the_first_lives(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "exec sleep 60"))
    pid = the_pane(backend).pid
    with pytest.raises(BackendError, match="has a pane already"):
        backend.spawn(sh(world, "exec sleep 60"))
    assert the_pane(backend).pid == pid
    assert wait_until(lambda: not list(settings.runtime.glob("spec-*")))


def test_shutdown_leaves_no_process_and_no_socket(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "trap '' HUP TERM; echo ready; while :; do sleep 0.1; done"))
    assert shows(backend, "ready")
    pid = the_pane(backend).pid
    settings.socket.unlink()
    os.kill(backend.panes().server or 0, signal.SIGUSR1)
    assert wait_until(settings.socket.exists)
    backend.shutdown()
    assert not settings.socket.exists()
    assert not is_alive(pid)
    assert backend.panes() == Panes("down")
    backend.shutdown()


def test_the_folder_is_private_and_the_spec_is_gone(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "echo started; exec sleep 60"))
    assert shows(backend, "started")
    assert sorted(path.name for path in settings.runtime.iterdir()) == [
        settings.socket.name,
        settings.config.name,
    ]
    assert stat.S_IMODE(settings.runtime.stat().st_mode) == 0o700
    assert stat.S_IMODE(settings.config.stat().st_mode) == 0o600


def test_a_spec_that_no_launcher_took_goes_with_the_session(settings: TmuxSettings, world: World) -> None:
    backend = TmuxBackend(replace(settings, python=Path("/nonexistent/python")))
    backend.spawn(sh(world, "exec sleep 60"))
    dies(backend)
    (spec,) = settings.runtime.glob(f"spec-{KEY}-*.json")
    assert stat.S_IMODE(spec.stat().st_mode) == 0o600
    backend.kill(KEY)
    assert not spec.exists()


# names and titles (A30, A36, A37)
TITLES = [
    "#(touch PWNED)",
    "#{pid}",
    "#{?#{session_name},a,b} #[fg=red]",
    "$(touch PWNED)",
    "`touch PWNED`",
    "a'b\"c",
    "app.v1:0.0",
    "=x",
    "-x",
    "ends in ;",
    "ends in \\;",
    ";",
    "日本語 é 🦀",
    "%1 %1 1 1 0  hqt-0000000b spoofed",
    "tab\\tand ~ and *",
    "",
]


@pytest.mark.parametrize("title", TITLES)
def test_a_title_is_kept_as_it_is_and_nothing_in_it_runs(
    title: str, backend: TmuxBackend, world: World
) -> None:
    backend.spawn(sh(world, "exec sleep 60", title=title))
    assert [pane.title for pane in backend.panes().panes] == [title]
    backend.rename(KEY, "other")
    backend.rename(KEY, title)
    assert [(pane.key, pane.title) for pane in backend.panes().panes] == [(KEY, title)]
    assert not list(world.root.rglob("PWNED"))
    assert not Path("/PWNED").exists()


def test_a_line_break_in_a_title_does_not_make_a_pane(backend: TmuxBackend, world: World) -> None:
    backend.spawn(sh(world, "exec sleep 60", title=f"a\n%9 %9 1 0   hqt-{OTHER} b"))
    assert [pane.title for pane in backend.panes().panes] == [f"a\ufffd%9 %9 1 0   hqt-{OTHER} b"]


def test_a_session_that_the_user_made_is_not_an_agents(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "exec sleep 60"))
    tmux(settings, "new-session", "-d", "-s", "my own")
    tmux(settings, "new-session", "-d", "-s", f"hqt-{OTHER}")
    assert [pane.key for pane in backend.panes().panes] == [KEY]


def test_killing_one_leaves_a_session_whose_name_begins_alike(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "exec sleep 60"))
    tmux(settings, "rename-session", "-t", f"=hqt-{KEY}", f"hqt-{KEY}0")
    backend.kill(KEY)
    backend.rename(KEY, "x")
    assert tmux(settings, "list-sessions", "-F", "#{session_name}") == f"hqt-{KEY}0"


def test_a_key_that_is_none_reaches_no_tmux(backend: TmuxBackend, world: World) -> None:
    for key in ("", "1", "0000000G", "0000000a:", "../00000"):
        with pytest.raises(BackendError, match="no session key"):
            backend.kill(key)


# what runs (A40, A41, A47, A48)
ARGS = [
    "hello;",
    "kill-server",
    ";",
    "\\;",
    "x\\;",
    "",
    "#{pid}",
    "#(touch PWNED)",
    "a b",
    "$HOME",
    "é\udcff",
]


def test_every_argument_arrives_as_it_is(backend: TmuxBackend, world: World) -> None:
    out = world.root / "args"
    backend.spawn(sh(world, f'printf "%s\\0" "$@" > {out}.new; mv {out}.new {out}; exec sleep 60', *ARGS))
    assert wait_until(out.exists)
    assert out.read_bytes().split(b"\0")[:-1] == [os.fsencode(word) for word in ARGS]
    assert len(backend.panes().panes) == 1


def test_200_kb_of_arguments_arrive(backend: TmuxBackend, world: World) -> None:
    out = world.root / "args"
    args = ["x" * 131_000, "y" * 69_000, *("z" * 100 for _ in range(300))]
    backend.spawn(sh(world, f'printf %s "$@" > {out}.new; mv {out}.new {out}; exec sleep 60', *args))
    assert wait_until(out.exists)
    assert out.read_text() == "".join(args)


def test_each_session_has_its_own_environment_and_no_other(backend: TmuxBackend, world: World) -> None:
    for key, value in ((KEY, "a"), (OTHER, "b")):
        env = {"PATH": world.env["PATH"], "WORLD": str(world.root), "VALUE": value}
        script = f"env > {world.root}/{key}.new; mv {world.root}/{key}.new {world.root}/{key}; exec sleep 60"
        backend.spawn(sh(world, script, key=key, env=env))
    for key, value in ((KEY, "a"), (OTHER, "b")):
        assert wait_until((world.root / key).exists)
        lines = set((world.root / key).read_text().splitlines())
        names = {line.partition("=")[0] for line in lines}
        assert f"VALUE={value}" in lines
        assert "TERM=tmux-256color" in lines
        assert names <= {
            "PATH",
            "WORLD",
            "VALUE",
            "TERM",
            "TERM_PROGRAM",
            "TERM_PROGRAM_VERSION",
            "PWD",
            "OLDPWD",
            "SHLVL",
            "_",
        }


def test_no_variable_is_in_the_servers_environment_or_any_command_line(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "exec sleep 60", env={**world.env, "TOKEN": "s3cret-value"}))
    server = Path(f"/proc/{backend.panes().server}")
    assert b"title" not in (server / "cmdline").read_bytes()
    names = {line.partition(b"=")[0] for line in (server / "environ").read_bytes().split(b"\0")}
    assert names <= {b"HOME", b"PATH", b"LANG", b"TMUX", b"PWD", b"_", b""}
    assert b"s3cret-value" not in (server / "cmdline").read_bytes()
    assert "s3cret-value" not in tmux(settings, "show-environment", "-g")


def test_the_users_shell_is_never_asked(settings: TmuxSettings, world: World) -> None:
    stub = world.tool("notashell", f"touch {world.root}/ASKED; exit 1")
    server_env = {**settings.server_env, "SHELL": str(stub)}
    backend = TmuxBackend(
        replace(settings, server_env=server_env, ended_command=("sh", "-c", f"touch {world.root}/ended"))
    )
    backend.spawn(sh(world, "echo 'it'\\''s up'", env={**world.env, "SHELL": str(stub)}))
    dies(backend)
    assert wait_until((world.root / "ended").exists)
    assert not (world.root / "ASKED").exists()


def test_copies_come_on_the_descriptors_that_argv_names(backend: TmuxBackend, world: World) -> None:
    copies = (Copy(Path("/x"), b"one\n"), Copy(Path("/y"), b"two\n"))
    backend.spawn(sh(world, "cat <&5; cat <&6; exec sleep 60", copies=copies))
    assert shows(backend, "two")
    assert backend.capture(KEY, lines=None, ansi=False) == ["one", "two"]


# settings of the user's (A38, A43)
USERS = [
    "set -g destroy-unattached on",
    "set -g default-shell /bin/false\nset -g default-command false",
    "set -s exit-empty on\nset -s exit-unattached on",
    "set -g base-index 1\nset -g pane-base-index 1",
    "set -g remain-on-exit off",
    "set -g prefix C-a\nbind -n C-q kill-server",
    "set-hook -g after-new-session kill-server\nset-hook -g session-created kill-session",
    "set -g default-terminal nonsense\nset -g history-limit 1",
    "this is no command",
]


@pytest.mark.parametrize("conf", USERS)
def test_the_users_own_configuration_is_not_read(conf: str, backend: TmuxBackend, world: World) -> None:
    (world.home / ".tmux.conf").write_text(conf + "\n")
    (world.home / ".config/tmux").mkdir(parents=True)
    (world.home / ".config/tmux/tmux.conf").write_text(conf + "\n")
    backend.spawn(sh(world, 'echo "$TERM"; exec sleep 60'))
    assert shows(backend, "tmux-256color")
    time.sleep(0.1)
    assert not the_pane(backend).dead


# the end of an agent (A39, A49)
@pytest.mark.parametrize(
    ("script", "status", "number"),
    [("echo said", 0, None), ("echo said; exit 3", 3, None), ("echo said; kill -9 $$", None, 9)],
)
def test_an_agent_that_ended_at_once_is_kept_with_its_words(
    script: str, status: int | None, number: int | None, backend: TmuxBackend, world: World
) -> None:
    backend.spawn(sh(world, script))
    pane = dies(backend)
    assert (pane.dead, pane.status, pane.signal) == (True, status, number)
    assert backend.capture(KEY, lines=None, ansi=False) == ["said"]
    assert backend.capture(KEY, lines=5, ansi=False) == ["said"]
    with pytest.raises(BackendError, match="has ended"):
        backend.send(KEY, "x", enter=True)


def test_of_ten_ends_none_is_missed(backend: TmuxBackend, world: World) -> None:
    keys = [f"0000000{number}" for number in range(10)]
    for key in keys:
        backend.spawn(sh(world, "exit 3", key=key))
    assert wait_until(lambda: [pane.status for pane in backend.panes().panes] == [3] * 10)


def test_an_agent_that_closed_its_terminal_and_lives_is_dead_to_tmux_without_a_status(
    backend: TmuxBackend, world: World
) -> None:
    backend.spawn(sh(world, "trap '' HUP; exec sleep 60 <&- >&- 2>&-"))
    assert wait_until(lambda: the_pane(backend).dead)
    pane = the_pane(backend)
    assert (pane.status, pane.signal, is_alive(pane.pid)) == (None, None, True)
    os.kill(pane.pid, signal.SIGKILL)
    assert dies(backend).signal == signal.SIGKILL


def test_the_end_is_told_with_the_sessions_name_and_shows_nothing(
    settings: TmuxSettings, world: World
) -> None:
    odd = world.root / 'a\'b "c" $HOME #(touch PWNED) #{pid} %H ;'
    odd.mkdir()
    tell = odd / "tell;"
    tell.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" > "{world.root}/told.new"\n'
        f'mv "{world.root}/told.new" "{world.root}/told"; echo noise; exit 7\n'
    )
    tell.chmod(0o755)
    backend = TmuxBackend(replace(settings, ended_command=(str(tell), "ended", "#{pid}", "")))
    backend.spawn(sh(world, "echo said; exit 3"))
    dies(backend)
    assert wait_until((world.root / "told").exists)
    assert (world.root / "told").read_text().split("\n") == ["ended", "#{pid}", "", f"hqt-{KEY}", ""]
    time.sleep(0.2)
    assert backend.capture(KEY, lines=None, ansi=False) == ["said"]
    assert not list(world.root.rglob("PWNED"))
    assert not Path("/PWNED").exists()


def test_whoever_waits_is_woken_by_the_end(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "read line; exit 3"))
    argv = ["tmux", "-N", "-S", str(settings.socket), "wait-for", f"hqt-{KEY}"]
    with subprocess.Popen(argv, env=dict(settings.server_env)) as waiting:
        backend.send(KEY, "", enter=True)
        dies(backend)
        assert waiting.wait(5) == 0


def test_a_split_changes_nothing_for_the_agent(settings: TmuxSettings, world: World) -> None:
    ended = world.root / "ended"
    backend = TmuxBackend(replace(settings, ended_command=("sh", "-c", f"touch {ended}")))
    backend.spawn(sh(world, "echo agent; read line; echo got $line; exec sleep 60"))
    assert shows(backend, "agent")
    (before,) = untimed(backend)
    tmux(settings, "split-window", "-t", f"=hqt-{KEY}:", "echo mine; sleep 60")
    mine = tmux(settings, "display-message", "-p", "-t", f"=hqt-{KEY}:", "#{pane_id}")
    assert mine != before.pane
    assert untimed(backend) == (before,)
    backend.send(KEY, "hello", enter=True)
    assert shows(backend, "got hello")
    tmux(settings, "respawn-pane", "-k", "-t", mine, "exit 1")
    server = backend.panes().server
    assert server is not None

    def is_gone() -> bool:
        os.kill(server, signal.SIGCHLD)  # tmux misses one end in five (`TmuxBackend.panes`)
        return mine not in tmux(settings, "list-panes", "-a", "-F", "#{pane_id}")

    assert wait_until(is_gone)
    assert untimed(backend) == (before,)
    assert not ended.exists()


# the socket (A42)
def test_without_its_socket_a_live_server_is_unreachable_and_gets_no_twin(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "exec sleep 60"))
    seen = backend.panes()
    settings.socket.unlink()
    assert backend.panes() == Panes("unreachable", (), seen.server)
    for act in (
        lambda: backend.spawn(sh(world, "exec sleep 60", key=OTHER)),
        lambda: backend.kill(KEY),
        lambda: backend.capture(KEY, lines=1, ansi=False),
    ):
        with pytest.raises(BackendError) as caught:
            act()
        assert f"kill -USR1 {seen.server}`" in str(caught.value)
    assert not settings.socket.exists()
    assert not list(settings.runtime.glob("spec-*"))
    remedy = str(caught.value).split("`")[1]
    subprocess.run(["sh", "-c", remedy], check=True)
    assert wait_until(lambda: backend.panes() == seen)


def test_the_remedy_works_where_the_folder_is_gone_too(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "echo up; exec sleep 60"))
    assert shows(backend, "up")
    seen = backend.panes()
    for path in settings.runtime.iterdir():
        path.unlink()
    settings.runtime.rmdir()
    with pytest.raises(BackendError) as caught:
        backend.spawn(sh(world, "exec sleep 60", key=OTHER))
    subprocess.run(["sh", "-c", str(caught.value).split("`")[1]], check=True)
    assert wait_until(lambda: backend.panes() == seen)
    backend.spawn(sh(world, "exec sleep 60", key=OTHER))
    assert [pane.key for pane in backend.panes().panes] == [KEY, OTHER]


def test_the_socket_of_a_dead_server_is_no_obstacle(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "exec sleep 60"))
    server = backend.panes().server
    assert server is not None
    os.kill(server, signal.SIGKILL)
    assert wait_until(lambda: not is_alive(server))
    assert settings.socket.exists()
    assert backend.panes() == Panes("down")
    backend.spawn(sh(world, "exec sleep 60"))
    assert backend.panes().reach == "up"


def test_a_spawn_right_behind_the_servers_end_succeeds(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    for _ in range(3):
        backend.spawn(sh(world, "exec sleep 60"))
        tmux(settings, "kill-server")
    backend.spawn(sh(world, "exec sleep 60"))
    assert not the_pane(backend).dead


def test_a_server_that_runs_already_gets_the_new_settings(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    backend.spawn(sh(world, "exec sleep 60"))
    TmuxBackend(replace(settings, detach_key="F12", history=77)).spawn(sh(world, "exec sleep 60", key=OTHER))
    assert tmux(settings, "show-options", "-gv", "history-limit") == "77"
    assert "C-q" not in tmux(settings, "list-keys", "-T", "root")


def test_a_runtime_folder_with_signs_of_a_pattern_works(settings: TmuxSettings, world: World) -> None:
    runtime = world.root / "a [b]* {c} ~ #{pid} ; 'd' \\e;"
    backend = TmuxBackend(replace(settings, runtime=runtime, socket=runtime / "s;"))
    backend.spawn(sh(world, "echo up; exec sleep 60"))
    assert shows(backend, "up")
    changed = TmuxBackend(replace(backend.settings, history=77))
    changed.spawn(sh(world, "exec sleep 60", key=OTHER))
    assert tmux(backend.settings, "show-options", "-gv", "history-limit") == "77"
    backend.shutdown()


# what is seen (A44, A72)
def test_the_pane_has_the_size_of_the_terminal_but_for_the_status_line(
    backend: TmuxBackend, world: World
) -> None:
    backend.spawn(sh(world, "stty size; exec sleep 60", size=Size(200, 50)))
    assert shows(backend, "49 200")  # the status line has the last row


def test_history_holds_what_the_settings_say_from_the_first_pane_on(
    settings: TmuxSettings, world: World
) -> None:
    backend = TmuxBackend(replace(settings, history=1000))
    backend.spawn(sh(world, "seq 3000; exec sleep 60", size=Size(80, 10)))
    assert shows(backend, "3000")
    kept = backend.capture(KEY, lines=5000, ansi=False)
    assert kept[-1] == "3000"
    assert 900 < len(kept) <= 1010
    assert backend.capture(KEY, lines=3, ansi=False) == ["2998", "2999", "3000"]
    assert backend.capture(KEY, lines=0, ansi=False) == []
    assert len(backend.capture(KEY, lines=None, ansi=False)) <= 10


def test_wide_signs_and_line_drawing_come_out_as_they_look(settings: TmuxSettings, world: World) -> None:
    server_env = {"PATH": settings.server_env["PATH"], "HOME": str(world.home)}  # no locale at all (A34)
    backend = TmuxBackend(replace(settings, server_env=server_env))
    backend.spawn(sh(world, r"printf '日本 │ ❯ é\n\033(0lqk\033(B\n'; exec sleep 60"))
    assert shows(backend, "┌")
    assert backend.capture(KEY, lines=None, ansi=False) == ["日本 │ ❯ é", "┌─┐"]


def test_with_ansi_only_colours_come_out(backend: TmuxBackend, world: World) -> None:
    script = r"printf '\033]0;t\007\033[31mred\nstill\033[0m\033[5Cx\a\n'; exec sleep 60"
    backend.spawn(sh(world, script))
    assert shows(backend, "still")
    assert backend.capture(KEY, lines=1, ansi=True) == ["\x1b[31mstill\x1b[39m     x\x1b[0m"]
    assert backend.capture(KEY, lines=None, ansi=False) == ["red", "still     x"]


def test_a_face_is_the_screen_and_its_cursor(backend: TmuxBackend, world: World) -> None:
    backend.spawn(sh(world, r"printf '\033[31mab\033[0m \ncd\n\n'; exec sleep 60"))
    assert shows(backend, "cd")
    assert backend.face(the_pane(backend)) == Face(("ab", "cd"), column=0, row=3)


def test_200_kb_are_typed_whole_even_while_the_user_scrolls(
    backend: TmuxBackend, settings: TmuxSettings, world: World
) -> None:
    text = ("xé #{pid};\n" * 20_000)[:200_000]
    size = len(text.encode()) + 1
    out = world.root / "sum"
    count = f"head -c {size} | sha256sum > {out}.new; mv {out}.new {out}"
    script = f"stty raw -echo; echo ready; {count}; exec sleep 60"
    backend.spawn(sh(world, script))
    assert shows(backend, "ready")
    tmux(settings, "copy-mode", "-t", the_pane(backend).pane)
    backend.send(KEY, text, enter=True)
    assert wait_until(out.exists, within_s=10)
    assert out.read_text().split()[0] == hashlib.sha256(text.encode() + b"\r").hexdigest()
    assert tmux(settings, "list-buffers") == ""


def test_nothing_can_be_done_with_a_session_that_has_no_pane(backend: TmuxBackend) -> None:
    with pytest.raises(BackendError, match="has no pane"):
        backend.capture(KEY, lines=None, ansi=False)
    with pytest.raises(BackendError, match="has no pane"):
        backend.send(KEY, "x", enter=False)
