"""What is installed: the pins of .venv and the content of the wheel."""

import subprocess
import sys
import zipfile
from importlib.metadata import requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from tests.ground.machine import REPOSITORY


def _pins() -> dict[NormalizedName, str]:
    lines = (REPOSITORY / "constraints.txt").read_text().splitlines()
    pairs = (line.split("==") for line in lines if not line.startswith("#"))
    return {canonicalize_name(name): pin for name, pin in pairs}


def _needed(name: str, extras: frozenset[str], seen: set[NormalizedName]) -> set[NormalizedName]:
    """Every distribution that `name` needs here, however far below, added to `seen`."""
    for line in requires(name) or ():
        wanted = Requirement(line)
        below = canonicalize_name(wanted.name)
        applies = wanted.marker is None or any(
            wanted.marker.evaluate({"extra": extra}) for extra in extras | {""}
        )
        if applies and below not in seen:
            seen.add(below)
            _needed(below, frozenset(wanted.extras), seen)
    return seen


def test_every_package_of_the_venv_is_pinned_as_installed() -> None:
    needed = _needed("hqt-sessions", frozenset({"dev"}), set())
    assert {name: version(name) for name in needed} == {
        name: pin for name, pin in _pins().items() if name in needed
    }


def test_the_pins_name_no_address() -> None:
    text = (REPOSITORY / "constraints.txt").read_text()
    assert [line for line in text.splitlines() if "/" in line and not line.startswith("#")] == []


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(tmp_path: Path) -> None:
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", build, tmp_path], cwd=REPOSITORY, capture_output=True, check=True)
    (wheel,) = tmp_path.iterdir()
    source = REPOSITORY / "src"
    files = {
        str(path.relative_to(source))
        for path in (source / "hqt").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == files
