"""The commands as click knows them: one group, each family imported only when it is called."""

import os
from collections.abc import Sequence
from importlib import import_module

import click

from hqt.cli import help as page
from hqt.cli.output import say
from hqt.errors import ConfigError

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

    def get_help(self, ctx: click.Context) -> str:
        return page.text()


@click.group(
    cls=_Family,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="hqt-sessions", prog_name="hqt")
@click.option("--debug", is_flag=True)
@click.pass_context
def cli(ctx: click.Context, *, debug: bool) -> int | None:
    """See cli/help.py, which prints what stands here for other commands."""
    if ctx.invoked_subcommand is not None:
        return None
    if not (os.isatty(0) and os.isatty(1)):
        print(ctx.get_help())
        return None
    if os.environ.get("TERM", "dumb") == "dumb":
        raise ConfigError("this terminal (TERM=dumb) can't show the screen: `hqt list` shows the sessions")
    from hqt.tui import run  # here: the screen takes 0.4 s, which commands need not pay

    return run.run_screen(debug=debug)


def run(words: Sequence[str]) -> int:
    """Run `hqt WORDS`; its exit status. Raises HqtError."""
    try:
        code = cli.main(args=list(words), prog_name="hqt", standalone_mode=False)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "hqt"
        say(f"{error.format_message().rstrip('.')}: see `{where} --help`")
        return error.exit_code
    except click.ClickException as error:
        say(error.format_message())
        return error.exit_code
    except click.Abort as error:
        if error.__cause__ is not None:  # an interrupt
            raise KeyboardInterrupt from error
        say("cancelled: nothing more was changed")
        return 1
    return code if isinstance(code, int) else 0
