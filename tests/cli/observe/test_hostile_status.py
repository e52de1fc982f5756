"""What a jailed agent puts in the place of its reports changes the state that is shown of itself, no more."""

from pathlib import Path

import pytest

from tests.cli.steps import press, shows
from tests.world import World, needs_bwrap, needs_tmux, wait_until

pytestmark = [pytest.mark.real, pytest.mark.any_user, needs_tmux, needs_bwrap]

# each word that is typed is one attempt; the first number of its registry is that of its own process
_AGENT = r"""
[ "$1" = --help ] && exit 0
said=$HQT_EVENTS/words list=$HOME/.claude/sessions/2.json
clear_both() { rm -rf "$said" "$list"; }
while read -r word; do
    clear_both
    case $word in
    link) ln -s "$HOME/told" "$said"; ln -s "$HOME/told" "$list";;
    pipe) mkfifo "$said" "$list";;
    folder) mkdir "$said" "$list";;
    huge) truncate -s 1T "$said" "$list"; printf '\nworking\n' >>"$said";;
    unknown) printf 'done\nwaiting 2\n../2 waiting\n$(touch /tmp/x)\n' >"$said"; echo '[[[' >"$list";;
    many) n=9; while [ $n -lt 200 ]; do n=$((n + 1)); : >"$HOME/.claude/sessions/$n.json"; done;;
    names) mkdir -p "$HQT_EVENTS/../2/events"; echo waiting >"$HQT_EVENTS/../2/events/words";;
    lie) printf '{"status":"waiting","waitingFor":"\\u001b]0;x\\u0007 \\u202e","statusUpdatedAt":%s000}' \
        "$(date +%s)" >"$list"; echo waiting >"$said";;
    esac
    echo "tried $word"
done
"""
_QUIET = 'while read -r word; do echo "$word" >"$HQT_EVENTS/words"; echo "said $word"; done'


@pytest.fixture
def hostile(world: World) -> World:
    """Session 1 is hostile, 2 at rest; told: a file of the host that tells of waiting."""
    (world.home / "told").write_text("waiting\n")
    for script in (_AGENT, '[ "$1" = --help ] && exit 0\n' + _QUIET):
        world.tool("claude", script)
        assert world.hqt("new", "-s", "--harness", "claude").returncode == 0
    press(world, "2", "idle", "Enter")
    assert shows(world, 2, "said idle")
    assert wait_until(lambda: _states(world)[1] == "idle")
    return world


def _states(world: World) -> list[str]:
    return [session["state"] for session in sorted(world.json("list"), key=lambda each: int(each["id"]))]


def _try(world: World, word: str) -> None:
    press(world, "1", word, "Enter")
    assert shows(world, 1, f"tried {word}")


@pytest.mark.parametrize("attempt", ["link", "pipe", "folder", "unknown", "many", "names"])
def test_what_is_no_report_tells_nothing(hostile: World, attempt: str) -> None:
    _try(hostile, attempt)
    assert _states(hostile) == ["running", "idle"]


def test_of_a_file_without_end_only_its_ends_are_read(hostile: World) -> None:
    _try(hostile, "huge")  # the whole is a terabyte
    assert _states(hostile) == ["working", "idle"]


def test_a_lie_is_believed_of_the_liar_alone_and_shown_as_text(hostile: World) -> None:
    _try(hostile, "lie")
    assert _states(hostile) == ["waiting", "idle"]
    told = hostile.hqt("status", "1", "--explain").stdout
    assert "waiting" in told
    assert {"\x1b", "\x07", "\u202e"}.isdisjoint(told)
    assert not Path("/tmp/x").exists()
