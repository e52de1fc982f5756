"""The tests run in the same surroundings wherever they are started."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import surroundings

CHECKOUT = Path(__file__).parents[2]
_ODD = """
import os, resource, signal, subprocess, sys
for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGCHLD):
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
os.umask(0)
os.close(0)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
os.execv(sys.executable, [sys.executable, "-c", sys.argv[1]])
"""
_TOLD = """
import json, os, resource, signal, sys
from tests import surroundings
surroundings.hide()
mask = os.umask(0)
print(json.dumps({
    "variables": sorted(os.environ),
    "zone": os.environ["TZ"],
    "umask": mask,
    "ignored": sorted(n for n in signal.valid_signals() if signal.getsignal(n) == signal.SIG_IGN),
    "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    "files": resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 64,
    "cores": resource.getrlimit(resource.RLIMIT_CORE)[0],
    "stdin": os.fstat(0).st_rdev == os.stat(os.devnull).st_rdev,
}))
"""


def test_odd_surroundings_are_hidden() -> None:
    env = {
        "PATH": os.defpath,
        "CI": "1",
        "CODEX_HOME": "/nowhere",
        "GIT_DIR": "/nowhere",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "TZ": "Pacific/Kiritimati",
        "XDG_DATA_HOME": "/nowhere",
    }
    argv = [sys.executable, "-c", _ODD, _TOLD]
    done = subprocess.run(argv, env=env, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {
        "variables": ["CI", "LANG", "PATH", "TERM", "TZ"],
        "zone": "UTC",
        "umask": 0o022,
        "ignored": [13, 25],  # Python's own: SIGPIPE and SIGXFSZ
        "blocked": [],
        "files": True,
        "cores": 0,
        "stdin": True,
    }


@pytest.mark.parametrize("there", [("claude", "env"), ("env",)], ids=["with an agent", "without one"])
def test_an_agent_of_the_machine_is_not_on_the_path(tmp_path: Path, there: tuple[str, ...]) -> None:
    usual, other, links = tmp_path / "usual", tmp_path / "other", tmp_path / "links"
    for folder in (usual, other):
        folder.mkdir()
    for name in there:
        (usual / name).touch()
    path = surroundings.without(frozenset({"claude"}), f"{usual}:{other}:/not/there", links)
    farm = links / "0" if "claude" in there else usual
    assert path == f"{farm}:{other}:/not/there"
    assert [each.name for each in farm.iterdir()] == ["env"]
