"""What a jail means, in one line for the harness and the policy that are chosen; pure."""

from collections.abc import Iterator

from hqt.sandbox import SandboxPolicy
from hqt.start.choices import Candidate

_NO_HARNESS = Candidate("", "")


def jail_summary(policy: SandboxPolicy, harness: Candidate | None) -> str:
    """Only what holds for each jail of them; `hqt sandbox explain` tells the whole."""
    return " ".join(_sentences(policy, harness or _NO_HARNESS))


def _sentences(policy: SandboxPolicy, harness: Candidate) -> Iterator[str]:
    login = f"its {harness.label} login" if harness.keeps_login else None
    if policy.fs == "ro":
        yield "Reads this folder, writes nothing in it."
        if login:
            yield f"Sees {login}."
    else:
        yield f"Sees this folder and {login}." if login else "Sees this folder."
    if policy.net:
        yield "Internet and this machine's localhost reachable."
    elif harness.asks or harness.keeps_login:
        # a model server on this machine is out of reach, too
        yield "No network at all, not even this machine's localhost: only a model inside can answer."
    else:
        yield "No network at all, not even this machine's localhost."
    yield "No ssh, gh, docker."
    if harness.asks:
        yield "Prompts off."
