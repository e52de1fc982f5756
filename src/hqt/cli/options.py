"""Pieces that several commands share: what follows `--`, and the jail's options."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import click

from hqt.sandbox import SandboxPolicy
from hqt.sandbox.policy import Fs

_REST = "hqt.rest"
_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(slots=True)
class Invocation:
    """One run of the command line, as far as its end depends on the command (click's `obj`)."""

    refused: int | None = None  # the exit status of a refusal, where it must differ from the usual ones


class TakesCommand(click.Command):
    """A command with words of another program after `--`; click would mix them with its own arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, rest = (args[: args.index("--")], args[args.index("--") + 1 :]) if "--" in args else (args, [])
        ctx.meta[_REST] = tuple(rest)
        return super().parse_args(ctx, own)


def rest() -> tuple[str, ...]:
    """The words after `--` of the running command."""
    return cast(tuple[str, ...], click.get_current_context().meta[_REST])


def exits_like_its_command(refused: int) -> None:
    """Let this command end with `refused` where hqt refuses it: 1 and 4 may be its own command's."""
    invocation = click.get_current_context().find_object(Invocation)
    if invocation is not None:
        invocation.refused = refused


def jail_options(command: _Command) -> _Command:
    """--fs and --net/--no-net, None where not said."""
    fs = click.option(
        "--fs", type=click.Choice(["rw", "ro"]), help="Write the project, or only read it.  [rw]"
    )
    net = click.option(
        "--net/--no-net", default=None, help="Share the host's network, or have none.  [--net]"
    )
    return fs(net(command))


def policy(fs: Fs | None, net: bool | None) -> SandboxPolicy:
    default = SandboxPolicy()
    return SandboxPolicy(fs=fs or default.fs, net=default.net if net is None else net)
