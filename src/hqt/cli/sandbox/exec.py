"""`hqt sandbox`: the jail without a session."""

from importlib import import_module

import click
from click.exceptions import Exit

from hqt.cli.harness_names import HARNESSES
from hqt.cli.options import TakesCommand, jail_options, rest
from hqt.cli.sandbox.run import run_command
from hqt.sandbox.policy import Fs

# command -> module and its attribute; `exec` must not pay for their imports
_OTHERS = {
    "explain": ("hqt.cli.sandbox.explain", "explain"),
    "why": ("hqt.cli.sandbox.explain", "why"),
    "check": ("hqt.cli.sandbox.check", "check"),
    "set": ("hqt.cli.sandbox.set", "set_"),
}


class _Family(click.Group):
    """The group, with commands that are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *_OTHERS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _OTHERS:
            return super().get_command(ctx, cmd_name)
        module, attribute = _OTHERS[cmd_name]
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)  # noqa: S101 - for the type checker
        return command


@click.group(
    cls=_Family, no_args_is_help=False, epilog="\b\nExample:\n  hqt sandbox exec --no-net -- make test"
)
def sandbox() -> None:
    """The jail that sessions get: for a single command, explained, and changed."""


@sandbox.command(
    "exec",
    cls=TakesCommand,
    options_metavar="[OPTIONS] -- CMD...",
    epilog="\b\nExamples:\n  hqt sandbox exec -- ls -A ~\n"
    "  hqt sandbox exec --fs ro --no-net -C ~/src/shop -- make test",
)
@jail_options
@click.option("--harness", metavar="H", default="generic", help=f"Whose jail: {HARNESSES}.  [generic]")
@click.option(
    "--env", "env_names", multiple=True, metavar="NAME", help="Pass a variable of this shell into the jail."
)
@click.option(
    "-C", "directory", metavar="DIR", default=".", help="The project; by default the current folder."
)
def exec_(
    *, fs: Fs | None, net: bool | None, harness: str, env_names: tuple[str, ...], directory: str
) -> None:
    """Run CMD in exactly the jail that a session would have.

    Exits as CMD does, or with 125 where the jail was refused, 126 where CMD can't be run and 127 where
    there is no such command.
    """
    if not rest():
        raise click.UsageError("name the command to run after --")
    done = run_command(rest(), fs=fs, net=net, harness=harness, env_names=env_names, directory=directory)
    raise Exit(done)
