from pathlib import Path

import pytest

from hqt.errors import HarnessError
from hqt.harnesses import program_path, registry
from hqt.harnesses.base import Program

ELF = "\x7fELF"
NODE = "#!/usr/bin/env node\n"


def put(path: Path, content: str = ELF, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    path.chmod(mode)
    return path


def link(path: Path, target: str | Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    return path


def find(executable: str, home: Path, *folders: Path) -> Program:
    return program_path.find(executable, ":".join(map(str, folders)), home / "proj", home)


def test_a_system_program_needs_nothing_shown(tmp_path: Path) -> None:
    found = program_path.find("env", "/usr/bin", tmp_path, tmp_path)
    assert (found.path, found.shown, found.script) == (Path("/usr/bin/env"), (), False)


def test_the_native_installer_is_shown_by_its_link_and_the_version_that_it_leads_to(tmp_path: Path) -> None:
    versions = tmp_path / ".local/share/claude/versions"
    old, new = put(versions / "2.1.0"), put(versions / "2.1.1")
    path = link(tmp_path / ".local/bin/claude", old)
    assert find("claude", tmp_path, path.parent) == Program(path, old, (path, old))
    path.unlink()
    link(path, new)
    assert find("claude", tmp_path, path.parent) == Program(path, new, (path, new))


def test_an_npm_program_is_shown_with_its_packages_and_its_node(tmp_path: Path) -> None:
    prefix = tmp_path / ".nvm/versions/node/v22"
    real = put(prefix / "lib/node_modules/@openai/codex/bin/codex.js", NODE)
    path = link(prefix / "bin/codex", "../lib/node_modules/@openai/codex/bin/codex.js")
    node = put(prefix / "bin/node")
    found = find("codex", tmp_path, path.parent)
    assert found == Program(path, real, (path, real, prefix / "lib/node_modules", node), script=True)
    assert (found.inside, found.path) == (real, path)


def test_a_nested_package_is_shown_by_the_outermost_tree(tmp_path: Path) -> None:
    tree = tmp_path / "npm/node_modules"
    real = put(tree / "a/node_modules/b/bin/b")
    path = link(tree / ".bin/b", "../a/node_modules/b/bin/b")
    assert find("b", tmp_path, path.parent).shown == (path, real, tree)


def test_a_program_in_a_linked_folder_is_shown_at_both_places(tmp_path: Path) -> None:
    real = put(tmp_path / "fnm/v22/bin/agent")
    link(tmp_path / "fnm/current", "v22")
    path = tmp_path / "fnm/current/bin/agent"
    assert find("agent", tmp_path, path.parent) == Program(path, real, (path, real))


def test_a_venv_is_shown_whole_with_the_python_that_it_was_made_from(tmp_path: Path) -> None:
    base = tmp_path / "pythons/3.12"
    python = put(base / "bin/python3.12")
    (base / "lib/python3.12").mkdir(parents=True)
    venv = tmp_path / "pipx/venvs/aider"
    put(venv / "pyvenv.cfg", "", 0o644)
    link(venv / "bin/python", python)
    real = put(venv / "bin/aider", f"#!{venv}/bin/python\n")
    path = link(tmp_path / "tools/aider", real)
    assert find("aider", tmp_path, path.parent).shown == (path, real, venv, venv / "bin/python", python, base)


@pytest.mark.parametrize(
    "line",
    ["#!/usr/bin/env -S node --flag", "#!/usr/bin/env -Snode", "#! /usr/bin/env A=1 node", "#!{node} -x"],
)
def test_every_way_to_name_an_interpreter_is_understood(tmp_path: Path, line: str) -> None:
    node = put(tmp_path / "node/node")
    script = put(tmp_path / "tools/agent", line.format(node=node) + "\n")
    assert find("agent", tmp_path, script.parent, node.parent).shown == (script, node)


@pytest.mark.parametrize("content", ["#!", "#!\n", "#!/usr/bin/env\n", "#!/no/such\n", "", "#!" + "x" * 1000])
def test_an_interpreter_that_is_not_there_adds_nothing(tmp_path: Path, content: str) -> None:
    script = put(tmp_path / "tools/agent", content)
    assert find("agent", tmp_path, script.parent).shown == (script,)


def test_scripts_that_run_each_other_come_to_an_end(tmp_path: Path) -> None:
    script = put(tmp_path / "tools/agent", f"#!{tmp_path}/tools/agent\n")
    assert find("agent", tmp_path, script.parent).shown == (script,)


def test_links_in_a_circle_are_no_program(tmp_path: Path) -> None:
    link(tmp_path / "tools/a", "b")
    link(tmp_path / "tools/b", "a")
    with pytest.raises(HarnessError, match="'a' is not on PATH"):
        find("a", tmp_path, tmp_path / "tools")


# where the harnesses keep logins and settings, as they themselves say
_HOME = Path("/home/u")
_KEPT = {
    str(path.parent.relative_to(_HOME))
    for kind in registry.BUILT_IN.kinds()
    for path in (*kind.reads(_HOME, {}), *kind.looks_at(_HOME, {}))
}


@pytest.mark.parametrize(
    "spot", sorted({"", ".local", ".local/share", ".config", ".gemini", ".qwen", ".pi", ".opencode"} | _KEPT)
)
def test_neither_home_nor_a_wide_folder_under_it_is_ever_shown(tmp_path: Path, spot: str) -> None:
    home = tmp_path / "home"
    root = home / spot
    put(root / "pyvenv.cfg", "", 0o644)
    (root / "lib/python3.12").mkdir(parents=True)
    python = put(root / "bin/python3")
    assert find("python3", home, python.parent).shown == (python,)


def test_a_tree_that_holds_home_is_not_shown(tmp_path: Path) -> None:
    home = tmp_path / "node_modules/home"
    tool = put(home / "tools/agent")
    assert find("agent", home, tool.parent).shown == (tool,)


@pytest.mark.parametrize("entries", [".", "", "tools", ":"])
def test_relative_path_entries_are_left_out(
    tmp_path: Path, entries: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "agent")
    put(tmp_path / "tools/agent")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HarnessError, match="'agent' is not on PATH: install it"):
        program_path.find("agent", entries, tmp_path, tmp_path)


def test_a_word_with_a_slash_is_taken_from_the_project(tmp_path: Path) -> None:
    script = put(tmp_path / "proj/run.sh", "#!/bin/sh\n")
    assert find("./run.sh", tmp_path).path == script
    with pytest.raises(HarnessError, match=r"'\./no\.sh' is not a program"):
        find("./no.sh", tmp_path)


@pytest.mark.parametrize("executable", ["", "agent", "folder", "x" * 300])
def test_what_cannot_be_run_is_not_found(tmp_path: Path, executable: str) -> None:
    put(tmp_path / "tools/agent", mode=0o644)
    (tmp_path / "tools/folder").mkdir()
    with pytest.raises(HarnessError, match="is not on PATH"):
        find(executable, tmp_path, tmp_path / "tools")


def test_the_first_on_path_wins(tmp_path: Path) -> None:
    first, second = put(tmp_path / "a/agent"), put(tmp_path / "b/agent")
    assert find("agent", tmp_path, first.parent, second.parent).path == first


def test_the_login_shell_is_that_of_the_passwd_database() -> None:
    assert program_path.login_shell(0).startswith("/")
    assert program_path.login_shell(2**31 - 5) == ""
