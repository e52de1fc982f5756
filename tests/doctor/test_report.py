"""A report is told in lines that fit, with commands whole and nothing a terminal could act on."""

from hqt.doctor.check import Check, Report
from hqt.doctor.report import lines

REPORT = Report(
    (
        Check("git", "git", "ok", "2.39\x1b[2J"),
        Check(
            "tmux", "tmux server", "failed", "unreachable: it lives", "run `kill -USR1 12345 now`, then again"
        ),
    )
)


def test_a_check_is_a_line_and_its_remedy_stands_below() -> None:
    assert list(lines(REPORT, 100)) == [
        r"ok       git          2.39\x1b[2J",
        "failed   tmux server  unreachable: it lives",
        "                      -> run `kill -USR1 12345 now`, then again",
        "hqt can't work here: 1 of 2 failed",
    ]


def test_a_command_is_never_broken() -> None:
    assert list(lines(REPORT, 46))[2:-1] == [
        "                      -> run",
        "                         `kill -USR1 12345 now`,",
        "                         then again",
    ]


def test_without_a_failure_hqt_works() -> None:
    assert list(lines(Report(REPORT.checks[:1]), 80))[-1] == "hqt works here"
