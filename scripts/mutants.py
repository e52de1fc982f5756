"""Draws small faults of src/hqt by a seed, and says which of them the tests find.

    .venv/bin/python scripts/mutants.py --seed 10 --count 200 > mutants.jsonl

Each mutant is applied to a copy of src and meets the fast tests that mirror its file (tests/a/test_b.py for
src/hqt/a/b.py), else those of its package. A line of JSON each: file, line, the change, killed or survived.
"""

import argparse
import ast
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).parents[1]
_LIMIT_S = 180
_SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


class Mutant(NamedTuple):
    file: str  # below the checkout
    number: int  # of the node, in the order of ast.walk
    line: int
    change: str


def mutants(file: Path, root: Path) -> Iterator[Mutant]:
    """Every fault that can be drawn in a file."""
    tree = ast.parse(file.read_text())
    for number, node in enumerate(ast.walk(tree)):
        change = _change(node)
        if change is not None:
            yield Mutant(file.relative_to(root).as_posix(), number, getattr(node, "lineno", 0), change)


def mutated(text: str, mutant: Mutant) -> str:
    """The text of the file with that fault."""
    tree = copy.deepcopy(ast.parse(text))
    node = next(each for number, each in enumerate(ast.walk(tree)) if number == mutant.number)
    _apply(node)
    return ast.unparse(ast.fix_missing_locations(tree))


def tests_of(file: str, root: Path) -> list[str]:
    """The test files that mirror a file of src/hqt, else the folder of its package."""
    inside = Path(file).relative_to("src/hqt")
    folder = root / "tests" / inside.parent
    own = sorted(folder.glob(f"test_{inside.stem}*.py"))
    while not own and not folder.is_dir():
        folder = folder.parent
    return [each.relative_to(root).as_posix() for each in own or [folder]]


def _change(node: ast.AST) -> str | None:
    found = None
    match node:
        case ast.Compare(ops=[op]) if type(op) in _SWAPPED:
            found = f"{type(op).__name__} -> {_SWAPPED[type(op)].__name__}"
        case ast.BoolOp(op=op):
            found = "and -> or" if isinstance(op, ast.And) else "or -> and"
        case ast.If() | ast.IfExp() | ast.While():
            found = "condition negated"
        case ast.Constant(value=bool()):
            found = "constant negated"
        case ast.Constant(value=int() | float()):
            found = "constant + 1"
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            found = "returns None"
    return found


def _apply(node: ast.AST) -> None:
    match node:
        case ast.Compare():
            node.ops = [_SWAPPED[type(node.ops[0])]()]
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.If() | ast.IfExp() | ast.While():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.Constant(value=bool()):
            node.value = not node.value
        case ast.Constant(value=int() | float() as value):
            node.value = value + 1
        case ast.Return():
            node.value = ast.Constant(None)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def judge(mutant: Mutant, root: Path) -> dict[str, object]:
    """The mutant, and what became of it."""
    with tempfile.TemporaryDirectory(prefix="hqt-mutant-") as made:
        shutil.copytree(root / "src", Path(made, "src"), ignore=shutil.ignore_patterns("__pycache__"))
        file = Path(made, mutant.file)
        file.write_text(mutated(file.read_text(), mutant))
        argv = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not real and not harness"]
        env = {**os.environ, "PYTHONPATH": f"{made}/src"}
        try:
            done = subprocess.run(
                [*argv, *tests_of(mutant.file, root)],
                cwd=root,
                env=env,
                capture_output=True,
                timeout=_LIMIT_S,
                check=False,
            )
            became = {0: "survived", 5: "untested"}.get(done.returncode, "killed")
        except subprocess.TimeoutExpired:
            became = "killed"
    return {**mutant._asdict(), "became": became}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seed", type=int, default=10)
    asked.add_argument("--count", type=int, default=200)
    asked.add_argument("--jobs", type=int, default=2)
    said = asked.parse_args()
    files = sorted((CHECKOUT / "src/hqt").rglob("*.py"))
    every = [each for file in files for each in mutants(file, CHECKOUT)]
    drawn = random.Random(said.seed).sample(every, said.count)  # noqa: S311 - a sample, no secret
    with ThreadPoolExecutor(said.jobs) as pool:
        for found in pool.map(lambda each: judge(each, CHECKOUT), drawn):
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
