"""What is asked for a session that is to be: judged, and as the row that it becomes."""

from collections.abc import Iterable

from hqt.errors import ServiceError, about
from hqt.services import rows
from hqt.services.launches import Caller
from hqt.services.launching import Plan

PROMPT_MAX = 100 * 1024


@about("prompt")
def judge_prompt(prompt: str | None) -> None:
    """Raise ServiceError where it is too long for a command line."""
    size = len((prompt or "").encode(errors="surrogateescape"))
    if size > PROMPT_MAX:
        raise ServiceError(
            f"the prompt has {size} bytes and {PROMPT_MAX} are the most: put it into a file of the project"
        )


@about("env_names")
def judge_variables(names: Iterable[str], caller: Caller) -> None:
    """Raise ServiceError where the caller's shell has no variable of such a name."""
    for name in names:
        if name not in caller.env:
            raise ServiceError(
                f"the variable {name} is not set in this shell: set it or leave out --env {name}"
            )


def missing(names: Iterable[str], caller: Caller) -> tuple[str, ...]:
    """A sentence for each variable that a session passes on and the caller's shell does not have."""
    return tuple(
        f"{name} is not set in this shell and not passed on" for name in names if name not in caller.env
    )


def draft(plan: Plan, name: str | None, roots: tuple[str, ...]) -> rows.Draft:
    """The row of a session that starts as planned; `name` None: it gets the automatic one."""
    launch = plan.launch
    return rows.Draft(
        key=launch.key or "",
        name=name,
        given=launch.given,
        project=plan.cwd,
        harness=launch.harness,
        args=launch.args,
        env_names=launch.env_names,
        conversation=launch.conversation,
        sandbox_json=launch.sandbox.to_json() if launch.sandbox else None,
        note="; ".join(plan.notes) or None,
        roots=roots,
        conversation_source="adopted" if launch.resume else "minted",
        copy_of=launch.copy_of,
    )
