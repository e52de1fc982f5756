from hqt.demo.screen import Screen, Seen

_SAID = """\
done: write notes.txt in the project
agent: run 2
refused: read ~/.ssh/id_ed25519 (No such file or directory)
done: read ~/other/plan.txt, another project (a plan (of two))
refused: read the shell's DEMO_TOKEN
network: net:[4026531833] eth0 wlan0
agent: waiting
"""


def test_a_report_is_read_back_whole() -> None:
    assert Screen.parse(_SAID.splitlines()) == Screen(
        waiting=True,
        run=2,
        attempts={
            "write notes.txt in the project": Seen("done", ""),
            "read ~/.ssh/id_ed25519": Seen("refused", "No such file or directory"),
            "read ~/other/plan.txt, another project": Seen("done", "a plan (of two)"),
            "read the shell's DEMO_TOKEN": Seen("refused", ""),
        },
        network="net:[4026531833]",
        ways_out=("eth0", "wlan0"),
    )


def test_a_network_without_a_way_out_has_none() -> None:
    assert Screen.parse(["network: net:[1] "]) == Screen(network="net:[1]")


def test_an_empty_screen_says_nothing() -> None:
    assert Screen.parse(["", "sh: not found"]) == Screen()
