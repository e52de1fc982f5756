"""`hqt status`: what an agent does now, and on request by which evidence that is believed."""

import click

from hqt.cli.output import print_json
from hqt.formatting import clock, literal, state_words
from hqt.observe.beliefs import Judgement
from hqt.observe.views import SessionView
from hqt.status.detect import Belief, Look, Sign
from hqt.wiring import looker


@click.command(
    epilog="\b\nExamples:\n  hqt status shop-claude --explain\n  hqt status 3 --json | jq -r .state"
)
@click.argument("session")
@click.option("--explain", is_flag=True, help="Show the evidence, which rule won, and since when.")
@click.option(
    "--json", "as_json", is_flag=True, help="An object: id, state, since, unseen, reason, evidence."
)
def status(session: str, *, explain: bool, as_json: bool) -> None:
    """Say what SESSION's agent does: working, waiting for you, idle, done or ended."""
    found = looker()
    view = found.one(session)
    judged = found.judged(str(view.id)) if explain or as_json else None
    if as_json:
        print_json(_json(view, judged))
        return
    print(_line(view))
    if explain:
        print("\n".join(_explained(view, judged)))


def _line(view: SessionView) -> str:
    since = f" since {clock(view.since)}" if view.since else ""
    reason = f": {literal(view.reason)}" if view.reason else ""
    return f"{view.id} {literal(view.name)}: {state_words(view)}{since}{reason}"


def _explained(view: SessionView, judged: Judgement | None) -> list[str]:
    if judged is None:
        return ["  by tmux and the database: no agent runs in its pane"]
    if view.suspended:
        return ["  a signal has stopped its program; other evidence counts once it continues"]
    signs = [_sign_line(sign) for sign in judged.look.signs]
    seen = signs or ["  nothing says what it does; tmux says that its program runs"]
    return [*seen, *_believed(judged.belief), *_looked(judged.look)]


def _sign_line(sign: Sign) -> str:
    when = "now" if sign.at is None else f"at {clock(sign.at)}"
    reason = f": {literal(sign.reason)}" if sign.reason else ""
    pattern = f" (pattern: {literal(sign.pattern)})" if sign.pattern else ""
    return f"  its {sign.source} says {sign.word} {when}{reason}{pattern}"


def _believed(belief: Belief | None) -> list[str]:
    if belief is None:
        return []
    told = [f"  believed: {belief.word}, {belief.rule}, since {clock(belief.since)}"]
    if belief.doubt is not None:
        told.append(f"  unsure: the last look said {belief.doubt}, and a second one must confirm it")
    return told


def _looked(look: Look) -> list[str]:
    printed = [] if look.printed_at is None else [f"  it last printed at {clock(look.printed_at)}"]
    return [*printed, *(["  a terminal shows it"] if look.watched else [])]


def _json(view: SessionView, judged: Judgement | None) -> dict[str, object]:
    belief = judged.belief if judged and not view.suspended else None
    return {
        "id": view.id,
        "state": view.state,
        "since": view.since,
        "unseen": view.unseen,
        "reason": view.reason,
        "rule": belief.rule if belief else None,
        "source": belief.source if belief else None,
        "doubt": belief.doubt if belief else None,
        "evidence": [_sign_json(sign) for sign in judged.look.signs] if judged else [],
        "printed_at": judged.look.printed_at if judged else None,
        "watched": judged.look.watched if judged else False,
    }


def _sign_json(sign: Sign) -> dict[str, object]:
    return {
        "source": sign.source,
        "state": sign.word,
        "at": sign.at,
        "reason": sign.reason,
        "pattern": sign.pattern,
    }
