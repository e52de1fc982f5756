"""How one probe is tried and judged, with a shell in place of the jail."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hqt.jailcheck.probe import Outcome, Probe, load
from hqt.jailcheck.processes import Stopped
from hqt.jailcheck.run import run
from hqt.jailcheck.scratch import Scratch, scratch_homes
from hqt.start.caller import Caller
from hqt.values import replace
from tests.world import processes, wait_until

# it goes to the folder and runs what stands behind the --
_SHELL = ("sh", "-c", 'while [ "$1" != -C ]; do shift; done; cd "$2" && shift 3 && exec "$@"', "sh")


@pytest.fixture
def ground() -> Iterator[Scratch]:
    with scratch_homes(Caller.current(), _SHELL) as made, made.fresh() as ground:
        yield ground


def tried(probe: Probe, ground: Scratch, *, offline: bool = True) -> Outcome:
    return run(probe, ground, offline=offline, stop=lambda: False)


def test_a_probe_that_holds_has_nothing_to_say(ground: Scratch) -> None:
    probe = Probe(
        "x", "life", script="pwd; exit 3", exit=3, has=["/proj"], has_not=["no"], after="test -e README"
    )
    assert tried(replace(probe, after="test -e ~/proj/README"), ground) == Outcome("x", "life")


def test_all_that_is_wrong_is_told_with_what_was_seen(ground: Scratch) -> None:
    probe = Probe(
        "x", "read", script="echo seen", exit="nonzero", has=["a"], has_not=["seen"], after="exit 7"
    )
    assert tried(probe, ground).why == (
        "it succeeded; 'a' is missing; 'seen' is there; looked at afterwards it gave 7: ''; "
        "exit 0, said 'seen\\n'"
    )


def test_a_refusal_passes_only_where_it_was_wanted(ground: Scratch) -> None:
    refusing = replace(ground, hqt=("sh", "-c", "exit 125", "sh"))
    probe = Probe("x", "cwd", script="true", refused=True)
    assert tried(probe, refusing).ok
    assert tried(probe, ground).why == "it was not refused; exit 0, said ''"
    assert tried(replace(probe, refused=False), refusing).why == "no jail was made; exit 125, said ''"


def test_what_can_not_be_tried_here_does_not_hold(ground: Scratch) -> None:
    probe = Probe("x", "net", script="true", exit=0)
    assert tried(replace(probe, needs=["no-such-tool"]), ground).why == "not tried: no-such-tool is not here"
    online = tried(replace(probe, net=False), ground, offline=False)
    assert online.why == "not tried: a jail without a network can't be had here"
    assert tried(replace(probe, setup="echo oh; exit 1"), ground).why == "its setup failed: 'oh\\n'"


@pytest.mark.parametrize(
    ("net", "offline", "asked"),
    [(None, True, "--no-net"), (None, False, "--net"), (True, True, "--net"), (False, True, "--no-net")],
)
def test_a_probe_is_offline_where_it_can_be(
    net: bool | None, offline: bool, asked: str, ground: Scratch
) -> None:
    telling = replace(ground, hqt=("sh", "-c", 'echo "$5"', "sh"))
    assert tried(Probe("x", "net", script="true", net=net, has=[f"{asked}\n"]), telling, offline=offline).ok


def test_the_host_acts_once_the_jail_is_ready(ground: Scratch) -> None:
    script = "test -e new; echo before $?; echo READY; read word; echo $word; test -e new; echo after $?"
    probe = Probe("x", "swap", script=script, meanwhile="touch ~/proj/new", has=["before 1", "go", "after 0"])
    assert tried(probe, ground) == Outcome("x", "swap")


def test_an_earlier_agent_prepares_the_same_ground(ground: Scratch) -> None:
    probe = Probe("x", "left", first="echo left > trace; exit 9", script="cat trace", has=["left"])
    assert tried(probe, ground) == Outcome("x", "left")


def test_what_a_probe_leaves_running_ends_with_it(ground: Scratch) -> None:
    probe = Probe("x", "near", setup="sleep 600 >/dev/null 2>&1 &", script="sleep 600 & true", exit=0)
    assert tried(probe, ground) == Outcome("x", "near")
    assert wait_until(lambda: not processes(ground.home))


def test_a_check_that_is_to_end_waits_for_no_probe(ground: Scratch) -> None:
    begun = time.monotonic()
    with pytest.raises(Stopped):
        run(
            Probe("x", "life", script="sleep 600"),
            ground,
            offline=True,
            stop=lambda: time.monotonic() > begun + 0.3,
        )
    assert time.monotonic() < begun + 5
    assert wait_until(lambda: not processes(ground.home))


def test_each_terminal_answers_as_it_is_to(ground: Scratch) -> None:
    size = "echo READY; until stty size | grep ' 77'; do sleep .02; done"
    # no `sleep 60`: dash waits for it, and it misses a Ctrl-C that comes between its vfork and its exec
    interrupt = "trap 'echo INT; exit 3' INT; echo READY; while :; do sleep .02; done"
    assert tried(Probe("x", "tty", script=size, tty="resize", has=["24 77"]), ground).ok
    assert tried(Probe("x", "tty", script="tty", tty="plain", has=["/dev/pts/"]), ground).ok
    assert tried(Probe("x", "tty", script="tty", tty="behind", has=["not a tty"]), ground).ok
    assert tried(Probe("x", "tty", script="echo READY", tty="inject", has=["SHELLGOT:typed"]), ground).ok
    assert tried(Probe("x", "tty", script=interrupt, tty="ctrlc", exit=3, has=["INT"]), ground).ok


def test_a_ground_has_no_word_left_to_fill_in(ground: Scratch) -> None:
    for probe in load():
        for text in (probe.setup, probe.script, probe.python, probe.host, probe.meanwhile, probe.after):
            filled = ground.filled(text)
            assert not any(
                f"@{word}" in filled for word in ("HOME", "OUTSIDE", "PID", "PORT", "HQT", "PTS")
            ), text


def test_nothing_of_a_ground_stays(ground: Scratch) -> None:
    with scratch_homes(Caller.current(), _SHELL) as made:
        with made.fresh() as other:
            closed = other.home / "closed/inner"
            closed.mkdir(parents=True)
            closed.parent.chmod(0)
        folders = [other.home, made.root, Path(other.outside)]
        assert [folder.exists() for folder in folders] == [False, True, True]
    assert [folder.exists() for folder in folders] == [False, False, False]
    assert ground.home.exists()
