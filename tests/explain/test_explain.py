"""An explanation follows the plan of the very start that it explains."""

from pathlib import Path

from hqt.explain.explain import Explanation, Network, Row, Variables, explain
from hqt.sandbox import SandboxPolicy
from hqt.sandbox.bwrap import Layer
from tests.jailcheck.scene import LAYERS, foreseen
from tests.world import World


def rows(found: tuple[Row, ...]) -> dict[str, tuple[Path, ...]]:
    return {row.what: row.paths for row in found}


def test_a_writing_jail_shows_its_project_git_cache_and_guards(world: World) -> None:
    (world.project / ".mcp.json").write_text("{}")
    found = explain(foreseen(world, policy=SandboxPolicy()))
    home, project = world.home, world.project
    leaves = ".cache .cargo/registry .gradle .local/share/pnpm/store .m2 .npm go/pkg".split()
    assert rows(found.writes) == {
        "the project": (project,),
        "the project's git": (project / ".git",),
        "the project's cache": tuple(home / leaf for leaf in leaves),
    }
    assert rows(found.fresh) == {
        "a home of its own": (home,),
        "folders of its own": (Path("/dev/shm"), Path("/tmp"), Path("/var/tmp")),
    }
    reads = rows(found.reads)
    assert reads["guarded files"] == (project / ".mcp.json",)
    assert {project / ".git/config", project / ".git/hooks"} <= set(reads["guarded parts of git"])
    assert reads["tools and their settings"] == (home / ".local/bin",)
    assert Path("/usr") in reads["the system"]


def test_a_reading_jail_writes_nothing_of_the_project(world: World) -> None:
    found = explain(foreseen(world, policy=SandboxPolicy(fs="ro")))
    assert list(rows(found.writes)) == ["the project's cache"]
    assert rows(found.reads)["the project"] == (world.project,)
    assert Layer("the whole project is read-only", active=True) in found.layers
    assert not any("source" in sentence for sentence in found.remains)


def test_what_is_hidden_is_hidden_on_the_very_mounts(world: World) -> None:
    (world.home / ".config/git").mkdir(parents=True)
    (world.home / ".config/git/config").write_text("")
    hidden = rows(explain(foreseen(world, policy=SandboxPolicy())).hidden)
    assert world.home / ".ssh" in hidden["your home, such as"]
    assert world.home / ".config" not in hidden["your home, such as"]  # a part of it is shown
    assert hidden["hqt's own"] == world.places.own()
    assert not set(world.home.parents) & set(hidden["this machine, such as"])  # the home is seen in them


def test_variables_are_named_and_their_values_never(world: World) -> None:
    env = {"ANTHROPIC_API_KEY": "sk-value", "AWS_SECRET_ACCESS_KEY": "hidden"}
    found = explain(foreseen(world, policy=SandboxPolicy(), harness="claude", env=env))
    assert found.variables.passed == ("ANTHROPIC_API_KEY", "HOME", "LANG", "PATH", "SHELL", "TERM", "USER")
    assert {"HQT_SANDBOX", "TMPDIR", "GIT_CONFIG_COUNT"} <= set(found.variables.set)
    assert "variables that may hold keys can be read and used: ANTHROPIC_API_KEY" in found.remains
    assert "sk-value" not in repr(found)


def test_a_session_gets_the_variables_of_its_own_terminal(world: World) -> None:
    found = explain(foreseen(world, policy=SandboxPolicy(), key="0123abcd"))
    assert {"TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION"} <= set(found.variables.set)
    assert "TERM" not in found.variables.passed
    assert found.subject == "session proj-claude"


def test_the_network_is_told_with_localhost_and_sockets(world: World) -> None:
    on = explain(foreseen(world, policy=SandboxPolicy())).network
    open_ = explain(foreseen(world, policy=SandboxPolicy(), scopes=False)).network
    off = explain(foreseen(world, policy=SandboxPolicy(net=False))).network
    assert (on.on, open_.on, off.on) == (True, True, False)
    assert "localhost" in on.means[0]
    assert "closed by Landlock" in on.means[1]
    assert "can be reached" in open_.means[1]
    assert "neither" in off.means[0]


def test_the_network_remains_a_way_out_only_where_it_is(world: World) -> None:
    def told(*, net: bool) -> bool:
        found = explain(foreseen(world, policy=SandboxPolicy(net=net)))
        return any("sent out" in sentence for sentence in found.remains)

    assert told(net=True)
    assert not told(net=False)


def test_layers_of_the_machine_are_named_with_what_is_missing(world: World) -> None:
    found = explain(foreseen(world, policy=SandboxPolicy()))
    assert set(LAYERS) <= set(found.layers)
    assert [layer.name for layer in found.layers if not layer.active] == ["scopes"]


def test_a_project_without_git_is_told_so(world: World, tmp_path: Path) -> None:
    plain = world.home / "plain"
    plain.mkdir()
    found = explain(foreseen(world, policy=SandboxPolicy(), given=plain))
    layer = next(layer for layer in found.layers if "hooks" in layer.name)
    assert (layer.active, layer.why_not) == (False, "the project has no git of its own")
    assert any("no git of its own" in sentence for sentence in found.remains)
    assert not any("git config" in sentence for sentence in found.lacks)


def test_a_part_of_a_repository_is_told_as_at_its_start(world: World) -> None:
    part = world.project / "part"
    part.mkdir()
    start = foreseen(world, policy=SandboxPolicy(), given=part)
    found = explain(start)
    assert found.notes == start.plan.notes
    assert any("part of the repository" in note for note in found.notes)


def test_the_login_of_the_harness_is_told_readable(world: World) -> None:
    login = world.home / ".claude/.credentials.json"
    login.parent.mkdir()
    login.write_text("{}")
    found = explain(foreseen(world, policy=SandboxPolicy(), harness="claude"))
    assert rows(found.writes)["the login of Claude Code"] == (login,)
    assert rows(found.fresh)["copies for Claude Code"] == (world.home / ".claude.json",)
    assert f"the login of Claude Code can be read and used: {login}" in found.remains


def test_an_open_session_has_no_jail_to_explain(world: World) -> None:
    found = explain(foreseen(world, policy=None, key="0123abcd"))
    assert found == Explanation(
        subject="session proj-claude",
        harness="Command",
        home=world.home,
        project=world.project,
        sandbox=None,
        variables=Variables((), ()),
        network=Network(on=True, means=()),
    )
