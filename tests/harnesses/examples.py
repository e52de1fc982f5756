"""The harnesses that docs/examples declares, held to what the built-in ones keep to."""

from pathlib import Path

from hqt.config.file import load_config
from hqt.config.harness import DeclaredHarness
from hqt.harnesses import registry
from hqt.sandbox.files.private import Private
from tests.harnesses.places import HOME

FOLDER = Path(__file__).parents[2] / "docs/examples"
ID = "44444444-4444-4444-8444-444444444444"


def _said() -> dict[str, DeclaredHarness]:
    found = (each for file in sorted(FOLDER.glob("*.toml")) for each in load_config(file).harnesses)
    return {each.name: each for each in found}


SAID = _said()
HARNESSES = registry.harnesses(SAID.values(), FOLDER, Private.of(HOME, [HOME / ".local/share/hqt"]))


def planted(name: str, home: Path) -> str:
    """Put a conversation of that example on disk."""
    pattern = SAID[name].transcript
    assert pattern is not None
    path = home / pattern.removeprefix("~/").replace("{id}", ID)
    path.parent.mkdir(parents=True)
    path.touch()
    return ID
