"""`hqt sandbox set`: another jail for a session, or none."""

import os

import click

from hqt.cli.options import jail_options
from hqt.cli.output import say
from hqt.errors import ServiceError
from hqt.formatting import jail_words
from hqt.observe.views import SessionView
from hqt.sandbox import SandboxPolicy
from hqt.sandbox.policy import Fs
from hqt.sessions.preconditions import refuse_alive
from hqt.wiring import open_service


@click.command(
    "set",
    short_help="Give a session another jail, or none.",
    epilog="\b\nExamples:\n  hqt sandbox set 3 --no-net\n  hqt sandbox set shop-claude --on --fs ro\n"
    "  hqt sandbox set 3 --off",
)
@click.argument("session")
@jail_options
@click.option(
    "--on/--off", "jailed", default=None, help="Jail an open session; remove a jail, which asks first."
)
@click.option("--force", is_flag=True, help="Do not ask.")
def set_(session: str, *, fs: Fs | None, net: bool | None, jailed: bool | None, force: bool) -> None:
    """Let SESSION, which must not be alive, start in another jail from now on.

    What is not said stays as it is. It is refused where the session could not start like that: the jail is
    never left out.
    """
    if jailed is None and fs is None and net is None:
        raise click.UsageError("give --fs, --net or --no-net, --on or --off")
    if jailed is False and (fs is not None or net is not None):
        raise click.UsageError("--off removes the jail: leave out --fs and --net/--no-net")
    service = open_service(say)
    view = service.looker.one(session)
    policy = None if jailed is False else _wanted(view, fs, net, jailed=jailed is True)
    if policy is None and not force:
        refuse_alive(view)  # rather than ask in vain; that it ends meanwhile is no answer
        _ask(view)
    changed = service.set_sandbox(str(view.id), policy)
    print(f"{changed.id} {changed.name}: {jail_words(changed)}")


def _wanted(view: SessionView, fs: Fs | None, net: bool | None, *, jailed: bool) -> SandboxPolicy:
    if view.sandbox is None and not jailed:
        what = "is open" if view.invalid is None else "has a policy that can't be read"
        raise ServiceError(f"session {view.id} {what}: add --on and the jail that you want")
    was = view.sandbox or SandboxPolicy()
    return SandboxPolicy(fs=fs or was.fs, net=was.net if net is None else net)


def _ask(view: SessionView) -> None:
    if view.sandbox is None and view.invalid is None:
        return  # it is open already
    means = "without a jail its agent can do whatever you can"
    if not os.isatty(0):
        raise ServiceError(f"session {view.id}: {means}: remove the jail with --force")
    click.confirm(f"session {view.id} {view.name}: {means}: remove the jail?", abort=True, err=True)
