"""A repository that an agent makes where there was none is named at the end, whatever form it has."""

import pytest

from tests.cli.steps import becomes, new, shown
from tests.sandbox.jailed import on_host
from tests.world import World, needs_bwrap, needs_tmux, wait_until

pytestmark = [pytest.mark.real, needs_bwrap, needs_tmux]

_GIT = "mkdir -p {0}/objects {0}/refs; echo 'ref: refs/heads/main' > {0}/HEAD;"
# how git is made to believe in a repository, and what of it is named
_FORMS = {
    "git init": ("git init -q .", ".git/config appeared"),
    "without configuration": (_GIT.format(".git"), ".git/HEAD appeared"),
    "a pointer": (_GIT.format("x") + "echo 'gitdir: x' > .git", ".git appeared"),
    "a link": (_GIT.format("x") + "ln -s x .git", ".git appeared"),
    "bare": (_GIT.format("."), "HEAD appeared"),
    "below": ("git init -q sub", "sub/.git/config appeared"),
    "a pointer below": (_GIT.format("x") + "mkdir sub; echo 'gitdir: ../x' > sub/.git", "sub/.git appeared"),
    "a link below": (_GIT.format("x") + "mkdir sub; ln -s ../x sub/.git", "sub/.git appeared"),
    "two below": ("git init -q a/b", "a/b/.git/config appeared"),
}


@pytest.mark.parametrize(("script", "trace"), _FORMS.values(), ids=_FORMS)
def test_it_is_named(world: World, script: str, trace: str) -> None:
    on_host(world, "rm -rf .git")
    new(world, f"sleep 1; {script}", "-s")
    assert wait_until(lambda: f"{world.project}/{trace}" in (shown(world, 1)["note"] or ""), within_s=10)
    started = world.hqt("new", "--harness", "generic", "--", "true")
    assert f"{world.project}/{trace}" in started.stderr


def test_where_nothing_is_made_nothing_is_named(world: World) -> None:
    on_host(world, "rm -rf .git; git init -q sub")
    new(world, "sleep 1; git -C sub log; mkdir x", "-s")
    assert becomes(world, 1, "exited")
    assert shown(world, 1)["note"] is None
