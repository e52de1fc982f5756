"""What jails need in a git folder is there while one of them runs, and goes with the last."""

import os
from pathlib import Path

import pytest

from hqt.errors import JailError
from hqt.integrity import placeholders
from hqt.integrity.placeholders import Held, make_placeholders, release_placeholders, sweep_placeholders
from hqt.sandbox.git.survey import Made
from tests.world import World


def _wanted(world: World) -> list[Made]:
    return [
        Made(world.project / "dev", None),
        Made(world.project / "dev/hooks", None),
        Made(_file(world), b".\n"),
    ]


def _file(world: World) -> Path:
    return world.project / "commondir"


def _nobody(_: str) -> bool:
    return False


def _everybody(_: str) -> bool:
    return True


def test_it_is_made_and_goes_again(world: World) -> None:
    make_placeholders(world.places, "a", world.project, _wanted(world))
    assert (world.project / "dev/hooks").is_dir()
    assert _file(world).read_bytes() == b".\n"
    assert placeholders.held(world.places, "a") == Held(world.project, tuple(_wanted(world)))
    release_placeholders(world.places, "a", _nobody)
    assert not (world.project / "dev").exists()
    assert not _file(world).exists()
    assert placeholders.holders(world.places) == []


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_it_goes_with_the_last_of_two(order: str, world: World) -> None:
    for holder in "ab":
        make_placeholders(world.places, holder, world.project, _wanted(world))
    release_placeholders(world.places, order[0], _everybody)
    assert _file(world).exists()
    assert (world.project / "dev/hooks").is_dir()
    release_placeholders(world.places, order[1], _everybody)
    assert not _file(world).exists()
    assert not (world.project / "dev").exists()


def test_what_was_there_before_stays(world: World) -> None:
    _file(world).write_bytes(b".\n")
    (world.project / "dev").mkdir()
    make_placeholders(world.places, "a", world.project, _wanted(world))
    release_placeholders(world.places, "a", _nobody)
    assert _file(world).exists()
    assert sorted(path.name for path in (world.project / "dev").iterdir()) == []


def test_what_somebody_uses_or_changed_stays(world: World) -> None:
    make_placeholders(world.places, "a", world.project, _wanted(world))
    (world.project / "dev/hooks/x").touch()
    _file(world).write_bytes(b"other\n")
    release_placeholders(world.places, "a", _nobody)
    assert (world.project / "dev/hooks/x").exists()
    assert _file(world).exists()


@pytest.mark.parametrize("planted", ["pipe", "link", "folder"])
def test_what_was_planted_in_its_place_is_neither_followed_nor_waited_for(planted: str, world: World) -> None:
    target = world.home / "target"
    target.write_bytes(b".\n")
    make_placeholders(world.places, "a", world.project, _wanted(world))
    _file(world).unlink()
    if planted == "pipe":
        os.mkfifo(_file(world))
    elif planted == "link":
        _file(world).symlink_to(target)
    else:
        _file(world).mkdir()
    release_placeholders(world.places, "a", _nobody)
    assert os.path.lexists(_file(world))
    assert target.exists()


def test_a_holder_that_ended_unseen_is_swept_and_a_live_one_is_not(world: World) -> None:
    make_placeholders(world.places, "dead", world.project, _wanted(world))
    make_placeholders(world.places, "live", world.project, [Made(_file(world), b".\n")])
    sweep_placeholders(world.places, lambda holder: holder == "live")
    assert placeholders.holders(world.places) == ["live"]
    assert _file(world).exists()
    assert not (world.project / "dev").exists()


def test_a_dead_holders_things_are_taken_over(world: World) -> None:
    make_placeholders(world.places, "dead", world.project, _wanted(world))
    make_placeholders(world.places, "a", world.project, _wanted(world))
    release_placeholders(world.places, "a", lambda holder: holder == "a")
    assert not _file(world).exists()


def test_what_can_not_be_made_is_a_sentence_and_leaves_nothing(world: World) -> None:
    wanted = [*_wanted(world), Made(world.project / "README/x", None)]
    with pytest.raises(JailError, match=r"README/x can't be made \(Not a directory\)"):
        make_placeholders(world.places, "a", world.project, wanted)
    release_placeholders(world.places, "a", _nobody)
    assert not _file(world).exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"makes": 7}', '{"project": 7}', '{"makes": [["a"]]}'])
def test_an_entry_that_can_not_be_read_holds_nothing_and_can_be_released(text: str, world: World) -> None:
    make_placeholders(world.places, "a", world.project, [])
    placeholders.file(world.places, "a").write_text(text)
    assert placeholders.held(world.places, "a") == Held(None)
    release_placeholders(world.places, "a", _nobody)
    assert placeholders.holders(world.places) == []


def test_a_command_is_live_as_long_as_its_process() -> None:
    assert placeholders.is_live_command(placeholders.command())
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    begun = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    os.waitpid(pid, 0)
    assert not placeholders.is_live_command(f"command-{pid}-{begun}")
    assert not placeholders.is_live_command(f"command-{os.getpid()}-1")
    assert not placeholders.is_live_command(f"command-{os.getpid()}-")
    assert not placeholders.is_live_command("0123abcd")
