"""What an agent plants in a repository is never run by the git of the host, nor by hqt's own looks."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.sandbox.jailed import EXCHANGE, furnish, inside, on_host, use_git
from tests.world import World, needs_bwrap

pytestmark = [pytest.mark.real, needs_bwrap]


@dataclass(frozen=True, slots=True)
class Attack:
    """`agent` runs inside; @RUN is a script that leaves the canary, @EVIL a configuration that names it."""

    agent: str
    host: str = ":"  # before, on the host
    user: str = ":"  # a person's own step afterwards, beside the usual ones
    folder: str = "."  # of the session and the person, below the project


_SUB = """
git init -q ~/lib && git -C ~/lib commit -q --allow-empty -m lib
git -c protocol.file.allow=always submodule -q add ~/lib sub && git commit -qm sub
"""
_NESTED = """
git init -q ~/inner && git -C ~/inner commit -q --allow-empty -m inner
git init -q ~/lib && cd ~/lib && git -c protocol.file.allow=always submodule -q add ~/inner inner
git commit -qm lib && cd ~/proj
git -c protocol.file.allow=always submodule -q add ~/lib sub && git commit -qm sub
git -c protocol.file.allow=always submodule -q update --init --recursive
"""
_EMBEDDED = "git init -q emb && git -C emb commit -q --allow-empty -m e && git add emb && git commit -qm emb"
_EVIL_GIT = "cp -r .git /tmp/g && cat @EVIL >> /tmp/g/config && cp @RUN /tmp/g/hooks/pre-commit; "
_BRING = "cp -r /tmp/g evil; "
_PROGRAM = "printf '#!/bin/sh\\ncat\\n' > p.sh && chmod +x p.sh"
_PLANT_PROGRAM = "rm -f p.sh; cp @RUN p.sh"
_FILTERED = "echo 'README filter=x diff=x' > .gitattributes && git add . && git commit -qm a"
_CHANGED = "; echo more >> README"

ATTACKS = {
    "hook": Attack("cp @RUN .git/hooks/pre-commit; cp @RUN .git/hooks/post-index-change"),
    "hook where there was no folder": Attack(
        "mkdir -p .git/hooks; cp @RUN .git/hooks/pre-commit", host="rm -rf .git/hooks"
    ),
    "hooks renamed away": Attack("mv .git/hooks .git/h2; mkdir .git/hooks; cp @RUN .git/hooks/pre-commit"),
    "hooks exchanged": Attack(f"mkdir .git/x; cp @RUN .git/x/pre-commit; {EXCHANGE} .git/hooks .git/x"),
    "config written": Attack("cat @EVIL >> .git/config"),
    "config renamed over": Attack("cp @EVIL .git/c2; mv -f .git/c2 .git/config"),
    "config by its lock": Attack("cp @EVIL .git/config.lock; mv -f .git/config.lock .git/config"),
    "config by git": Attack("git config core.fsmonitor @RUN"),
    "config exchanged": Attack(f"cp @EVIL .git/c2; {EXCHANGE} .git/config .git/c2"),
    "config by a hard link": Attack("ln .git/config c && cat @EVIL >> c"),
    "config removed": Attack("rm -f .git/config; cp @EVIL .git/config"),
    "git folder renamed": Attack(f"{_EVIL_GIT} {_BRING} mv .git old; mv evil .git"),
    "git folder exchanged": Attack(f"{_EVIL_GIT} {_BRING} {EXCHANGE} .git evil"),
    "git folder removed": Attack(f"{_EVIL_GIT} {_BRING} rm -rf .git; mv evil .git"),
    "git folder becomes a file": Attack(
        f"{_EVIL_GIT} {_BRING} mv .git old; rm -rf .git; echo 'gitdir: evil' > .git"
    ),
    "git folder becomes a link": Attack(f"{_EVIL_GIT} {_BRING} mv .git old; ln -s evil .git"),
    "project renamed": Attack(f"{_EVIL_GIT} {_BRING} mv ../proj ../old; mkdir ../proj; mv evil ../proj/.git"),
    "worktree configuration that is missing": Attack(
        "cp @EVIL .git/config.worktree", host="git config extensions.worktreeConfig true"
    ),
    "worktree configuration that is there": Attack(
        "cat @EVIL >> .git/config.worktree; mv .git/config.worktree .git/w; cp @EVIL .git/config.worktree",
        host="git config extensions.worktreeConfig true && git config --worktree a.b c",
    ),
    "commondir": Attack(f"{_EVIL_GIT} {_BRING} echo ../evil > .git/commondir"),
    "commondir renamed over": Attack(
        f"{_EVIL_GIT} {_BRING} echo ../evil > .git/c; mv -f .git/c .git/commondir;"
        " echo ../evil > .git/commondir"
    ),
    "attributes of git's own": Attack(
        "echo '* filter=x' > .git/info/attributes" + _CHANGED + "; " + _PLANT_PROGRAM,
        host=f"{_PROGRAM}; git config filter.x.clean ./p.sh; : > .git/info/attributes",
    ),
    "submodule's configuration": Attack("cat @EVIL >> .git/modules/sub/config", host=_SUB),
    "submodule's hooks": Attack("cp @RUN .git/modules/sub/hooks/pre-commit", host=_SUB),
    "submodule's pointer": Attack(
        f"{_EVIL_GIT} {_BRING} rm -f sub/.git; echo 'gitdir: ../evil' > sub/.git", host=_SUB
    ),
    "submodule's folder": Attack(f"{_EVIL_GIT} {_BRING} mv sub s2; mkdir sub; mv evil sub/.git", host=_SUB),
    "submodule's submodule's pointer": Attack(
        f"{_EVIL_GIT} {_BRING} rm -f sub/inner/.git; echo 'gitdir: ../../evil' > sub/inner/.git",
        host=_NESTED,
    ),
    "submodule from within": Attack(
        f"cat @EVIL >> $(git rev-parse --git-dir)/config; {_EVIL_GIT} rm -f .git; echo 'gitdir: evil' > .git",
        host=_SUB,
        folder="sub",
    ),
    "embedded repository": Attack(
        "cat @EVIL >> emb/.git/config; mv emb/.git emb/g; cp -r emb/g emb/.git; cat @EVIL >> emb/.git/config",
        host=_EMBEDDED,
    ),
    "worktree's pointer": Attack(
        f"{_EVIL_GIT} {_BRING} rm -f wt/.git; echo 'gitdir: ../evil' > wt/.git",
        host="git worktree add -q wt",
        user="git -C wt status",
    ),
    "other worktree's part": Attack(
        f"{_EVIL_GIT} {_BRING} echo ../../../evil > .git/worktrees/wt/commondir",
        host="git worktree add -q wt",
        user="git -C wt status",
    ),
    "worktrees' parts renamed": Attack(
        f"{_EVIL_GIT} {_BRING} mv .git/worktrees w2; cp -r w2 .git/worktrees;"
        " echo ../../../evil > .git/worktrees/wt/commondir",
        host="git worktree add -q wt",
        user="git -C wt status",
    ),
    "main from a worktree": Attack(
        "G=$(git rev-parse --git-common-dir); cp @RUN $G/hooks/pre-commit; cat @EVIL >> $G/config;"
        " echo /tmp > $(git rev-parse --git-dir)/commondir;"
        " cat @EVIL > $(git rev-parse --git-dir)/config.worktree",
        host="git config extensions.worktreeConfig true; git worktree add -q wt",
        folder="wt",
        user="git -C .. status",
    ),
    "hooks path": Attack(
        "cp @RUN .githooks/pre-commit; mv .githooks g2; mkdir .githooks; cp @RUN .githooks/pre-commit",
        host="mkdir .githooks; git config core.hooksPath .githooks",
    ),
    "hooks path that is missing": Attack(
        "mkdir -p dev/hooks; cp @RUN dev/hooks/pre-commit; mv dev d2; mkdir -p dev/hooks;"
        " cp @RUN dev/hooks/pre-commit",
        host="git config core.hooksPath dev/hooks",
    ),
    "hooks path in the git folder": Attack(
        "mkdir -p .git/own; cp @RUN .git/own/pre-commit", host="git config core.hooksPath .git/own"
    ),
    "include": Attack(
        "cat @EVIL >> team.cfg; rm -f team.cfg; cp @EVIL team.cfg",
        host="echo > team.cfg; git config include.path ../team.cfg",
    ),
    "include that is missing": Attack(
        "cp @EVIL team.cfg; rm -f team.cfg; cp @EVIL team.cfg", host="git config include.path ../team.cfg"
    ),
    "include in the git folder": Attack("cp @EVIL .git/own.cfg", host="git config include.path own.cfg"),
    "include under a condition": Attack(
        "cat @EVIL >> one.cfg; cat @EVIL > two.cfg; git checkout -q -b other",
        host="""echo '[include]\n\tpath = two.cfg' > one.cfg
        git config includeIf.onbranch:other.path ../one.cfg""",
    ),
    "monitor": Attack(_PLANT_PROGRAM, host=f"{_PROGRAM}; git config core.fsmonitor ./p.sh"),
    "monitor that is missing": Attack(_PLANT_PROGRAM, host="git config core.fsmonitor ./p.sh"),
    "filter": Attack(
        _PLANT_PROGRAM + _CHANGED, host=f"{_PROGRAM}; git config filter.x.clean ./p.sh; {_FILTERED}"
    ),
    "filter by an interpreter": Attack(
        _PLANT_PROGRAM + _CHANGED, host=f"{_PROGRAM}; git config filter.x.clean 'sh p.sh'; {_FILTERED}"
    ),
    "text of a diff": Attack(
        _PLANT_PROGRAM + _CHANGED, host=f"{_PROGRAM}; git config diff.x.textconv ./p.sh; {_FILTERED}"
    ),
    "alternates": Attack(
        f"{_EVIL_GIT} {_BRING} mkdir -p .git/objects/info;"
        " echo $PWD/evil/objects > .git/objects/info/alternates"
    ),
    "remotes of old": Attack(
        "mkdir -p .git/remotes .git/branches; echo 'URL: ext::sh -c @RUN' > .git/remotes/origin",
        user="git fetch",
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_the_host_runs_nothing_of(name: str, world: World) -> None:
    attack, canary = ATTACKS[name], world.root / "canary"
    folder = world.project / attack.folder
    furnish(world)
    on_host(world, attack.host)
    inside(world, _script(attack, canary), folder=folder)
    again = inside(world, "ls -A; git status", folder=folder)
    use_git(world, folder)
    on_host(world, attack.user, folder, check=False)
    assert not canary.exists()
    assert "Traceback" not in again.stderr


_SHOWN_BY = (
    "hook",
    "config written",
    "commondir",
    "git folder exchanged",
    "worktree configuration that is missing",
    "submodule's submodule's pointer",
    "embedded repository",
    "other worktree's part",
    "hooks path that is missing",
    "include under a condition",
    "monitor that is missing",
    "filter by an interpreter",
)


@pytest.mark.parametrize("name", _SHOWN_BY)
def test_without_a_jail_the_host_runs(name: str, world: World) -> None:
    attack, canary = ATTACKS[name], world.root / "canary"
    furnish(world)
    on_host(world, attack.host)
    on_host(world, "set +e\n" + _script(attack, canary).replace("/tmp/g", f"{world.root}/g"), check=False)
    use_git(world)
    on_host(world, attack.user, check=False)
    assert canary.exists()


def _script(attack: Attack, canary: Path) -> str:
    """The agent's script, which first writes what it plants."""
    return (
        f"printf '#!/bin/sh\\ntouch {canary}\\ncat\\n' > run.sh; chmod +x run.sh;"
        ' printf "[core]\\n\\tfsmonitor = $PWD/run.sh\\n" > evil.cfg;\n'
    ) + attack.agent.replace("@RUN", "$PWD/run.sh").replace("@EVIL", "$PWD/evil.cfg")
