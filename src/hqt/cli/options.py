"""Pieces that several commands share: what follows `--`, and the jail's options."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import click

_REST = "hqt.rest"
_Command = TypeVar("_Command", bound=Callable[..., Any])


class TakesCommand(click.Command):
    """A command with words of another program after `--`; click would mix them with its own arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, rest = (args[: args.index("--")], args[args.index("--") + 1 :]) if "--" in args else (args, [])
        ctx.meta[_REST] = tuple(rest)
        return super().parse_args(ctx, own)


def rest() -> tuple[str, ...]:
    """The words after `--` of the running command."""
    return cast(tuple[str, ...], click.get_current_context().meta[_REST])


def jail_options(command: _Command) -> _Command:
    """--fs and --net/--no-net, None where not said."""
    fs = click.option(
        "--fs", type=click.Choice(["rw", "ro"]), help="Write the project, or only read it.  [rw]"
    )
    net = click.option(
        "--net/--no-net", default=None, help="Share the host's network, or have none.  [--net]"
    )
    return fs(net(command))
