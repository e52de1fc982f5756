"""`hqt sandbox explain` and `why`: what a jail would be, told without making it."""

import os
import shutil
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from hqt.cli.harness_names import HARNESSES
from hqt.cli.options import jail_options
from hqt.cli.output import print_json
from hqt.cli.sandbox.run import policy
from hqt.explain import explain as explaining
from hqt.explain import why as asking
from hqt.explain.report import answer_json, answer_lines, explanation_json, lines
from hqt.formatting import literal
from hqt.sandbox.policy import Fs
from hqt.sessions.resume import preview_resume
from hqt.start.caller import current_caller
from hqt.start.folders import folder
from hqt.start.preview import Preview, preview_start
from hqt.start.request import Launch
from hqt.wiring import here, looker

_UNBROKEN = sys.maxsize  # for a reader that is no terminal: a line stays one line
_Command = TypeVar("_Command", bound=Callable[..., Any])


def _options(command: _Command) -> _Command:
    """A jail without a session, in the words of `sandbox exec`."""
    harness = click.option("--harness", metavar="H", help=f"Whose jail: {HARNESSES}.  [generic]")
    directory = click.option(
        "-C", "directory", metavar="DIR", help="The project; by default the current folder."
    )
    as_json = click.option("--json", "as_json", is_flag=True, help="Print it as a JSON object.")
    return jail_options(harness(directory(as_json(command))))


@click.command(
    short_help="Say what a jail shows, lets through and leaves open.",
    epilog="\b\nExamples:\n  hqt sandbox explain shop-claude\n"
    "  hqt sandbox explain --harness claude --no-net -C ~/src/shop",
)
@click.argument("session", required=False)
@_options
def explain(*, session: str | None, as_json: bool, **options: Any) -> None:  # noqa: ANN401 - _jail names them
    """Tell what the agent of SESSION, or of a jail with these options, sees, writes and does not see.

    It is the start that `hqt resume` would make now; nothing is started.
    """
    found = explaining.explain(_foreseen(session, **options))
    if as_json:
        print_json(explanation_json(found))
    else:
        _print(lines(found, _columns(), literal))


@click.command(
    short_help="Say whether a path is seen in a jail, and why.",
    epilog="\b\nExamples:\n  hqt sandbox why shop-claude ~/.ssh/id_ed25519\n"
    "  hqt sandbox why --fs ro -C ~/src/shop ~/src/shop/.git/hooks",
)
@click.argument("words", nargs=-1, required=True, metavar="[SESSION] PATH")
@_options
def why(*, words: tuple[str, ...], as_json: bool, **options: Any) -> None:  # noqa: ANN401 - _jail names them
    """Tell whether PATH is visible and writable in the jail of SESSION or of these options, and why."""
    if len(words) > 2:
        raise click.UsageError("give one PATH, and before it the SESSION if it is one's jail")
    session = words[0] if len(words) == 2 else None
    answer = asking.why(_foreseen(session, **options), folder(words[-1]))
    if as_json:
        print_json(answer_json(answer))
    else:
        _print(answer_lines(answer, _columns(), literal))


def _foreseen(
    session: str | None, *, harness: str | None, fs: Fs | None, net: bool | None, directory: str | None
) -> Preview:
    if session is None:
        launch = Launch(
            harness=harness or "generic",
            given=folder(directory or "."),
            sandbox=policy(fs, net),
            command=("true",),  # as of `exec`: the harness need not be installed
            title="a jail",
        )
        places = here()
        return preview_start(launch, places, current_caller(places), terminal=os.isatty(0))
    if any(option is not None for option in (harness, fs, net, directory)):
        raise click.UsageError("a session has its own jail: give either SESSION or options")
    found = looker()
    return preview_resume(found.one(session), found.places, found.caller)


def _print(told: Iterable[str]) -> None:
    print("\n".join(told))


def _columns() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNBROKEN
