"""Faults are drawn where there can be one, applied to one place, and judged by the tests of their file."""

import sys
from pathlib import Path

import pytest

from tests.ground.machine import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "scripts"))
import mutants  # type: ignore[import-not-found]

_TEXT = """\
def f(x):
    if x > 1 and x != 3:
        return x + 1
    return None
"""
_CHANGED = {
    "condition negated": "not (x > 1 and x != 3)",
    "and -> or": "x > 1 or x != 3",
    "Gt -> GtE": "x >= 1",
    "NotEq -> Eq": "x == 3",
    "returns None": "return None",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("src/hqt/a", "tests/a"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "src/hqt/a/b.py").write_text(_TEXT)
    return tmp_path


def test_each_fault_is_one_change_of_the_text(root: Path) -> None:
    found = {each.change: each for each in mutants.mutants(root / "src/hqt/a/b.py", root)}
    assert set(_CHANGED) <= found.keys()
    for change, text in _CHANGED.items():
        assert text in mutants.mutated(_TEXT, found[change])


def test_the_tests_of_a_file_mirror_it(root: Path) -> None:
    assert mutants.tests_of("src/hqt/a/b.py", root) == ["tests/a"]
    (root / "tests/a/test_b.py").touch()
    (root / "tests/a/test_b_laws.py").touch()
    assert mutants.tests_of("src/hqt/a/b.py", root) == ["tests/a/test_b.py", "tests/a/test_b_laws.py"]


def test_a_fault_that_a_test_finds_is_killed(root: Path) -> None:
    (root / "tests/a/test_b.py").write_text("from hqt.a.b import f\ndef test() -> None: assert f(2) == 3\n")
    (root / "pytest.ini").write_text("[pytest]\nmarkers =\n    real\n    harness\n")
    (root / "src/hqt/__init__.py").touch()
    (root / "src/hqt/a/__init__.py").touch()
    found = {each.change: each for each in mutants.mutants(root / "src/hqt/a/b.py", root)}
    became = {
        change: mutants.judge(found[change], root)["became"] for change in ("returns None", "Gt -> GtE")
    }
    assert became == {"returns None": "killed", "Gt -> GtE": "survived"}
