import subprocess
import sys
from pathlib import Path
from typing import ClassVar

from hqt.harnesses import registry
from hqt.harnesses.base import Evidence
from hqt.harnesses.docs_page import page
from hqt.harnesses.pi.harness import Pi

DOCS = Path(__file__).parents[2] / "docs/harnesses.md"


def test_the_docs_are_what_the_harnesses_declare() -> None:
    assert DOCS.read_text() == page(map(registry.kind, registry.NAMES)) + "\n", "run `make docs`"


def test_run_as_a_program_it_prints_the_page() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hqt.harnesses.docs_page"], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout == DOCS.read_text()


class Unknown(Pi):
    name = "unknown"
    label = "Unknown"
    executable = "unknown"
    evidence: ClassVar = Evidence(unknown=("All of it.",))


def test_what_was_not_run_is_not_said_to_be() -> None:
    table, _, section = page([Unknown, registry.kind("generic")]).partition("\n## ")
    assert "| `unknown` | Unknown | `unknown` | none | given by hqt |" in table
    assert "generic" not in table
    assert section.startswith("Unknown\nWhere its program comes from is not known.\n\n| in a jail | |\n")
    assert section.endswith("\nNot known, or not done:\n\n- All of it.")
    assert "Seen with" not in section


def test_a_jail_is_told_by_its_files_in_the_home_of_anybody() -> None:
    _, _, section = page([Pi]).partition("\n## ")
    rows = section.splitlines()[3:]
    assert rows[:4] == [
        "| in a jail | |",
        "|---|---|",
        "| prompts off by | nothing |",
        "| shared, read and written | `~/.pi/agent/sessions/--home-you-project--` |",
    ]
    assert rows[4].startswith("| shared, read-only where it exists | `~/.pi/agent/models.json` `~/.pi/agent/")
    assert "| made anew at each start | `~/.pi/agent/auth.json` |" in rows
    assert "| variables that move its files | `PI_CODING_AGENT_DIR` `PI_CODING_AGENT_SESSION_DIR` |" in rows
