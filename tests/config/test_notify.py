"""`[notify]`: which ways notices take, and a sentence for all that is no way."""

from pathlib import Path

import pytest

from hqt.config.file import parse_config
from hqt.config.notify import Notify
from hqt.errors import ConfigError

FILE = Path("/home/u/.config/hqt/config.toml")


@pytest.mark.parametrize("text", ["", "[notify]\n"])
def test_the_desktop_and_the_bell_tell_unless_it_is_said_otherwise(text: str) -> None:
    assert parse_config(text, FILE).notify == Notify(desktop=True, bell=True, command=())


def test_each_way_is_chosen_alone() -> None:
    text = '[notify]\ndesktop = false\nbell = false\ncommand = ["~/bin/told", "--quiet"]\n'
    assert parse_config(text, FILE).notify == Notify(
        desktop=False, bell=False, command=("~/bin/told", "--quiet")
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("notify = true", "notify must be a table: write [notify]"),
        ("notify.sound = true", "notify.sound is unknown: in notify use bell or command or desktop"),
        ("notify.bell = 1", "notify.bell = 1 is no choice: use true or false"),
        ("notify.desktop = 'yes'", "notify.desktop = 'yes' is no choice: use true or false"),
        (
            "notify.command = 'told --quiet'",
            'notify.command = \'told --quiet\' is no list of texts: write one such as ["a", "b"]',
        ),
        ("notify.command = ['']", "notify.command has a text that is empty or holds a NUL: leave it out"),
    ],
)
def test_what_is_no_way_is_named(text: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        parse_config(text, FILE)
    assert str(raised.value) == f"{FILE}: {sentence}"
