"""What a harness has to say is said before a start in no jail as well."""

from tests.harnesses.gemini.test_chats import HELLO, ID, conversation
from tests.start.test_plan import opened, planned
from tests.world import World

DELETES = (
    "when another Gemini CLI starts in this folder it may delete a conversation that was brought back:"
    " set general.sessionRetention.enabled to false in its settings.json"
)


def test_a_note_of_the_harness_is_said_before_an_open_start(world: World) -> None:
    world.tool("gemini", "exit 0")
    registry = world.home / ".gemini/projects.json"
    conversation(registry.parent / "tmp/proj/chats", HELLO)
    registry.write_text(f'{{"projects": {{"{world.project}": "proj"}}}}')
    launch = opened(world, harness="gemini", args=(), conversation=ID, resume=True)
    assert planned(launch, world).notes == (DELETES,)
