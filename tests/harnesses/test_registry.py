import subprocess
import sys
from pathlib import Path

import pytest

from hqt.errors import HarnessError
from hqt.harnesses import registry
from tests.harnesses.places import HOME, place


def test_an_unknown_name_is_answered_with_the_known() -> None:
    with pytest.raises(HarnessError, match=f"no harness 'vim': it is one of {', '.join(registry.NAMES)}"):
        registry.configure("vim", place())


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_harness_is_registered_under_its_own_name(name: str) -> None:
    kind = registry.kind(name)
    assert (kind.name, bool(kind.label), bool(kind.executable)) == (name, True, True)
    assert type(registry.configure(name, place())) is kind


@pytest.mark.parametrize("name", registry.NAMES)
def test_skip_flags_are_there_only_in_a_jail(name: str) -> None:
    configurator = registry.configure(name, place())
    open_, jailed = (configurator.build_spawn_config(sandboxed=sandboxed) for sandboxed in (False, True))
    skips = configurator.sandbox_skip_permission_flags
    assert [flag for flag in skips if flag in open_.command] == []
    assert [flag for flag in skips if flag in jailed.command] == skips
    assert (open_.env_pass, open_.copies, open_.note) == ((), (), None)


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_jail_never_gets_a_whole_folder_writable(name: str) -> None:
    whole = {
        HOME,
        *(HOME / each for each in (".claude", ".codex", ".kiro", ".aws", ".local", ".local/share")),
    }
    binds = registry.configure(name, place()).sandbox_binds()
    assert [bind for bind in binds if bind.src in whole] == []
    assert all(bind.optional or bind.create == "dir" for bind in binds)


@pytest.mark.parametrize("name", registry.NAMES)
@pytest.mark.parametrize("sandboxed", [False, True])
def test_nothing_on_disk_means_nothing_to_resume(tmp_path: Path, name: str, sandboxed: bool) -> None:
    configurator = registry.configure(name, place(home=tmp_path))
    assert list(configurator.conversations()) == []
    assert (
        configurator.build_resume_config("11111111-1111-4111-8111-111111111111", sandboxed=sandboxed) is None
    )


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_harness_that_is_not_installed_is_called_by_its_name(name: str) -> None:
    configurator = registry.configure(name, place())
    configurator.place = type(configurator.place)(HOME, {}, 1000, HOME / "proj")
    assert configurator.build_spawn_config().command[0] == configurator.executable


@pytest.mark.parametrize("name", registry.NAMES)
def test_configuring_looks_at_nothing_outside_its_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    configurator = registry.configure(name, place())

    def outside(*_: object, **__: object) -> None:
        raise AssertionError("it looked outside")

    for function in ("open", "stat", "lstat", "scandir", "getcwd"):
        monkeypatch.setattr(f"os.{function}", outside)
    configurator.build_spawn_config(sandboxed=True)
    configurator.sandbox_binds()


def test_no_heavy_module_is_imported() -> None:
    heavy = "uuid tomllib sqlalchemy asyncio"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import sys, hqt.harnesses.registry; print([m for m in {heavy.split()} if m in sys.modules])",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
