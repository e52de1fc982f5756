"""docs/architecture.md names files that are there, and every package of the house."""

import re
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
SOURCE = CHECKOUT / "src/hqt"
PAGE = CHECKOUT / "docs/architecture.md"


def test_every_file_that_the_page_names_is_there() -> None:
    named = re.findall(r"`([\w./]+(?:\.py|/))`", PAGE.read_text())
    missing = [name for name in named if not (SOURCE / name).exists() and not (CHECKOUT / name).exists()]
    assert len(named) > 50
    assert missing == []


def test_the_page_names_every_package_and_module_at_the_top() -> None:
    rooms = {path.name + "/" for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    rooms |= {path.name for path in SOURCE.glob("*.py")} - {"__init__.py", "__main__.py"}
    assert rooms - set(re.findall(r"`([\w.]+/?)`", PAGE.read_text())) == set()


def test_no_package_has_more_than_16_modules() -> None:
    sizes = {
        folder.parent.relative_to(SOURCE).as_posix(): len(list(folder.parent.glob("*.py"))) - 1
        for folder in SOURCE.rglob("__init__.py")
    }
    assert {name: size for name, size in sizes.items() if size > 16} == {}
