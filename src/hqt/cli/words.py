"""Pieces that several commands share: what follows `--`, the jail's options, a folder as it was typed."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from hqt.errors import ServiceError
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


def folder(text: str) -> Path:
    """The folder as it was given, absolute; links keep their names, but not where `..` would mislead."""
    try:
        path = Path(text).expanduser()
        if ".." in path.parts:
            return path.resolve()
        return Path(os.path.normpath(path if path.is_absolute() else _current() / path))
    except FileNotFoundError as error:
        raise ServiceError("the current folder is gone: change to another or give a whole path") from error
    except RuntimeError as error:
        raise ServiceError(
            f"the folder {text} can't be found: it names no user, or its links lead in a circle"
        ) from error


def _current() -> Path:
    """The working folder by the name that the shell knows it by, so that a link stays one."""
    here = Path.cwd()
    named = Path(os.environ.get("PWD", ""))
    is_it = named.is_absolute() and ".." not in named.parts and named.resolve() == here
    return named if is_it else here
