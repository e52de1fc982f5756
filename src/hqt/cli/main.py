"""The command `hqt`: one group, each family of commands imported only when it is called."""

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

from hqt.cli.options import Invocation
from hqt.cli.output import say
from hqt.errors import ConfigError, HqtError

# command -> module and its attribute; read commands must not pay for the imports of the writing ones
_COMMANDS = {
    "new": ("hqt.cli.sessions.new", "new"),
    "list": ("hqt.cli.observe.list", "list_"),
    "show": ("hqt.cli.observe.show", "show"),
    "status": ("hqt.cli.observe.status", "status"),
    "capture": ("hqt.cli.observe.capture", "capture"),
    "send": ("hqt.cli.sessions.send", "send"),
    "wait": ("hqt.cli.observe.wait", "wait"),
    "attach": ("hqt.cli.sessions.attach", "attach"),
    "stop": ("hqt.cli.sessions.stop", "stop"),
    "resume": ("hqt.cli.sessions.resume", "resume"),
    "fork": ("hqt.cli.sessions.fork", "fork"),
    "adopt": ("hqt.cli.sessions.adopt", "adopt"),
    "rename": ("hqt.cli.sessions.rename", "rename"),
    "mute": ("hqt.cli.sessions.mute", "mute"),
    "move": ("hqt.cli.sessions.move", "move"),
    "rm": ("hqt.cli.sessions.rm", "remove"),
    "sandbox": ("hqt.cli.sandbox.exec", "sandbox"),
    "doctor": ("hqt.cli.doctor", "doctor"),
    "demo": ("hqt.cli.demo", "demo"),
    "prune": ("hqt.cli.prune", "prune"),
    "ended": ("hqt.cli.internal.ended", "ended"),
    "next": ("hqt.cli.internal.next", "next_"),
    "watch": ("hqt.cli.internal.watch", "watch"),
}


class _Family(click.Group):
    """A group that knows its commands by name and imports each when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, attribute = _COMMANDS[cmd_name]
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101 - for the type checker
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_HELP.items()))


# said here as well, so that `hqt --help` imports none of them
_HELP = {
    "new": "Start an agent in a folder, on request in a jail.",
    "list": "Show the sessions, oldest first.",
    "show": "Show all that is known of one session.",
    "status": "Say what a session's agent does, and by which evidence.",
    "capture": "Print what is on a session's screen.",
    "send": "Type a text into a session and submit it.",
    "wait": "Return when agents are idle, need you, or have ended.",
    "attach": "Enter a session's screen; ctrl-q returns.",
    "stop": "Let agents end themselves; what does not is ended.",
    "resume": "Bring a session back with its conversation.",
    "fork": "Start a session with a copy of another's conversation.",
    "adopt": "List conversations started elsewhere, and take one over.",
    "rename": "Give a session another name.",
    "mute": "Let a session's notices be silent, or heard again.",
    "move": "Tell a session where its folder is now.",
    "rm": "Stop sessions and forget them.",
    "sandbox": "Run a command in a jail, or explain one.",
    "doctor": "Check what works here, with remedies.",
    "demo": "See a jailed agent start, try to get out, and come back.",
    "prune": "Free what ended sessions and unused caches hold.",
}


@click.group(
    cls=_Family,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="\b\nExamples:\n  hqt new ~/src/shop -s          a jailed agent in ~/src/shop\n"
    "  hqt list                       who is there\n"
    "  hqt attach shop-claude         enter its screen, ctrl-q returns",
)
@click.version_option(package_name="hqt-sessions", prog_name="hqt")
@click.option("--debug", is_flag=True, help="Log what the screen does in detail.")
@click.pass_context
def cli(ctx: click.Context, *, debug: bool) -> int | None:
    """Headquarters for coding agents: start, keep, jail and resume them.

    Without a command, in a terminal: the screen, which shows every session and leads into each.
    """
    if ctx.invoked_subcommand is not None:
        return None
    if not (os.isatty(0) and os.isatty(1)):
        print(ctx.get_help())
        return None
    if os.environ.get("TERM", "dumb") == "dumb":
        raise ConfigError("this terminal (TERM=dumb) can't show the screen: `hqt list` shows the sessions")
    from hqt.tui import run  # here: the screen takes 0.4 s, which commands need not pay

    return run.run_screen(debug=debug)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit as it says."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # a locale without a sign that a name holds must not stop the list
        sys.stdout.reconfigure(errors="backslashreplace")
    code = _run(arguments)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # the reader of our output is gone; closing it again at exit must not fail either
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(141)
    sys.exit(code)


def _run(arguments: Sequence[str] | None) -> int:
    """The one place, beside the screen, where deliberate errors end."""
    invocation = Invocation()
    try:
        code = cli.main(args=arguments, prog_name="hqt", standalone_mode=False, obj=invocation)
    except HqtError as error:
        say(str(error))
        return invocation.refused or error.exit_code
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "hqt"
        say(f"{error.format_message().rstrip('.')}: see `{where} --help`")
        return error.exit_code
    except click.ClickException as error:
        say(error.format_message())
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        say("given up: nothing more was changed")
        return 1 if isinstance(error, click.Abort) and error.__cause__ is None else 130
    return code if isinstance(code, int) else 0
