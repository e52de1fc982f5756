"""What a pane runs, as a process of its own: it becomes the spec's program or says one sentence."""

import base64
import json
import os
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from hqt import launch
from hqt.launch import SPEC_VERSION

LAUNCHER = (sys.executable, "-I", "-S", launch.__file__)
# no filter for bwrap's, but all that the launcher cares for
SEAL: dict[str, object] = {"filter": base64.b64encode(b"FILTER").decode(), "scopes": False, "sources": []}

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")


@dataclass(frozen=True, slots=True)
class Pane:
    """A folder with a spec to start from."""

    folder: Path

    @property
    def spec(self) -> Path:
        return self.folder / "spec.json"

    def write(self, *, argv: Sequence[str] = ("/bin/true",), **fields: object) -> None:
        """A whole spec; `fields` replace its fields."""
        spec = {
            "version": SPEC_VERSION,
            "argv": list(argv),
            "env": {"PATH": "/usr/bin:/bin"},
            "cwd": str(self.folder),
            "copies": [],
            "status": None,
            "seal": None,
            "umask": 0o022,
            **fields,
        }
        self.spec.write_text(json.dumps(spec))
        self.spec.chmod(0o600)

    def run(
        self,
        *,
        env: dict[str, str] | None = None,
        before: Sequence[str] = (),
        spec: str | None = None,
        stdin: int = subprocess.DEVNULL,
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*before, *LAUNCHER, spec if spec is not None else str(self.spec)],
            env=env or {},
            cwd="/",
            stdin=stdin,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    def says(self, script: str, **fields: object) -> str:
        """What `script` prints when it is launched."""
        self.write(argv=("/bin/sh", "-c", script), **fields)
        done = self.run()
        assert (done.returncode, done.stderr) == (0, ""), done
        return done.stdout


@pytest.fixture
def pane(tmp_path: Path) -> Pane:
    return Pane(tmp_path)


def told(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    return done.returncode, done.stdout, done.stderr


def test_the_program_gets_its_words_as_they_are(pane: Pane) -> None:
    pane.write(argv=("/usr/bin/printf", "%s|", "a b", "", "é\udcff", "$HOME", "\n"))
    done = subprocess.run([*LAUNCHER, str(pane.spec)], env={}, capture_output=True, check=True)
    assert done.stdout == "a b||é".encode() + b"\xff|$HOME|\n|"


def test_its_exit_status_is_the_panes(pane: Pane) -> None:
    pane.write(argv=("/bin/sh", "-c", "exit 42"))
    assert told(pane.run()) == (42, "", "")


def test_it_is_looked_up_on_the_path_of_the_spec(pane: Pane) -> None:
    pane.write(argv=("printf", "found"))
    assert told(pane.run(env={"PATH": "/nonexistent"})) == (0, "found", "")


def test_its_environment_is_exactly_the_specs(pane: Pane) -> None:
    env = {"A": "1", "B": "x=y\nz", "PYTHONPATH": "/x"}
    pane.write(argv=("/usr/bin/env", "-0"), env=env)
    done = pane.run(env={"SECRET": "s", "A": "other", "LC_ALL": "C.UTF-8"})
    assert sorted(done.stdout.rstrip("\0").split("\0")) == ["A=1", "B=x=y\nz", "PYTHONPATH=/x"]


def test_what_tmux_says_of_the_terminal_comes_from_tmux(pane: Pane) -> None:
    pane.write(argv=("/usr/bin/env",), env={"TERM": "xterm", "TMUX": "not mine"})
    tmux = {"TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TERM_PROGRAM_VERSION": "3.3a"}
    done = pane.run(env={**tmux, "TMUX": "/run/tmux,1,0", "TMUX_PANE": "%0"})
    assert sorted(done.stdout.splitlines()) == [
        "TERM=tmux-256color",
        "TERM_PROGRAM=tmux",
        "TERM_PROGRAM_VERSION=3.3a",
        "TMUX=not mine",
    ]


def test_it_starts_in_its_folder_with_its_umask(pane: Pane) -> None:
    assert pane.says("pwd; umask", umask=0o027) == f"{pane.folder}\n0027\n"


def test_no_value_of_a_variable_is_in_a_command_line(pane: Pane) -> None:
    command_lines = "cat /proc/$$/cmdline /proc/$PPID/cmdline"
    assert "VALUE" not in pane.says(command_lines, env={"PATH": "/usr/bin:/bin", "SECRET": "VALUE"})


def test_nothing_that_was_open_stays_open(pane: Pane) -> None:
    pane.write(argv=("/bin/ls", "/proc/self/fd"))
    done = pane.run(before=("sh", "-c", 'exec 3</ 4</ 9</; exec "$@"', "sh"))
    assert done.stdout.split() == ["0", "1", "2", "3"]  # ls has opened the last itself


def test_each_copy_is_read_from_its_descriptor(pane: Pane) -> None:
    copies = [b"one", b"", b"\0\xff" * 100_000]
    done = pane.says(
        "cat <&5; wc -c <&6; md5sum <&7; ls /proc/self/fd | wc -l",
        copies=[base64.b64encode(copy).decode() for copy in copies],
    )
    total = subprocess.run(["md5sum"], input=copies[2], capture_output=True, check=True).stdout.decode()
    assert done == f"one0\n{total}7\n"  # 0 1 2 5 6 7 and the folder that ls reads


def test_a_jail_gets_its_filter_and_its_status_on_their_descriptors(pane: Pane) -> None:
    status = pane.folder / "status"
    said = pane.says("cat <&4; echo '{\"child-pid\": 7}' >&3", seal=SEAL, status=str(status))
    assert said == "FILTER"
    assert status.read_text() == '{"launch": "exec"}\n{"child-pid": 7}\n'
    assert stat.S_IMODE(status.stat().st_mode) == 0o600


def test_an_open_session_can_not_write_its_status(pane: Pane) -> None:
    status = pane.folder / "status"
    status.write_text("of the last start\n")
    assert pane.says("ls /proc/self/fd", status=str(status)).split() == ["0", "1", "2", "3"]
    assert status.read_text() == '{"launch": "exec"}\n'


@pytest.mark.parametrize(("seal", "ignored"), [(None, 0), (SEAL, 1 << 1)])
def test_signals_are_as_a_shell_leaves_them_but_for_a_jails_ctrl_c(
    pane: Pane, seal: object, ignored: int
) -> None:
    pane.write(argv=("/bin/grep", "^Sig[IB]", "/proc/self/status"), seal=seal)
    # as a daemon, or a shell in the background, may hand them down: some ignored, one blocked
    hostile = "import os, signal, sys; [signal.signal(each, signal.SIG_IGN) for each in (2, 3, 13)]; "
    hostile += "signal.pthread_sigmask(signal.SIG_BLOCK, [10]); "
    # make does by posix_spawn, which leaves two signals of the C library ignored
    hostile += "os.waitpid(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ), 0)"
    done = pane.run(before=(sys.executable, "-I", "-S", "-c", hostile))
    assert done.stdout == f"SigBlk:\t{0:016x}\nSigIgn:\t{ignored:016x}\n"


def test_a_jail_leaves_no_core_and_has_a_bound_of_processes(pane: Pane) -> None:
    core, processes = pane.says("ulimit -c; ulimit -p || ulimit -u", seal=SEAL).split()
    assert core == "0"
    assert processes != "unlimited"


def test_the_spec_is_gone_when_the_program_runs(pane: Pane) -> None:
    assert pane.says(f"ls {pane.folder}") == ""


@pytest.mark.parametrize("arguments", [(), ("",)])
def test_without_a_spec_nothing_starts(arguments: tuple[str, ...]) -> None:
    done = subprocess.run([*LAUNCHER, *arguments], env={}, capture_output=True, text=True, check=False)
    assert told(done) == (
        125,
        "",
        "hqt: the launch spec  can't be read (No such file or directory): start the session again\n",
    )


def test_a_missing_spec_is_told(pane: Pane) -> None:
    assert told(pane.run()) == (
        125,
        "",
        f"hqt: the launch spec {pane.spec} can't be read (No such file or directory): "
        "start the session again\n",
    )


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o622, 0o700 | 0o001])
def test_a_spec_that_others_may_read_or_write_is_not_believed(pane: Pane, mode: int) -> None:
    pane.write()
    pane.spec.chmod(mode)
    assert told(pane.run()) == (
        125,
        "",
        f"hqt: the launch spec {pane.spec} can't be read (not a private file of yours): "
        "start the session again\n",
    )


@only_root
def test_a_spec_of_another_user_is_not_believed(pane: Pane) -> None:
    pane.write()
    os.chown(pane.spec, 65534, 65534)
    done = pane.run()
    assert done.returncode == 125
    assert "(not a private file of yours)" in done.stderr


def test_a_link_in_the_place_of_the_spec_is_not_followed(pane: Pane) -> None:
    pane.write()
    real = pane.spec.rename(pane.folder / "real")
    pane.spec.symlink_to(real)
    done = pane.run()
    assert done.returncode == 125
    assert "(Too many levels of symbolic links)" in done.stderr
    assert real.exists()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_no_spec_and_is_not_waited_for(pane: Pane, make: type) -> None:
    make(pane.spec, 0o600)
    done = pane.run()
    assert (done.returncode, done.stdout) == (125, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "7", '"x"', "{}", "\xff\xfe", "[" * 100_000, '{"version": 1}', '{"version": 99}'],
)
def test_a_damaged_spec_is_told_and_deleted(pane: Pane, text: str) -> None:
    pane.spec.write_bytes(text.encode("latin-1"))
    pane.spec.chmod(0o600)
    damaged(pane)


@pytest.mark.parametrize(
    "fields",
    [
        {"argv": []},
        {"argv": [""]},
        {"argv": "sh"},
        {"argv": ["sh", 1]},
        {"argv": ["sh", "a\0b"]},
        {"argv": ["sh", "\ud800"]},
        {"argv": None},
        {"env": []},
        {"env": {"A": 1}},
        {"env": {"A=B": "x"}},
        {"env": {"": "x"}},
        {"env": {"A": "a\0b"}},
        {"cwd": None},
        {"cwd": "/a\0b"},
        {"copies": "abcd"},
        {"copies": ["no base64!"]},
        {"copies": [None]},
        {"status": 3},
        {"umask": "022"},
        {"umask": -1},
        {"umask": 1 << 40},
        {"seal": {}},
        {"seal": True},
        {"seal": {**SEAL, "filter": ""}},
        {"seal": {**SEAL, "sources": "x"}},
        {"seal": {**SEAL, "sources": [["/x", 1]]}},
        {"seal": {**SEAL, "sources": [[1, 2, 3]]}},
    ],
    ids=str,
)
def test_a_spec_with_one_wrong_field_is_damaged(pane: Pane, fields: dict[str, object]) -> None:
    pane.write()
    spec = json.loads(pane.spec.read_text())
    pane.spec.write_text(json.dumps({**spec, **fields}))
    damaged(pane)


def damaged(pane: Pane) -> None:
    done = pane.run()
    assert (done.returncode, done.stdout) == (125, "")
    assert done.stderr.startswith(f"hqt: the launch spec {pane.spec} is damaged (")
    assert done.stderr.endswith("): start the session again\n")
    assert done.stderr.count("\n") == 1
    assert not pane.spec.exists()


@pytest.mark.parametrize("field", "version argv env cwd copies status seal umask".split())
def test_a_spec_without_one_of_its_fields_is_damaged(pane: Pane, field: str) -> None:
    pane.write()
    spec = json.loads(pane.spec.read_text())
    del spec[field]
    pane.spec.write_text(json.dumps(spec))
    damaged(pane)


@pytest.mark.parametrize(
    ("name", "reason"), [("gone", "No such file or directory"), ("spec.json", "Not a directory")]
)
def test_a_folder_that_is_gone_is_told(pane: Pane, name: str, reason: str) -> None:
    (pane.folder / "spec.json").touch()
    cwd = pane.folder / ("gone" if name == "gone" else "file")
    if name != "gone":
        cwd.touch()
    pane.write(cwd=str(cwd))
    sentence = f"hqt: the folder {cwd} can't be entered ({reason}): see `hqt move`\n"
    assert told(pane.run()) == (125, "", sentence)
    assert not pane.spec.exists()


def test_a_status_that_can_not_be_written_is_told(pane: Pane) -> None:
    status = pane.folder / "gone/status"
    pane.write(status=str(status))
    assert told(pane.run()) == (
        125,
        "",
        f"hqt: {status} can't be written (No such file or directory): start the session again\n",
    )


def test_a_program_that_is_absent_is_told_on_the_pane_and_in_the_status(pane: Pane) -> None:
    status = pane.folder / "status"
    for program in ("/nonexistent/agent", "no-such-agent", f"{pane.spec}/agent"):
        pane.write(argv=(program,), status=str(status))
        done = pane.run()
        assert (done.returncode, done.stdout) == (127, "")
        sentence = f"{program} can't be run (No such file or directory): is it installed?"
        assert done.stderr == f"hqt: {sentence}\n"
        first, second = map(json.loads, status.read_text().splitlines())
        assert first == {"launch": "exec"}
        assert second == {"launch": "failed", "why": sentence}


def test_a_program_that_can_not_be_run_is_told(pane: Pane) -> None:
    program = pane.folder / "agent"
    program.write_text("#!/bin/sh\n")
    pane.write(argv=(str(program),))
    sentence = f"hqt: {program} can't be run (Permission denied): is it installed?\n"
    assert told(pane.run()) == (126, "", sentence)


@pytest.mark.parametrize("descriptor", [0, 1, 2])
def test_with_an_open_folder_as_a_standard_stream_nothing_starts(pane: Pane, descriptor: int) -> None:
    pane.write(argv=("/usr/bin/touch", "started"))
    # Python itself gives up where it is so from the start: here it becomes so
    becoming = "import os, runpy, sys; os.dup2(os.open('/', os.O_RDONLY), int(sys.argv.pop(1))); "
    becoming += "del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"
    late = [sys.executable, "-I", "-S", "-c", becoming, str(descriptor), launch.__file__, str(pane.spec)]
    done = subprocess.run(late, env={}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == (125 if descriptor != 2 else 120)  # 120: what it says can't be said either
    sentence = f"hqt: descriptor {descriptor} is an open folder: redirect it elsewhere\n"
    assert done.stderr == (sentence if descriptor != 2 else "")
    early = ("sh", "-c", f'exec "$@" {descriptor}</', "sh")
    assert pane.run(before=early).returncode != 0
    assert not (pane.folder / "started").exists()


def test_a_closed_standard_stream_is_no_reason_not_to_start(pane: Pane) -> None:
    pane.write(argv=("/bin/sh", "-c", "echo started"))
    done = pane.run(before=("sh", "-c", 'exec "$@" <&-', "sh"))
    assert told(done) == (0, "started\n", "")


@pytest.mark.parametrize(("sealed", "is_the_file"), [(True, False), (False, True)])
def test_a_file_on_standard_input_reaches_a_jail_by_a_pipe(
    pane: Pane, sealed: bool, is_the_file: bool
) -> None:
    file = pane.folder / "input"
    file.write_text("read me\n" * 100_000)
    script = "test -f /dev/stdin && echo file; wc -l; echo lost > /proc/self/fd/0"
    pane.write(argv=("/bin/sh", "-c", script), seal=SEAL if sealed else None)
    with file.open() as opened:
        done = pane.run(stdin=opened.fileno())
    assert done.stdout == ("file\n" if is_the_file else "") + "100000\n"
    assert (file.read_text() == "lost\n") == is_the_file


def test_a_jail_that_reads_no_input_is_not_waited_for(pane: Pane) -> None:
    file = pane.folder / "input"
    file.write_bytes(bytes(10_000_000))
    pane.write(argv=("/bin/sh", "-c", "head -c 1 | wc -c"), seal=SEAL)
    with file.open() as opened:
        assert told(pane.run(stdin=opened.fileno())) == (0, "1\n", "")


def test_a_source_that_is_still_the_same_is_let_through(pane: Pane) -> None:
    assert pane.says("echo started", seal={**SEAL, "sources": [identity(pane.folder)]}) == "started\n"


def test_a_source_that_was_swapped_for_a_link_is_refused(pane: Pane) -> None:
    source, other = pane.folder / "source", pane.folder / "other"
    for folder in (source, other):
        folder.mkdir()
    seal = {**SEAL, "sources": [identity(source)]}
    source.rename(pane.folder / "away")
    source.symlink_to(other)
    pane.write(seal=seal)
    sentence = f"hqt: {source} was replaced while the jail was prepared: look at it, then start again\n"
    assert told(pane.run()) == (125, "", sentence)


def test_a_source_that_is_gone_is_refused(pane: Pane) -> None:
    pane.write(seal={**SEAL, "sources": [[str(pane.folder / "gone"), 1, 2]]})
    assert told(pane.run()) == (
        125,
        "",
        f"hqt: {pane.folder}/gone can't be shown in the jail (No such file or directory): start again\n",
    )


def identity(path: Path) -> list[object]:
    found = path.stat()
    return [str(path), found.st_dev, found.st_ino]
