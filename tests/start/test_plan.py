"""From what is to run to what a pane is asked for; bwrap is never run."""

import os
import pwd
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from hqt.backends.base import Size
from hqt.config.harness import DeclaredHarness
from hqt.errors import HarnessError, HqtError, JailError, ServiceError
from hqt.harnesses import registry
from hqt.harnesses.declared import harness
from hqt.harnesses.registry import Harnesses
from hqt.launch import FILTER_FD, FIRST_COPY, STATUS_FD
from hqt.sandbox import Availability, SandboxPolicy
from hqt.sandbox.argv import ARGUMENT_MAX
from hqt.start import plan as planning
from hqt.start import program, survey
from hqt.start.caller import Caller
from hqt.start.plan import Plan
from hqt.start.prepare import prepare
from hqt.start.request import Launch
from hqt.values import replace
from tests.sessions.sample import KEY
from tests.world import World

UID = os.geteuid()
AVAILABLE = Availability(ok=True, net_off_ok=True, version=(0, 8, 0), bwrap=Path("/usr/bin/bwrap"))
JAIL = SandboxPolicy(net=False)
MINE = DeclaredHarness(
    name="mine",
    label="Mine",
    command=("agent",),
    skip=("--yes",),
    prompt=("--", "{prompt}"),
    new=("--session", "{id}"),
    resume=("--resume", "{id}"),
)


@pytest.fixture
def claude(world: World) -> Path:
    return world.tool("claude", "exit 0")


def caller(world: World, **env: str) -> Caller:
    harnesses = Harnesses({"mine": harness.kind(MINE, world.home)})
    return Caller({**world.env, **env}, UID, 0o027, "/bin/sh", harnesses=harnesses)


def jailed(world: World, **changes: object) -> Launch:
    launch = Launch("generic", world.project, JAIL, args=("sleep", "1"), key=KEY, title="mine")
    return replace(launch, **changes)


def opened(world: World, **changes: object) -> Launch:
    return jailed(world, sandbox=None, **changes)


def planned(
    launch: Launch, world: World, env: Mapping[str, str] | None = None, *, found: Availability = AVAILABLE
) -> Plan:
    who = caller(world, **(env or {}))
    return planning.plan(launch, survey.survey(launch, world.places, who, found, terminal=True))


def refusal(launch: Launch, world: World, kind: type[HqtError], env: Mapping[str, str] | None = None) -> str:
    with pytest.raises(kind) as raised:
        planned(launch, world, env)
    return str(raised.value)


def test_an_open_session_runs_its_command_as_it_is(world: World) -> None:
    plan = planned(opened(world), world)
    assert plan == Plan(
        launch=opened(world),
        argv=("sleep", "1"),
        cwd=world.project,
        env={**world.env, "HQT_SESSION": KEY},
        umask=0o027,
        status=world.places.session(KEY) / "status",
    )


def test_a_flag_that_the_program_does_not_know_stops_the_start(world: World) -> None:
    program = world.tool("agent", "echo ' -h, --help'; echo ' --session'")
    launch = opened(world, harness="mine", args=(), conversation="1")
    assert planned(launch, world).argv == (str(program), "--session", "1")
    assert refusal(replace(launch, sandbox=JAIL), world, ServiceError) == (
        f"Mine, as {program}, does not know --yes, which this start needs:"
        " update it; `hqt doctor` tells its version"
    )


def test_a_prompt_is_no_flag_that_must_be_known(world: World) -> None:
    program = world.tool("agent", "echo ' -h, --help'")
    plan = planned(opened(world, harness="mine", args=(), prompt="--yes"), world)
    assert plan.argv == (str(program), "--", "--yes")


@pytest.mark.parametrize("script", ["exit 1", "echo ready", "echo 'see --help'"])
def test_a_program_that_tells_no_options_is_started(world: World, script: str) -> None:
    program = world.tool("agent", script)
    plan = planned(opened(world, harness="mine", args=(), conversation="1"), world)
    assert plan.argv == (str(program), "--session", "1")


def test_a_program_is_not_asked_for_a_command_in_its_jail(world: World) -> None:
    world.tool("agent", f"touch {world.home}/ran")
    planned(jailed(world, harness="mine", args=(), command=("true",)), world)
    assert not (world.home / "ran").exists()


def test_an_open_session_gets_the_shells_variables_but_not_those_of_its_terminal(world: World) -> None:
    terminal = {"TMUX": "x", "TMUX_PANE": "%1", "STY": "x", "WINDOW": "0", "LINES": "9", "COLUMNS": "9"}
    outer = {"TERMCAP": "x", "HQT_SANDBOX": "1", "HQT_SESSION": "ffffffff"}
    plan = planned(opened(world), world, {**terminal, **outer, "TOKEN": "x", "LANG": ""})
    assert plan.env == {**world.env, "TOKEN": "x", "LANG": "C.UTF-8", "HQT_SESSION": KEY}


def test_a_jail_is_bwrap_around_the_same_command(world: World) -> None:
    plan = planned(jailed(world), world)
    assert plan.argv[0] == "/usr/bin/bwrap"
    assert plan.argv[-5:] == ("--", "/usr/bin/env", "--default-signal=INT", "sleep", "1")
    at = plan.argv.index("--seccomp")
    assert plan.argv[at : at + 4] == ("--seccomp", str(FILTER_FD), "--json-status-fd", str(STATUS_FD))
    assert (plan.cwd, plan.umask, plan.copies) == (world.project, 0o027, ())
    assert plan.sealed is not None
    assert plan.sealed.filter
    assert world.project in {source.path for source in plan.sealed.sources}


def test_a_jails_variables_are_counted_and_none_says_which_session_it_is(world: World) -> None:
    leaks = {"TOKEN": "SECRET", "SSH_AUTH_SOCK": "/x", "HQT_SESSION": "ffffffff", "EDITOR": "vi"}
    plan = planned(jailed(world, env_names=("TOKEN", "UNSET")), world, leaks)
    kept = {name: world.env[name] for name in ("HOME", "PATH", "LANG", "TERM", "USER", "SHELL")}
    ours = {"TMPDIR": "/tmp", "HQT_SANDBOX": "1", "EDITOR": "vi", "TOKEN": "SECRET"}
    assert {name: value for name, value in plan.env.items() if not name.startswith("GIT_CONFIG_")} == {
        **kept,
        **ours,
    }
    assert not any("SECRET" in word for word in plan.argv)


@pytest.mark.parametrize("name", ["SSH_AUTH_SOCK", "TMUX", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"])
def test_a_variable_that_leads_out_is_refused_by_name(world: World, name: str) -> None:
    assert refusal(jailed(world, env_names=("TOKEN", name)), world, JailError) == (
        f"the variable {name} leads out of the jail and never enters it: leave out --env {name}"
    )


@pytest.mark.parametrize("name", ["*", "AWS_*", "[A-Z]OKEN", "TOKEN=x", "", "A B", "1A", "é"])
def test_only_a_name_passes_a_variable(world: World, name: str) -> None:
    assert refusal(jailed(world, env_names=(name,)), world, JailError, {"TOKEN": "SECRET"}) == (
        f"{name!r} is no name of a variable: give --env the name alone, once for each"
    )


def test_a_harness_brings_its_copies_binds_and_flags(world: World, claude: Path) -> None:
    state = world.home / ".claude.json"
    state.write_text('{"hasCompletedOnboarding": true}')
    plan = planned(jailed(world, harness="claude", args=(), conversation="abc"), world, {"PWD": "/"})
    command = plan.argv[plan.argv.index("--default-signal=INT") + 1 :]
    assert command[:3] == (str(claude), "--session-id", "abc")
    assert "--dangerously-skip-permissions" in command
    assert [copy.dst for copy in plan.copies] == [state]
    at = plan.argv.index("--file")
    assert plan.argv[at : at + 3] == ("--file", str(FIRST_COPY), str(state))
    assert world.home / ".claude/projects" in plan.makes
    assert world.places.session(KEY) / "claude-sessions" in plan.makes


def test_an_open_harness_keeps_its_prompts(world: World, claude: Path) -> None:
    plan = planned(opened(world, harness="claude", args=(), conversation="abc"), world)
    assert plan.argv[:4] == (str(claude), "--session-id", "abc", "--settings")
    assert "--dangerously-skip-permissions" not in plan.argv
    assert (plan.copies, plan.makes, plan.sealed) == ((), (), None)


def test_hooks_are_told_the_one_folder_that_they_may_write(world: World, claude: Path) -> None:
    """Outside of a jail by its own place, which may be any; within one always by the same."""
    folder = world.places.session(KEY) / "events"
    outside = planned(opened(world, harness="claude", args=()), world, {"HQT_EVENTS": "/of/another"})
    assert (outside.events, outside.env["HQT_EVENTS"]) == (folder, str(folder))
    inside = planned(jailed(world, harness="claude", args=()), world)
    assert (inside.events, inside.env["HQT_EVENTS"]) == (folder, "/run/hqt/events")
    at = inside.argv.index("/run/hqt/events")
    assert inside.argv[at - 2 : at] == ("--bind", str(folder))
    plain = planned(jailed(world), world, {"HQT_EVENTS": "/of/another"})
    assert (plain.events, plain.env.get("HQT_EVENTS")) == (None, None)


@pytest.mark.parametrize("sandbox", [None, JAIL])
def test_each_start_begins_without_the_reports_of_the_last(
    world: World, claude: Path, sandbox: SandboxPolicy | None
) -> None:
    plan = planned(jailed(world, harness="claude", args=(), sandbox=sandbox), world)
    assert plan.events is not None
    plan.events.mkdir(mode=0o755, parents=True)
    (plan.events / "starts").write_text("old")
    with prepare(plan, Size(80, 24), world.places, KEY):
        assert plan.events.stat().st_mode & 0o777 == 0o700
        assert list(plan.events.iterdir()) == []


def test_another_command_runs_in_the_harnesss_jail_even_where_the_harness_is_missing(world: World) -> None:
    launch = jailed(world, harness="codex", args=(), key=None, command=("cat", "x"))
    plan = planned(launch, world)
    assert plan.argv[-2:] == ("cat", "x")
    assert plan.status is None
    assert world.home / ".codex/sessions" in plan.makes


def test_a_harness_that_is_missing_is_told_otherwise(world: World) -> None:
    sentence = "'codex' is not on PATH: install it, or add the folder that holds it to PATH"
    for launch in (jailed(world, harness="codex", args=()), opened(world, harness="codex", args=())):
        assert refusal(launch, world, HarnessError) == sentence


def test_an_unknown_harness_is_told_with_those_there_are(world: World) -> None:
    assert refusal(jailed(world, harness="gpt"), world, HarnessError) == (
        f"there is no harness 'gpt': it is one of {', '.join(registry.NAMES)}, mine,"
        " or declare [harness.gpt] in config.toml"
    )


def test_without_a_look_for_bwrap_no_jail_is_planned(world: World) -> None:
    for found in (None, Availability(ok=False, net_off_ok=False)):
        with pytest.raises(JailError, match="bubblewrap was not looked for"):
            survey.survey(jailed(world), world.places, caller(world), found, terminal=True)


def test_an_open_survey_never_becomes_a_jail(world: World) -> None:
    surveys = survey.survey(opened(world), world.places, caller(world), None, terminal=True)
    with pytest.raises(JailError, match="the machine was not surveyed"):
        planning.plan(jailed(world), surveys)


def test_a_way_back_needs_a_conversation(world: World, claude: Path) -> None:
    back = jailed(world, harness="claude", args=(), resume=True)
    assert refusal(back, world, ServiceError) == (
        "mine has no conversation to resume: use `hqt resume --fresh`"
    )
    assert refusal(replace(back, conversation="abc"), world, ServiceError) == (
        "mine has nothing to resume: use `hqt resume --fresh`"
    )


@pytest.mark.parametrize("sandbox", [None, JAIL])
def test_words_that_no_program_can_get_are_refused(world: World, sandbox: SandboxPolicy | None) -> None:
    long, nul = ("echo", "x" * (ARGUMENT_MAX + 1)), ("echo", "a\0b")
    assert refusal(jailed(world, sandbox=sandbox, args=long), world, ServiceError) == (
        "an argument is over the 131071 bytes that the kernel takes: hand it over in a file"
    )
    assert refusal(jailed(world, sandbox=sandbox, args=nul), world, ServiceError) == (
        "an argument holds a NUL, which no program can be given: leave it out"
    )


def test_an_open_session_needs_a_folder_too(world: World) -> None:
    (world.home / "file").touch()
    (world.home / "loop").symlink_to(world.home / "loop")
    for name, sentence in {
        "gone": f"the folder {world.home}/gone can't be used (No such file or directory): "
        "choose another or see `hqt move`",
        "loop": f"the folder {world.home}/loop can't be used (a loop of links): "
        "choose another or see `hqt move`",
        "file": f"{world.home}/file is not a folder: choose the folder it lies in",
    }.items():
        assert refusal(opened(world, given=world.home / name), world, ServiceError) == sentence


@pytest.mark.skipif(UID == 0, reason="root enters every folder")
def test_an_open_session_needs_a_folder_that_can_be_entered(world: World) -> None:
    closed = world.home / "closed"
    closed.mkdir(mode=0)
    assert refusal(opened(world, given=closed), world, ServiceError) == (
        f"the folder {closed} can't be entered by you: choose another"
    )


def test_an_open_session_may_be_in_the_home(world: World) -> None:
    assert planned(opened(world, given=world.home), world).cwd == world.home


def test_the_accounts_own_home_is_refused_where_home_says_another(world: World) -> None:
    account = world.root / "account"
    account.mkdir()
    who = replace(caller(world), account_home=account)
    with pytest.raises(JailError, match="is your home folder or holds it"):
        survey.survey(jailed(world, given=account), world.places, who, AVAILABLE, terminal=True)


def prepared(plan: Plan, world: World, used: Path | None = None) -> None:
    """A start that fails once `used` was made by somebody."""
    with prepare(plan, Size(80, 24), world.places, KEY):
        if used is not None:
            used.touch()
        raise KeyboardInterrupt


def test_what_is_prepared_is_private_and_stays(world: World) -> None:
    plan = planned(jailed(world, harness="kiro", args=(), command=("true",)), world)
    with prepare(plan, Size(80, 24), world.places, KEY) as request:
        assert request.argv == plan.argv
        assert request.seal is not None
        assert {source.path for source in request.seal.sources} >= {*plan.makes, world.project}
    for folder in (world.home / ".kiro", *plan.makes):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_where_the_start_fails_nothing_that_was_made_stays(world: World) -> None:
    plan = planned(jailed(world, harness="kiro", args=(), command=("true",)), world)
    with pytest.raises(KeyboardInterrupt):
        prepared(plan, world)
    assert [folder for folder in (world.home / ".kiro", *plan.makes) if folder.exists()] == []


def test_where_the_start_fails_what_was_there_or_is_used_stays(world: World) -> None:
    mine = world.home / ".kiro/sessions/mine"
    mine.parent.mkdir(parents=True)
    mine.touch()
    plan = planned(jailed(world, harness="kiro", args=(), command=("true",)), world)
    used = world.home / ".local/share/kiro-cli/data"
    with pytest.raises(KeyboardInterrupt):
        prepared(plan, world, used)
    assert mine.exists()
    assert used.exists()


def test_a_file_in_the_way_of_a_folder_is_told(world: World) -> None:
    (world.home / ".kiro").touch()
    plan = planned(jailed(world, harness="kiro", args=(), command=("true",)), world)
    with pytest.raises(ServiceError) as raised:
        prepared(plan, world)
    assert str(raised.value) == (
        f"the folder {world.home}/.kiro/sessions can't be made (Not a directory): make it by hand"
    )


def test_only_agents_on_path_are_installed(world: World, claude: Path) -> None:
    assert claude.exists()
    assert program.installed(world.places, caller(world)) == ("claude",)
    assert program.installed(world.places, caller(world, PATH="/usr/bin:/bin")) == ()


@pytest.mark.parametrize("folder", ["", "relative"])
def test_an_account_without_a_home_has_none(monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    account = pwd.struct_passwd(("u", "x", UID, 1, "", folder, "/bin/zsh"))
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: account)
    assert (Caller.current().shell, Caller.current().account_home) == ("/bin/zsh", None)


def test_a_number_without_an_account_has_neither_shell_nor_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(uid: int) -> pwd.struct_passwd:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert (Caller.current().shell, Caller.current().account_home) == ("/bin/sh", None)
    assert Caller.current().env == dict(os.environ)
