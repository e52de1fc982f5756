"""The user's config.toml: what it may say, and a sentence for all else."""

from pathlib import Path

import pytest

from hqt.config.file import Config, load_config, parse_config
from hqt.errors import ConfigError

FILE = Path("/home/u/.config/hqt/config.toml")


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as raised:
        parse_config(text, FILE)
    return str(raised.value)


def test_a_missing_file_is_the_default(tmp_path: Path) -> None:
    assert load_config(tmp_path / "config.toml") == Config(detach_key="C-q", history_lines=5000)


@pytest.mark.parametrize("text", ["", "# nothing\n", "[keys]\n", "[keys]\n[tmux]\n"])
def test_what_is_not_said_keeps_its_default(text: str) -> None:
    assert parse_config(text, FILE) == Config()


def test_how_a_new_session_begins_is_taken() -> None:
    assert parse_config("[new]\nsandbox = true\nharness = 'codex'\n", FILE) == Config(
        new_sandbox=True, new_harness="codex"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("new.sandbox = 'yes'", "new.sandbox = 'yes' is no choice: use true or false"),
        ("new.sandbox = 1", "new.sandbox = 1 is no choice: use true or false"),
        ("new.harness = ''", "new.harness = '' is no name: write one such as \"claude\""),
        ("new.harness = true", 'new.harness = True is no name: write one such as "claude"'),
        ("new.net = false", "new.net is unknown: use new.harness or new.sandbox"),
    ],
)
def test_a_wrong_beginning_of_a_new_session_is_named(text: str, sentence: str) -> None:
    assert refusal(text) == f"{FILE}: {sentence}"


def test_both_choices_are_taken(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[keys]\ndetach = "f12"\n[tmux]\nhistory = 0\n')
    assert load_config(file) == Config(detach_key="F12", history_lines=0)


@pytest.mark.parametrize(
    ("said", "tmux"),
    [
        ("ctrl-q", "C-q"),
        ("alt-x", "M-x"),
        ("shift-f1", "S-F1"),
        ("ctrl-space", "C-Space"),
        ("ctrl-1", "C-1"),
        ("f1", "F1"),
        ("f12", "F12"),
    ],
)
def test_a_key_is_said_in_words_and_kept_as_tmux_writes_it(said: str, tmux: str) -> None:
    assert parse_config(f'keys.detach = "{said}"', FILE).detach_key == tmux


def test_the_key_to_the_next_session_may_be_another_or_none() -> None:
    assert parse_config('keys.next = "alt-n"', FILE) == Config(next_key="M-n")
    assert parse_config('keys.next = "none"', FILE) == Config(next_key=None)
    assert refusal('keys.next = "no"').startswith(f"{FILE}: keys.next = 'no' is no key: ")


def test_one_key_cannot_do_both() -> None:
    assert (
        refusal('keys.next = "ctrl-q"')
        == f"{FILE}: keys.next and keys.detach are one key: choose another for one of them"
    )


def test_a_detach_key_of_the_users_goes_before_a_key_to_the_next_that_was_not_asked_for() -> None:
    assert parse_config('keys.detach = "ctrl-space"', FILE) == Config(detach_key="C-Space", next_key=None)


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("/etc/x.conf", "/etc/x.conf"),
        ("inside.conf", "/home/u/.config/hqt/inside.conf"),
        ("~/x.conf", "/home/me/x.conf"),
    ],
)
def test_the_file_for_tmux_is_found_from_home_or_beside_config_toml(
    said: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert parse_config(f'tmux.config = "{said}"', FILE) == Config(tmux_file=Path(path))


@pytest.mark.parametrize("value", ["5", '""', '"a\\nb"', '"~nobody-of-that-name/x"'])
def test_what_names_no_file_is_refused(value: str) -> None:
    said = refusal(f"tmux.config = {value}")
    assert said.startswith(f"{FILE}: tmux.config = ")
    assert said.endswith(' is no file: write one such as "~/.config/hqt/inside.conf"')


@pytest.mark.parametrize(
    "value",
    ['""', '"q"', '"C-q"', '"ctrl+q"', '"ctrl-"', '"ctrl-q "', '"f13"', '"Ctrl-q"', "5", "true", "[]"],
)
def test_what_is_no_key_is_named(value: str) -> None:
    said = refusal(f"keys.detach = {value}")
    assert said.startswith(f"{FILE}: keys.detach = ")
    assert said.endswith(' is no key: write one such as "ctrl-q" or "f12"')


@pytest.mark.parametrize("name", ["detach", "next"])
@pytest.mark.parametrize(
    ("key", "means"),
    [("ctrl-m", "Enter"), ("ctrl-i", "Tab"), ("ctrl-h", "Backspace"), ("ctrl-c", "an interrupt")],
)
def test_a_key_that_no_agent_can_do_without_is_refused(name: str, key: str, means: str) -> None:
    told = f"is how a terminal sends {means}, which agents need: choose another"
    assert refusal(f'keys.{name} = "{key}"') == f"{FILE}: keys.{name} = '{key}' {told}"


@pytest.mark.parametrize("value", ["-1", "1_000_001", "1.5", "true", '"5"'])
def test_what_is_no_number_of_lines_is_named(value: str) -> None:
    said = refusal(f"tmux.history = {value}")
    assert said.startswith(f"{FILE}: tmux.history = ")
    assert said.endswith(" is no number of lines: use 0 to 1000000")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1", "x is unknown: use harness or keys or new or notify or tmux"),
        ("[sandbox]", "sandbox is unknown: use harness or keys or new or notify or tmux"),
        ('keys.attach = "f1"', "keys.attach is unknown: use keys.detach or keys.next"),
        ("tmux.lines = 1", "tmux.lines is unknown: use tmux.config or tmux.history"),
        ("keys = 1", "keys must be a table: write [keys]"),
        ("[[tmux]]", "tmux must be a table: write [tmux]"),
    ],
)
def test_each_wrong_key_is_named_with_what_it_may_be(text: str, sentence: str) -> None:
    assert refusal(text) == f"{FILE}: {sentence}"


def test_what_is_no_toml_is_told_with_its_place() -> None:
    said = refusal("keys = \n")
    assert said.startswith(f"{FILE} is not TOML (")
    assert "line 1" in said
    assert said.endswith("): correct it")


def test_toml_that_python_gives_up_on_is_no_toml() -> None:
    assert refusal(f"x = {'[' * 10_000}").startswith(f"{FILE} is not TOML (")


def test_a_file_that_can_not_be_read_is_told(tmp_path: Path) -> None:
    folder, binary = tmp_path / "config.toml", tmp_path / "binary.toml"
    folder.mkdir()
    binary.write_bytes(b"\xff\xfe")
    for file in (folder, binary):
        with pytest.raises(ConfigError) as raised:
            load_config(file)
        assert str(raised.value).startswith(f"{file} can't be read (")
        assert str(raised.value).endswith("): correct or remove it")
