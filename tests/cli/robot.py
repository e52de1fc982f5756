"""An agent whose screen shows the word that it is sent last, and a harness that takes it for what it does."""

from tests.world import World

# first it shows nothing, which tells nothing; `fail` ends it with 3
_PROGRAM = """
while read -r word; do
    [ "$word" != fail ] || exit 3
    printf '\\033[2J\\033[H%s\\n' "$word"
done
"""
_HARNESS = """
[harness.{0}]
command = ["{0}"]
help = []
prompt = ["{{prompt}}"]
screen = [
    {{ means = "waiting", pattern = "^ask" }},
    {{ means = "working", pattern = "^busy" }},
    {{ means = "idle", pattern = "^ready" }},
]
"""


def declare(world: World, *names: str, more: str = "") -> None:
    """Write a config.toml that declares such harnesses; `more` stands behind them."""
    world.places.config.mkdir(parents=True, exist_ok=True)
    harnesses = "".join(_HARNESS.format(name) for name in names or ("robot",))
    world.places.config_file.write_text(f"{harnesses}\n{more}\n")


def begin(world: World, name: str) -> None:
    """Start a session of that name with such an agent."""
    world.tool("robot", _PROGRAM)
    done = world.hqt("new", "--harness", "robot", "--name", name)
    assert done.returncode == 0, done.stderr
