"""`hqt new`: start an agent."""

import click

from hqt.cli.harness_names import HARNESSES
from hqt.cli.observe.wait import after_start
from hqt.cli.options import TakesCommand, jail_options, rest
from hqt.cli.output import say
from hqt.cli.sandbox.run import policy
from hqt.cli.sessions.attach import enter_screen, need_terminal
from hqt.cli.sessions.report import report, size
from hqt.cli.stdin import given
from hqt.config.file import load_config
from hqt.observe.views import NewSession
from hqt.sandbox.policy import Fs
from hqt.sessions import send
from hqt.start import program
from hqt.start.caller import current_caller
from hqt.start.folders import folder
from hqt.wiring import here, open_service


@click.command(
    cls=TakesCommand,
    epilog="\b\nExamples:\n  hqt new ~/src/shop -s --prompt 'fix the failing test'\n"
    "  hqt new ~/src/shop -s --fs ro --no-net --harness generic -- ./review.sh\n"
    "  git log -p -1 | hqt new -s --prompt - --wait --timeout 600",
    options_metavar="[OPTIONS] [-- ARGS...]",
)
@click.argument("directory", metavar="[DIR]", default=".")
@click.option(
    "--harness",
    metavar="H",
    help=f"{HARNESSES}; by default that of config.toml, else the only one installed.",
)
@click.option("--name", help="Default: <project>-<harness>.")
@click.option(
    "-s/",
    "--sandbox/--no-sandbox",
    default=None,
    help="In a jail, with its own permission prompts off; or without one, where config.toml asks for one.",
)
@jail_options
@click.option(
    "--env", "env_names", multiple=True, metavar="NAME", help="Pass a variable of this shell into the jail."
)
@click.option("--prompt", metavar="TEXT|-", help="The first prompt; - takes it from standard input.")
@click.option("-a", "--attach", "enter", is_flag=True, help="Enter its screen right away.")
@click.option("--wait", "until_done", is_flag=True, help="Wait until its work is done or it needs you.")
@click.option(
    "--timeout", type=click.FloatRange(min=0), metavar="S", help="With --wait: stop waiting after S."
)
@click.option("--json", "as_json", is_flag=True, help="Print the session object.")
def new(
    directory: str,
    *,
    harness: str | None,
    name: str | None,
    sandbox: bool | None,
    fs: Fs | None,
    net: bool | None,
    env_names: tuple[str, ...],
    prompt: str | None,
    enter: bool,
    until_done: bool,
    timeout: float | None,
    as_json: bool,
) -> None:
    """Start an agent in DIR (here, if left out); returns once it is seen alive.

    With --wait it returns when the agent is idle again, needs you or has ended, and exits as `hqt wait` does.

    For the generic harness ARGS is the command, by default your login shell; for others they are extra
    arguments. The jail is kept for every later start of the session.
    Where config.toml has `[new] sandbox = true` it is as if --sandbox was said.
    """
    chosen = load_config(here().config_file)
    jailed = chosen.new_sandbox if sandbox is None else sandbox
    if not jailed and (fs is not None or net is not None):
        raise click.UsageError("--fs and --net/--no-net need --sandbox")
    if until_done and enter:
        raise click.UsageError("--wait and --attach exclude each other")
    if timeout is not None and not until_done:
        raise click.UsageError("--timeout needs --wait")
    if enter:
        need_terminal("--attach")
    wanted = NewSession(
        directory=folder(directory),
        harness=harness or chosen.new_harness or _only_harness(),
        name=name,
        sandbox=policy(fs, net) if jailed else None,
        args=rest(),
        env_names=env_names,
        prompt=None if prompt is None else given(prompt, most=send.TEXT_MAX),
        size=size(),
    )
    service = open_service(say)
    outcome = service.create_session(*wanted)
    if until_done and outcome.view.is_alive:
        after_start(outcome, prompted=bool(wanted.prompt), timeout_s=timeout, as_json=as_json)
        return
    report(outcome, as_json=as_json)
    if enter:
        enter_screen(service, str(outcome.view.id))


def _only_harness() -> str:
    places = here()
    asking = current_caller(places)
    installed = program.installed(places, asking)
    if len(installed) == 1:
        return installed[0]
    none = "" if installed else "no agent is installed. "
    raise click.UsageError(
        f"{none}Choose an agent with --harness: {', '.join(installed or asking.harnesses.names)}"
        " (or set `harness` under [new] in config.toml)"
    )
