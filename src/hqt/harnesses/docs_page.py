"""docs/harnesses.md, made from what the harnesses declare; run as a program it prints the page."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from hqt.harnesses import registry
from hqt.harnesses.base import HarnessConfigurator, Place

_HOME = Path("/home/you")
_INTRODUCTION = """\
# Harnesses

What hqt builds on for each agent, and how that is known. `make docs` makes this page from what stands in
`src/hqt/harnesses`. `~` is your home, `~/project` the project and `KEY` the session's key. What is neither
named here nor shown to every jail is empty at each start of one and ends with it.
"""


def page(kinds: Iterable[type[HarnessConfigurator]]) -> str:
    """The whole page."""
    found = [kind for kind in kinds if kind.is_agent]
    return "\n".join((_INTRODUCTION, *_table(found), *(line for kind in found for line in _section(kind))))


def _table(kinds: Iterable[type[HarnessConfigurator]]) -> Iterator[str]:
    yield "| `--harness` | agent | program | version that was run | conversation ids |"
    yield "|---|---|---|---|---|"
    for kind in kinds:
        ids = "given by hqt" if kind(_place(kind)).mint() else "made by the agent, learned by hqt"
        run = kind.evidence.version or "none"
        yield f"| `{kind.name}` | {kind.label} | `{kind.executable}` | {run} | {ids} |"


def _section(kind: type[HarnessConfigurator]) -> Iterator[str]:
    known = kind.evidence
    yield f"\n## {kind.label}"
    yield f"From {known.source}." if known.source else "Where its program comes from is not known."
    yield ""
    yield from _jail(kind)
    yield from _sentences(f"Seen with {known.version}:", known.run)
    yield from _sentences("Believed of its documentation, its source or its users' reports:", known.read)
    yield from _sentences("Not known, or not done:", known.unknown)


def _jail(kind: type[HarnessConfigurator]) -> Iterator[str]:
    configurator = kind(_place(kind))
    config = configurator.build_spawn_config(sandboxed=True)
    binds = configurator.sandbox_binds()
    yield "| in a jail | |"
    yield "|---|---|"
    yield _row("prompts off by", kind.sandbox_skip_permission_flags)
    yield _row("shared, read and written", (_short(bind.src) for bind in binds if bind.writable))
    yield _row("shared, read-only where it exists", (_short(bind.src) for bind in binds if not bind.writable))
    yield _row("made anew at each start", (_short(copy.dst) for copy in config.copies))
    yield _row("variables set", (f"{name}={_short(value)}" for name, value in config.env_set.items()))
    yield _row("variables passed", kind.sandbox_env)
    yield _row("variables that move its files", kind.root_env)


def _row(title: str, words: Iterable[str]) -> str:
    return f"| {title} | {' '.join(f'`{word}`' for word in words) or 'nothing'} |"


def _sentences(title: str, sentences: Iterable[str]) -> Iterator[str]:
    found = [f"- {each}" for each in sentences]
    if found:
        yield from ("", title, "", *found)


def _place(kind: type[HarnessConfigurator]) -> Place:
    """A home in which every file that may be read is there and empty."""
    return Place(
        home=_HOME,
        env={},
        uid=1000,
        cwd=_HOME / "project",
        knows=frozenset(kind.probes),
        session=_HOME / ".local/share/hqt/sessions/KEY",
        jailed=True,
        present=frozenset(kind.looks_at(_HOME, {})),
        texts=dict.fromkeys(kind.reads(_HOME, {}), b"{}"),
    )


def _short(path: Path | str) -> str:
    return str(path).replace(str(_HOME), "~")


if __name__ == "__main__":
    print(page(map(registry.kind, registry.NAMES)), end="\n")
