"""The folder for reports as a jail has it: written by a hook of shell, and the only thing of hqt's there."""

import pytest

from hqt.db import reader
from hqt.status import events
from tests.cli.steps import shows
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux]

# what claude does with --settings, and a look around
_CLAUDE = r"""
settings=
while [ $# -gt 0 ]; do [ "$1" = --settings ] && settings=$2; shift; done
[ -n "$settings" ] || exit 0
hook=$(printf %s "$settings" | python3 -c 'import json, sys
print(json.load(sys.stdin)["hooks"]["SessionStart"][0]["hooks"][0]["command"])')
printf '{"session_id":"of-this-life","cwd":"%s"}' "$PWD" | eval "$hook"
echo "hook $? in $HQT_EVENTS"
echo "seen $(ls "$HQT_EVENTS") $(ls -A /run/hqt 2>/dev/null)"
exec cat
"""


@pytest.mark.parametrize("jail", [[], pytest.param(["-s"], marks=needs_bwrap)])
def test_a_hook_writes_its_report_and_sees_no_more_of_hqt(world: World, jail: list[str]) -> None:
    world.tool("claude", _CLAUDE)
    assert world.hqt("new", "--harness", "claude", *jail).returncode == 0
    folder = world.places.session(reader.find(world.places, "1").key) / events.FOLDER
    assert shows(world, 1, "seen starts events" if jail else "seen starts")
    assert shows(world, 1, "hook 0 in /run/hqt/events" if jail else "hook 0 in ")
    assert events.started(folder) == ("of-this-life",)
    assert world.hqt("rm", "--force", "1").returncode == 0
    assert not folder.exists()
