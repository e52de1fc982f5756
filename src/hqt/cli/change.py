"""Commands that start, stop and change sessions."""

import os
import shutil
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from hqt import config
from hqt.backends.base import Size
from hqt.cli.harness import HARNESSES
from hqt.cli.output import print_json, say, say_lines, session_json
from hqt.cli.stdin import given
from hqt.cli.wait import after_start
from hqt.cli.words import TakesCommand, jail_options, policy, rest
from hqt.db import reader
from hqt.errors import ServiceError
from hqt.sandbox.policy import Fs
from hqt.services import equipping, sending
from hqt.services.asking import caller
from hqt.services.attending import attend as give_terminal
from hqt.services.given import folder
from hqt.services.ringing import Bell
from hqt.services.views import NewSession, Outcome, SessionView
from hqt.wiring import here, open_service
from hqt.wording import exit_word, state_words

if TYPE_CHECKING:
    from hqt.services.sessions import SessionService

_LAST_LINES = 20


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
@click.option("--name", help="By default <project>-<harness>.")
@click.option(
    "-s/",
    "--sandbox/--no-sandbox",
    default=None,
    help="In a jail, its own permission prompts off; or in none, where config.toml asks for one.",
)
@jail_options
@click.option(
    "--env", "env_names", multiple=True, metavar="NAME", help="Pass a variable of this shell into the jail."
)
@click.option("--prompt", metavar="TEXT|-", help="The first prompt; - takes it from standard input.")
@click.option("-a", "--attach", "enter", is_flag=True, help="Enter its screen at once.")
@click.option("--wait", "until_done", is_flag=True, help="Return when its work is done, or it needs you.")
@click.option("--timeout", type=click.FloatRange(min=0), metavar="S", help="With --wait: give up after S s.")
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
    chosen = config.load(here().config_file)
    jailed = chosen.new_sandbox if sandbox is None else sandbox
    if not jailed and (fs is not None or net is not None):
        raise click.UsageError("--fs and --net/--no-net need --sandbox")
    if until_done and enter:
        raise click.UsageError("--wait and --attach exclude each other")
    if timeout is not None and not until_done:
        raise click.UsageError("--timeout needs --wait")
    if enter:
        _need_terminal("--attach")
    wanted = NewSession(
        directory=folder(directory),
        harness=harness or chosen.new_harness or _only_harness(),
        name=name,
        sandbox=policy(fs, net) if jailed else None,
        args=rest(),
        env_names=env_names,
        prompt=None if prompt is None else given(prompt, most=sending.TEXT_MAX),
        size=size(),
    )
    service = _service()
    outcome = service.create_session(*wanted)
    if until_done and outcome.view.is_alive:
        after_start(outcome, prompted=bool(wanted.prompt), timeout_s=timeout, as_json=as_json)
        return
    report(outcome, as_json=as_json)
    if enter:
        _enter(service, str(outcome.view.id))


@click.command(epilog="\b\nExample:\n  hqt attach shop-claude")
@click.argument("session")
def attach(session: str) -> None:
    """Enter SESSION's screen, resuming it first where it is not alive; ctrl-q returns."""
    _need_terminal("hqt attach")
    _enter(_service(), session)


@click.command(epilog="\b\nExample:\n  hqt stop 3 4 shop-claude")
@click.argument("sessions", nargs=-1, required=True, metavar="SESSION...")
def stop(sessions: tuple[str, ...]) -> None:
    """Let each agent end itself; after 5 s it is ended. Nothing of it stays behind."""
    service = _service()
    for row_id in dict.fromkeys(reader.find(service.places, each).id for each in sessions):
        view = service.stop_session(str(row_id))
        print(f"{view.id} {view.name}: {state_words(view)}")


@click.command(epilog="\b\nExamples:\n  hqt resume 3\n  hqt resume 3 --fresh")
@click.argument("session")
@click.option("--fresh", is_flag=True, help="With a new conversation; the old id is kept in the note.")
@click.option("--no-fallback", is_flag=True, help="Fail where its conversation can't be resumed.")
@click.option("--json", "as_json", is_flag=True, help="Print the session object.")
def resume(session: str, *, fresh: bool, no_fallback: bool, as_json: bool) -> None:
    """Bring SESSION back with its own conversation, in its own jail and this shell's environment."""
    if fresh and no_fallback:
        raise click.UsageError("--fresh and --no-fallback exclude each other")
    outcome = _service().resume_session(session, fresh=fresh, fallback=not no_fallback, size=size())
    report(outcome, as_json=as_json)


@click.command(
    epilog="\b\nExamples:\n  hqt fork 3\n  hqt fork shop-claude --prompt 'try it with sqlite instead'"
)
@click.argument("session")
@click.option("--name", help="By default <project>-<harness>-<number>.")
@click.option("--prompt", metavar="TEXT|-", help="The copy's first prompt; - takes it from standard input.")
@click.option("-a", "--attach", "enter", is_flag=True, help="Enter its screen at once.")
@click.option("--json", "as_json", is_flag=True, help="Print the session object.")
def fork(session: str, *, name: str | None, prompt: str | None, enter: bool, as_json: bool) -> None:
    """Start a session that begins with a copy of SESSION's conversation, in its folder and its jail.

    SESSION, alive or not, stays as it is.
    """
    if enter:
        _need_terminal("--attach")
    service = _service()
    said = None if prompt is None else given(prompt, most=sending.TEXT_MAX)
    outcome = service.fork_session(session, name, said, size())
    report(outcome, as_json=as_json)
    if enter:
        _enter(service, str(outcome.view.id))


@click.command(epilog="\b\nExample:\n  hqt rename 3 'payment bug'")
@click.argument("session")
@click.argument("name")
def rename(session: str, name: str) -> None:
    """Give SESSION another NAME; it may be running."""
    view = _service().rename_session(session, name)
    print(f"{view.id} {view.name}")


@click.command(epilog="\b\nExamples:\n  hqt mute 3 shop-claude\n  hqt mute 3 --off")
@click.argument("sessions", nargs=-1, required=True, metavar="SESSION...")
@click.option("--off", is_flag=True, help="Let them be heard again.")
def mute(sessions: tuple[str, ...], *, off: bool) -> None:
    """Let each SESSION's notices be silent from now on, through stop and resume as well."""
    service = _service()
    for row_id in dict.fromkeys(reader.find(service.places, each).id for each in sessions):
        view = service.mute_session(str(row_id), muted=not off)
        print(f"{view.id} {view.name}: {'muted' if view.muted else 'heard'}")


@click.command(epilog="\b\nExample:\n  hqt move 3 ~/src/shop-renamed")
@click.argument("session")
@click.argument("directory", metavar="DIR")
def move(session: str, directory: str) -> None:
    """Tell SESSION, which must not be alive, that its folder is DIR now."""
    view = _service().move_session(session, folder(directory))
    print(f"{view.id} {view.name}: {view.cwd}")


@click.command(epilog="\b\nExample:\n  hqt rm 3 4")
@click.argument("sessions", nargs=-1, required=True, metavar="SESSION...")
@click.option("--force", is_flag=True, help="Do not ask.")
def remove(sessions: tuple[str, ...], *, force: bool) -> None:
    """Stop each SESSION and forget it; its transcript stays with the harness."""
    service = _service()
    views = list(dict.fromkeys(service.looker.one(each) for each in sessions))
    for view in views:
        if view.is_alive and not force:
            _ask_to_remove(view)
    for view in views:
        service.delete_session(str(view.id))
        print(f"{view.id} {view.name}: removed")


def _service() -> "SessionService":
    return open_service(say)


def _ask_to_remove(view: SessionView) -> None:
    if not os.isatty(0):
        raise ServiceError(f"session {view.id} is {view.state}: stop it first or use --force")
    click.confirm(f"session {view.id} {view.name} is {view.state}: end and forget it?", abort=True, err=True)


def _only_harness() -> str:
    places = here()
    asking = caller(places)
    installed = equipping.installed(places, asking)
    if len(installed) == 1:
        return installed[0]
    found = f"installed are {', '.join(installed)}" if installed else "no agent is installed"
    raise click.UsageError(f"say --harness, one of {', '.join(asking.harnesses.names)} ({found})")


def report(outcome: Outcome, *, as_json: bool) -> None:
    """Print the session; one that already ended is a failure, with its last words."""
    for note in outcome.notes:
        say(f"note: {note}")
    view = outcome.view
    if as_json:
        print_json(session_json(view))
    else:
        print(f"{view.id} {view.name}: {state_words(view)}")
    if not view.is_alive:
        _say_end(view, outcome.lines)
        raise Exit(1)


def _say_end(view: SessionView, lines: tuple[str, ...] | list[str]) -> None:
    how = f" ({exit_word(view.exit)})" if view.exit else ""
    say(f"session {view.id} {view.name} {view.state}{how}, its last lines: `hqt show {view.id}`")
    say_lines(line for line in lines[-_LAST_LINES:] if line.strip())


def _enter(service: "SessionService", session: str) -> None:
    command, outcome = service.attach_session(session, size())
    for note in outcome.notes:
        say(f"note: {note}")
    if not outcome.view.is_alive:
        _say_end(outcome.view, outcome.lines)
        raise Exit(1)
    if command.note:
        say(f"note: {command.note}")
    heard = Bell(service.places).sound
    last = give_terminal(service.looker, service.backend, outcome.view, command, heard)
    view = service.looker.of(last) if last else None
    view = view or service.looker.one(str(outcome.view.id))  # its name may have changed meanwhile
    if not view.is_alive:
        service.heal()
        view = service.looker.one(str(view.id))
        _say_end(view, service.looker.screen(view, lines=_LAST_LINES))


def _need_terminal(what: str) -> None:
    if not (os.isatty(0) and os.isatty(1)):
        raise ServiceError(f"{what} needs a terminal: use `hqt capture` to see a screen without one")


def size() -> Size:
    """This terminal's size; without one a common large one."""
    if not os.isatty(1):
        return Size(columns=120, rows=40)
    columns, rows = shutil.get_terminal_size((120, 40))
    return Size(columns=columns, rows=rows)
