"""A31: what a jailed agent writes into settings never runs outside, whether they existed or not."""

from pathlib import Path

import pytest

from tests.cli.steps import becomes, shown
from tests.sandbox.jailed import inside, on_host
from tests.world import World, needs_bwrap, needs_tmux, wait_until

pytestmark = [pytest.mark.real, needs_bwrap]

_HOOK = '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch ~/PWN"}]}]}}'

# what each program obeys or runs at its next start
_OWN = {
    "claude": ".claude/settings.json .claude/settings.local.json .claude/CLAUDE.md .claude/agents/x.md "
    ".claude/commands/x.md .claude/skills/x/SKILL.md .claude/hooks/x.sh .claude/plugins/x "
    ".claude/plugins/config.json .claude/output-styles/x.md .claude/rules/x.md .claude/statusline.sh "
    ".claude/new .claude.json",
    "codex": ".codex/config.toml .codex/hooks.json .codex/AGENTS.md .codex/prompts/x.md "
    ".codex/rules/default.rules .codex/skills/x/SKILL.md .codex/new .codex/managed_config.toml",
    "kiro": ".kiro/settings/cli.json .kiro/settings/mcp.json .kiro/agents/x.json .kiro/steering/x.md "
    ".kiro/hooks/x.sh .kiro/new",
    "generic": ".bashrc .profile .zshrc .config/fish/config.fish .config/systemd/user/x.service "
    ".local/bin/git .config/autostart/x.desktop .gitconfig .config/git/config .config/git/hooks/pre-commit "
    ".ssh/rc .npmrc .vimrc",
}
# every way to get one's own text to a path
_WRITE = r"""
for f; do
    printf '%s' "$TEXT" > "$f"
    printf '%s' "$TEXT" >> "$f"
    mkdir -p "$(dirname "$f")"
    printf '%s' "$TEXT" > "$f.new" && mv "$f.new" "$f"
    rm -rf "$f"; printf '%s' "$TEXT" > "$f"
    mv "$(dirname "$f")" "$(dirname "$f").old"; mkdir -p "$(dirname "$f")"; printf '%s' "$TEXT" > "$f"
    ln -sfn "$PWD/evil" "$f"
done 2>/dev/null
true
"""


@pytest.mark.parametrize("existing", [True, False], ids=["which exist", "which do not"])
@pytest.mark.parametrize("harness", _OWN)
def test_settings_of_the_user_are_never_written(world: World, harness: str, existing: bool) -> None:
    names = _OWN[harness].split()
    for name in names if existing else ():
        path = world.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    before = settings(world)
    paths = " ".join(str(world.home / name) for name in names)
    done = inside(world, f"TEXT='{_HOOK}'; set -- {paths}; {_WRITE}", "--harness", harness)
    assert done.returncode == 0, done
    assert settings(world) == before


@pytest.mark.parametrize("variable", ["CLAUDE_CONFIG_DIR", "CODEX_HOME"])
def test_settings_elsewhere_are_never_written_either(world: World, variable: str) -> None:
    harness = "claude" if variable == "CLAUDE_CONFIG_DIR" else "codex"
    on_host(world, "mkdir ~/x; echo '{}' > ~/x/settings.json; : > ~/x/config.toml")
    before = settings(world)
    env = {**world.env, variable: str(world.home / "x")}
    names = "settings.json settings.local.json config.toml hooks/x agents/x .claude.json"
    script = f"""
        TEXT='{_HOOK}'
        set -- $(for d in ~/x ~/.claude ~/.codex; do for n in {names}; do echo $d/$n; done; done)
        {_WRITE}"""
    assert inside(world, script, "--harness", harness, env=env).returncode == 0
    assert settings(world) == before


_PROJECT = (
    ".claude/settings.json .claude/settings.local.json .mcp.json .claude/hooks/x.sh .codex/config.toml"
).split()


@pytest.mark.parametrize("name", _PROJECT)
def test_those_of_the_project_stay_where_they_exist(world: World, name: str) -> None:
    path = world.project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    inside(world, f"TEXT='{_HOOK}'; set -- {path}; {_WRITE}", "--harness", "claude")
    assert path.read_text() == "{}"
    assert not path.is_symlink()


@needs_tmux
@pytest.mark.parametrize("name", _PROJECT)
def test_and_are_named_where_they_appear(world: World, name: str) -> None:
    path = world.project / name
    script = f"sleep 1; mkdir -p {path.parent}; echo '{_HOOK}' > {path}"
    done = world.hqt("new", "-s", "--harness", "generic", "--", "sh", "-c", script)
    assert done.returncode == 0, done
    assert becomes(world, 1, "exited")
    assert wait_until(lambda: " appeared" in (shown(world, 1)["note"] or ""), within_s=10)
    note = shown(world, 1)["note"]
    assert any(f"{each} appeared" in note for each in (path, *path.parents))
    assert "a jailed session worked here" in world.hqt("new", "--harness", "generic", "--", "true").stderr


def settings(world: World) -> dict[str, str]:
    """All files and links of the home but for the project, conversations and what hqt keeps."""
    kept = (world.project, world.places.data, world.places.state, world.home / ".local/share/kiro-cli")
    return {
        str(path): _held(path)
        for path in sorted(world.home.rglob("*"))
        if not path.is_dir() and not any(each in path.parents for each in kept)
    }


def _held(path: Path) -> str:
    return str(path.readlink()) if path.is_symlink() else path.read_text()
