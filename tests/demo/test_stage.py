from pathlib import Path

import pytest

from hqt.demo.stage import built


def test_a_stage_hands_nothing_of_the_callers_on_but_names_and_path() -> None:
    with built({"PATH": "/usr/bin", "USER": "me", "HOME": "/home/me", "TOKEN": "t"}) as stage:
        env = dict(stage.env)
        own = {name: value for name, value in env.items() if value.startswith(str(stage.root))}
        assert own.keys() == {
            "HOME",
            "XDG_DATA_HOME",
            "XDG_CONFIG_HOME",
            "XDG_STATE_HOME",
            "XDG_RUNTIME_DIR",
        }
        assert env.keys() - own.keys() == {"PATH", "USER", "SHELL", "LANG", "TERM", "DEMO_TOKEN"}
        assert (env["PATH"], env["USER"]) == ("/usr/bin", "me")


def test_a_change_outside_the_project_is_noticed_and_one_inside_is_not() -> None:
    with built({}) as stage:
        stage.notes.write_text("inside\n")
        assert stage.changed() == []
        profile, key, new = (stage.home / name for name in (".profile", ".ssh/id_ed25519", ".ssh/config"))
        profile.write_text("changed")
        key.unlink()
        new.write_text("planted")
        assert stage.changed() == sorted((profile, key, new))


def test_nothing_is_left_of_a_stage_however_it_ends() -> None:
    root = Path()

    def play() -> None:
        nonlocal root
        with built({}) as stage:
            root = stage.root
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play()
    assert root.name.startswith("hqt-demo-")
    assert not root.exists()
