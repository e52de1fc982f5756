"""scripts/real on machines with and without npm; no real program is needed here."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import surroundings

SCRIPT = Path(__file__).parents[2] / "scripts/real"
PROGRAMS = {
    "claude": "@anthropic-ai/claude-code@2.1.197",
    "codex": "@openai/codex@0.171.0",
    "gemini": "@google/gemini-cli@0.61.0",
    "qwen": "@qwen-code/qwen-code@0.15.10",
    "opencode": "opencode-ai@1.18.33",
    "pi": "@mariozechner/pi-coding-agent@0.73.1",
}
FIRST = PROGRAMS["claude"]

_NPM = """\
for spec; do :; done
echo "npm $spec" >>"$CALLS"
[ ! -e "$OFFLINE" ] || exit 1
case $spec in
*claude*) name=claude ;; *gemini*) name=gemini ;; *qwen*) name=qwen ;;
opencode*) name=opencode ;; */pi-*) name=pi ;; *) name=codex ;;
esac
mkdir -p "$3/node_modules/.bin"
stream=1
[ $name != pi ] || stream=2 # as the real one
printf '#!/bin/sh\\necho %s >&%s\\n' "${spec##*@}" "$stream" >"$3/node_modules/.bin/$name"
chmod 755 "$3/node_modules/.bin/$name"
"""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A checkout whose set-up, Python and npm only write down that they were called."""

    root: Path

    def stub(self, name: str, script: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def run(self, *, limit_s: float = 30, **env: str) -> subprocess.CompletedProcess[str]:
        known = {
            "PATH": f"{self.root}/bin:/usr/bin:/bin",
            "CALLS": str(self.root / "calls"),
            "OFFLINE": str(self.root / "offline"),
            "HQT_REAL_CACHE": str(self.cache),
        }
        argv = [str(self.root / "scripts/real"), "-x"]
        return subprocess.run(
            argv, env=known | env, capture_output=True, text=True, timeout=limit_s, check=False
        )

    @property
    def cache(self) -> Path:
        return self.root / "cache"

    @property
    def programs(self) -> str:
        """The value of HQT_REAL_PATH."""
        homes = (f"{name}-{spec.rpartition('@')[2]}" for name, spec in PROGRAMS.items())
        return ":".join(f"{self.cache}/{home}/node_modules/.bin" for home in homes)

    def calls(self) -> list[str]:
        """What was called since the last look, in order."""
        path = self.root / "calls"
        found = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return found


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    made = Checkout(tmp_path)
    made.stub("scripts/setup", 'echo "setup $*" >>"$CALLS"')
    made.stub("scripts/test-as-user", 'echo "as user: $* with $HQT_REAL_PATH" >>"$CALLS"')
    made.stub(".venv/bin/python", 'echo "python $* with $HQT_REAL_PATH" >>"$CALLS"')
    made.stub("bin/id", "echo 1000")
    made.stub("bin/npm", _NPM)
    shutil.copy(SCRIPT, tmp_path / "scripts/real")
    return made


def test_the_programs_are_installed_and_the_tests_find_them(checkout: Checkout) -> None:
    assert checkout.run().returncode == 0
    tests = f"python -m pytest -n 2 --dist worksteal -m harness tests/real -x with {checkout.programs}"
    assert checkout.calls() == ["setup node npm", *(f"npm {spec}" for spec in PROGRAMS.values()), tests]


def test_a_second_run_installs_nothing(checkout: Checkout) -> None:
    checkout.run()
    checkout.calls()
    again = checkout.run()
    assert (again.returncode, again.stderr) == (0, "")
    assert [call.split()[0] for call in checkout.calls()] == ["setup", "python"]


def test_root_runs_the_tests_as_an_ordinary_user_too(checkout: Checkout) -> None:
    checkout.stub("bin/id", "echo 0")
    assert checkout.run().returncode == 0
    assert (
        checkout.calls()[-1]
        == f"as user: -n 2 --dist worksteal -m harness and not network tests/real -x with {checkout.programs}"
    )


def test_only_the_programs_that_are_named_are_provided(checkout: Checkout) -> None:
    assert checkout.run(HQT_REAL_PROGRAMS="codex pi").returncode == 0
    installed = [call for call in checkout.calls() if call.startswith("npm")]
    assert installed == [f"npm {PROGRAMS['codex']}", f"npm {PROGRAMS['pi']}"]


@pytest.mark.harness
@pytest.mark.network
def test_from_an_empty_cache_a_program_is_really_installed_and_runs(checkout: Checkout) -> None:
    (checkout.root / "bin/npm").unlink()
    # npm needs its user's settings: a registry, certificates, a proxy
    surrounding = {**surroundings.BEFORE, "PATH": f"{checkout.root}/bin:{os.environ['PATH']}"}
    done = checkout.run(
        **surrounding | {"CI": "1", "HQT_REAL_PROGRAMS": "qwen", "HQT_REAL_CACHE": str(checkout.cache)},
        limit_s=300,
    )
    program = checkout.cache / "qwen-0.15.10/node_modules/.bin/qwen"
    assert (done.returncode, program.exists()) == (0, True), done.stderr
    assert [call.split()[0] for call in checkout.calls()] == ["setup", "python"]


def test_what_was_installed_can_be_entered_by_everyone(checkout: Checkout) -> None:
    checkout.run()
    folder = checkout.cache / "claude-2.1.197"
    assert {path.stat().st_mode & 0o777 for path in (checkout.cache, folder)} == {0o755}


def test_without_npm_it_says_so_and_succeeds(checkout: Checkout) -> None:
    checkout.stub("scripts/setup", "exit 1")
    done = checkout.run()
    assert (done.returncode, done.stderr) == (
        0,
        "real: skipped: node and npm can't be had, as it says above\n",
    )


def test_without_a_network_it_says_so_and_keeps_nothing(checkout: Checkout) -> None:
    (checkout.root / "offline").touch()
    done = checkout.run()
    assert done.returncode == 0
    assert done.stderr.endswith(f"real: skipped: npm could not install {FIRST}, as it says above\n")
    assert list(checkout.cache.iterdir()) == []


def test_in_ci_a_skip_is_a_failure(checkout: Checkout) -> None:
    (checkout.root / "offline").touch()
    done = checkout.run(CI="1")
    assert done.returncode == 1
    assert done.stderr.endswith("real: CI is set, and there nothing may be skipped\n")


def test_a_program_that_does_not_run_here_is_not_kept(checkout: Checkout) -> None:
    checkout.stub("bin/npm", 'mkdir -p "$3/node_modules/.bin"')
    done = checkout.run()
    assert done.returncode == 0
    assert done.stderr.endswith(f"real: skipped: {FIRST} was installed and does not run here\n")
    assert list(checkout.cache.iterdir()) == []


def test_a_failed_test_fails_the_run(checkout: Checkout) -> None:
    checkout.stub(".venv/bin/python", "exit 3")
    assert checkout.run().returncode == 3
