"""`hqt adopt`: conversations that were started elsewhere, listed or taken over."""

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import click

from hqt.cli.harness_names import HARNESSES
from hqt.cli.options import jail_options
from hqt.cli.output import print_json, say, table
from hqt.cli.sandbox.run import policy
from hqt.cli.sessions.report import report, size
from hqt.config.file import load_config
from hqt.conversations.adopt import Adoptable, adoptable
from hqt.db.columns import stamp
from hqt.formatting import clock, literal, width
from hqt.observe.views import Adoption
from hqt.sandbox import SandboxPolicy
from hqt.sandbox.policy import Fs
from hqt.start.caller import current_caller
from hqt.start.folders import folder
from hqt.wiring import here, open_service

_WIDE = 120  # cells of a line that no terminal shows


@click.command(
    short_help="List conversations started elsewhere, and take one over.",
    epilog="\b\nExamples:\n  hqt adopt                     those of this folder\n"
    "  hqt adopt ~/src/shop 7c31 -s  that one, in a jail",
)
@click.argument("words", nargs=-1, metavar="[DIR] [ID]")
@click.option("--harness", metavar="H", help=f"{HARNESSES}; by default each.")
@click.option("--name", help="Default: <project>-<harness>.")
@click.option(
    "-s/",
    "--sandbox/--no-sandbox",
    default=None,
    help="In a jail, with its own permission prompts off; or without one, where config.toml asks for one.",
)
@jail_options
@click.option("--json", "as_json", is_flag=True, help="Print the session object; without ID an array.")
def adopt(
    words: tuple[str, ...],
    *,
    harness: str | None,
    name: str | None,
    sandbox: bool | None,
    fs: Fs | None,
    net: bool | None,
    as_json: bool,
) -> None:
    """List the conversations in DIR (here, if left out) that no session has; with ID take one over.

    ID is the whole id or how it begins. Claude Code and Codex tell which conversations they had.
    """
    directory, wanted = _meant(words)
    if wanted is None:
        if name is not None or sandbox is not None or fs is not None or net is not None:
            raise click.UsageError("give the ID of a conversation: --name and the jail's options need one")
        _list(directory, harness, as_json=as_json)
        return
    jail = _jail(sandbox, fs, net)
    outcome = open_service(say).adopt_session(Adoption(directory, wanted, harness, name, jail), size())
    report(outcome, as_json=as_json)


def _meant(words: tuple[str, ...]) -> tuple[Path, str | None]:
    """The folder and the id; one word alone is a folder where there is one of that name."""
    if len(words) > 2:
        raise click.UsageError("give a folder and an id, or one of them")
    if len(words) == 2:
        return folder(words[0]), words[1]
    if words and not _is_folder(words[0]):
        return folder("."), words[0]
    return folder(words[0] if words else "."), None


def _is_folder(word: str) -> bool:
    return "/" in word or word.startswith("~") or folder(word).is_dir()


def _jail(sandbox: bool | None, fs: Fs | None, net: bool | None) -> SandboxPolicy | None:
    """As `hqt new` has it."""
    jailed = load_config(here().config_file).new_sandbox if sandbox is None else sandbox
    if not jailed and (fs is not None or net is not None):
        raise click.UsageError("--fs and --net/--no-net need --sandbox")
    return policy(fs, net) if jailed else None


def _list(directory: Path, harness: str | None, *, as_json: bool) -> None:
    places = here()
    found = adoptable(directory, harness, places, current_caller(places))
    if as_json:
        print_json([_object(each) for each in found])
    elif found:
        print(_table(found))
    else:
        print(f"no conversation was started elsewhere in {literal(str(directory))}")


def _object(each: Adoptable) -> dict[str, object]:
    began = stamp(datetime.fromtimestamp(each.born, UTC))
    return {"id": each.conversation, "harness": each.harness, "born": began, "said": each.said}


def _table(found: tuple[Adoptable, ...]) -> str:
    lines = table(("ID", "HARNESS", "BEGAN", "FIRST PROMPT"), map(_row, found)).splitlines()
    cells = shutil.get_terminal_size((_WIDE, 40)).columns if os.isatty(1) else _WIDE
    return "\n".join(_cut(line, cells) for line in lines)


def _row(each: Adoptable) -> tuple[str, ...]:
    return each.conversation, each.harness, clock(each.born), each.said or ""


def _cut(line: str, cells: int) -> str:
    """`line`, and where it is wider than so many cells its beginning with … in the last."""
    if width(line) <= cells:
        return line
    while width(line) >= cells:
        line = line[:-1]
    return f"{line}…"
