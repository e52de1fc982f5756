"""A08: settings that are links into a folder of dotfiles are read inside, or it is told which are not."""

from pathlib import Path

import pytest

from tests.sandbox.jailed import inside, on_host
from tests.world import World, needs_bwrap

pytestmark = [pytest.mark.real, needs_bwrap]

_CLAUDE = ("--harness", "claude")


def said(world: World, script: str, *options: str) -> tuple[str, list[str]]:
    """What a script reads inside, and hqt's notes but for the one on the login."""
    done = inside(world, script, *options)
    assert done.returncode == 0, done
    notes = [line.removeprefix("hqt: note: ") for line in done.stderr.splitlines() if "hqt: note: " in line]
    return done.stdout, [note for note in notes if "login" not in note]


# how dotfile managers lay out one file: (on the host, its place, its content)
_LAYOUTS = {
    "the file is a link": "ln -s ~/dotfiles/f ~/.claude/settings.json",
    "a relative one": "ln -s ../dotfiles/f ~/.claude/settings.json",
    "a link to a link": "ln -s f ~/dotfiles/l; ln -s ~/dotfiles/l ~/.claude/settings.json",
    "through a folder that is a link": "ln -s dotfiles ~/d; ln -s ~/d/f ~/.claude/settings.json",
    "all of the harness's folder is one": "rmdir ~/.claude; mkdir ~/dotfiles/c; ln -s ~/dotfiles/c ~/.claude;"
    "ln -s ../f ~/dotfiles/c/settings.json",
}


@pytest.mark.parametrize("layout", _LAYOUTS.values(), ids=_LAYOUTS)
def test_settings_that_are_a_link_are_read_and_stay(layout: str, world: World) -> None:
    on_host(world, f"mkdir ~/dotfiles ~/.claude; echo mine > ~/dotfiles/f; {layout}")
    script = "cat ~/.claude/settings.json; echo evil > ~/.claude/settings.json || echo kept"
    assert said(world, script, *_CLAUDE) == ("mine\nkept\n", [])
    assert (world.home / "dotfiles/f").read_text() == "mine\n"


_INNER = {
    "absolute": "ln -s ~/dotfiles/a.md ~/.claude/agents/a.md",
    "relative": "ln -s ../../dotfiles/a.md ~/.claude/agents/a.md",
    "two hops": "ln -s a.md ~/dotfiles/b.md; ln -s ~/dotfiles/b.md ~/.claude/agents/a.md",
    "two hops, one shown": "mkdir ~/.claude/rules; ln -s ~/dotfiles/a.md ~/.claude/rules/r.md;"
    "ln -s ../rules/r.md ~/.claude/agents/a.md",
    "by way of a linked folder": "ln -s dotfiles ~/d; ln -s ~/d/a.md ~/.claude/agents/a.md",
    "in a folder that is a link": "rmdir ~/.claude/agents; mkdir ~/dotfiles/agents;"
    "ln -s ../dotfiles/agents ~/.claude/agents; ln -s ../a.md ~/dotfiles/agents/a.md",
    "deep below": "mkdir -p ~/.claude/agents/x/y; ln -s ~/dotfiles/a.md ~/.claude/agents/x/y/a.md",
}


@pytest.mark.parametrize("layout", _INNER.values(), ids=_INNER)
def test_a_link_in_a_folder_that_is_shown_is_read_and_stays(layout: str, world: World) -> None:
    on_host(world, f"mkdir -p ~/dotfiles ~/.claude/agents; echo mine > ~/dotfiles/a.md; {layout}")
    script = "f=$(find ~/.claude/agents/ -name a.md); cat $f; echo evil > $f || echo kept"
    assert said(world, script, *_CLAUDE) == ("mine\nkept\n", [])
    assert (world.home / "dotfiles/a.md").read_text() == "mine\n"


def test_a_linked_folder_may_hold_links_itself(world: World) -> None:
    on_host(
        world,
        "mkdir -p ~/.claude/skills ~/dotfiles/skill ~/shared; echo skill > ~/shared/SKILL.md;"
        "ln -s ~/shared/SKILL.md ~/dotfiles/skill/SKILL.md; ln -s ~/dotfiles/skill ~/.claude/skills/skill",
    )
    assert said(world, "cat ~/.claude/skills/skill/SKILL.md", *_CLAUDE) == ("skill\n", [])


@pytest.mark.parametrize("harness", ["codex", "kiro"])
def test_it_holds_for_every_harness(harness: str, world: World) -> None:
    folder = {"codex": ".codex/prompts", "kiro": ".kiro/agents"}[harness]
    on_host(
        world, f"mkdir -p ~/dotfiles ~/{folder}; echo mine > ~/dotfiles/f; ln -s ~/dotfiles/f ~/{folder}/f"
    )
    assert said(world, f"cat ~/{folder}/f", "--harness", harness) == ("mine\n", [])


def test_the_settings_of_git_may_be_links(world: World) -> None:
    on_host(
        world,
        "mkdir -p ~/dotfiles ~/.config/git;"
        "printf '[alias]\\n\\tx = log -1 --format=%%s\\n' > ~/dotfiles/git;"
        "ln -s ../../dotfiles/git ~/.config/git/config",
    )
    assert said(world, "git x") == ("Begin\n", [])


@pytest.mark.parametrize("name", ["settings.json", "agents", "CLAUDE.md"])
@pytest.mark.parametrize("target", ["gone", "~/dotfiles/gone", "loop"])
def test_a_link_that_dangles_is_told_before_the_start(name: str, target: str, world: World) -> None:
    link = world.home / ".claude" / name
    on_host(world, f"mkdir ~/.claude; ln -s {name if target == 'loop' else target} ~/.claude/{name}")
    end = {"gone": link.parent / "gone", "loop": link}.get(target, world.home / "dotfiles/gone")
    out, notes = said(world, f"test -e ~/.claude/{name} || echo none", *_CLAUDE)
    assert out == "none\n"
    assert notes == [f"{link} is left out of the jail: it is a link to {end}, which is missing"]


def test_a_dangling_gitconfig_is_told(world: World) -> None:
    on_host(world, "ln -s ~/gone ~/.gitconfig")
    home = world.home
    assert said(world, "true")[1] == [
        f"{home}/.gitconfig is left out of the jail: it is a link to {home}/gone, which is missing"
    ]


def test_links_that_lead_nowhere_are_told_by_name_and_of_many_a_few(world: World) -> None:
    on_host(
        world, "mkdir -p ~/.claude/agents; cd ~/.claude/agents; for n in 1 2 3 4 5; do ln -s gone $n; done"
    )
    folder = world.home / ".claude/agents"
    named = ", ".join(f"{n} ({folder}/gone is missing)" for n in (1, 2, 3))
    assert said(world, "true", *_CLAUDE)[1] == [
        f"links in {folder} lead nowhere in the jail: {named} and 2 more"
    ]


_PRIVATE = {
    "a key": "~/.ssh/id_rsa",
    "all keys": "~/.ssh",
    "a token beside it": "~/.netrc",
    "other settings": "~/.config/gh/hosts.yml",
    "another agent's login": "~/.codex/auth.json",
    "hqt's own": "~/.local/share/hqt/hqt.db",
    "by a detour": "~/dotfiles/l",
}


@pytest.mark.parametrize("target", _PRIVATE.values(), ids=_PRIVATE)
def test_what_is_private_is_not_shown_for_a_link_and_that_is_told(target: str, world: World) -> None:
    on_host(
        world,
        "mkdir -p ~/.claude/agents ~/.ssh ~/.config/gh ~/.codex ~/.local/share/hqt ~/dotfiles;"
        "ln -s ~/.ssh/id_rsa ~/dotfiles/l;"
        "for f in .ssh/id_rsa .netrc .config/gh/hosts.yml .codex/auth.json; do echo SECRET > ~/$f; done;"
        f"touch ~/.local/share/hqt/hqt.db; ln -s {target} ~/.claude/agents/x",
    )
    out, (note,) = said(
        world, "cat ~/.claude/agents/x ~/.claude/agents/x/* 2>/dev/null || echo none", *_CLAUDE
    )
    assert "SECRET" not in out
    assert note.endswith("is kept private)")
    assert note.startswith(f"links in {world.home}/.claude/agents lead nowhere in the jail: x (")


_TURNED = {
    "the settings": "ln -s {project}/s ~/.claude/settings.json",
    "by a folder": "rmdir ~/.claude/agents; ln -s {project}/s ~/.claude/agents",
    "by two hops": "ln -s {project}/s ~/s; ln -s ~/s ~/.claude/settings.json",
}


@pytest.mark.parametrize("link", _TURNED.values(), ids=_TURNED)
def test_a_link_through_the_project_is_refused_wherever_it_ends(link: str, world: World) -> None:
    """An agent that worked there could have turned it towards a secret."""
    on_host(
        world,
        "mkdir -p ~/.claude/agents ~/secrets; echo SECRET > ~/secrets/f; ln -s ~/secrets/f s;"
        + link.format(project=world.project),
    )
    done = inside(world, "cat ~/.claude/settings.json ~/.claude/agents/*", *_CLAUDE)
    assert (done.returncode, done.stdout) == (125, "")
    assert "lies in the project, where the agent could rewrite it" in done.stderr


def test_a_link_in_a_folder_is_not_followed_through_the_project(world: World) -> None:
    on_host(
        world,
        "mkdir -p ~/.claude/agents ~/secrets; echo SECRET > ~/secrets/f; ln -s ~/secrets/f s;"
        f"ln -s {world.project}/s ~/s; ln -s {world.project}/s ~/.claude/agents/y;"
        "ln -s ~/s ~/.claude/agents/x",
    )
    out, notes = said(world, "cat ~/.claude/agents/* ~/s s 2>/dev/null || echo none", *_CLAUDE)
    assert (out, len(notes)) == ("none\n", 1)
    assert "s leads through what an agent may write)" in notes[0]


@pytest.mark.parametrize("target", ["~", "~/..", "~/.claude", "/"])
def test_a_link_to_a_folder_that_holds_the_jails_own_leads_there(target: str, world: World) -> None:
    on_host(world, f"mkdir -p ~/.claude/agents; echo SECRET > ~/notes; ln -s {target} ~/.claude/agents/up")
    script = "ls ~/.claude/agents/up/ > /tmp/seen && cat ~/notes ~/.claude/agents/up/notes || echo none"
    assert said(world, script, *_CLAUDE) == ("none\n", [])


def test_links_to_a_folder_and_to_a_part_of_it_work_both(world: World) -> None:
    on_host(
        world,
        "mkdir -p ~/.claude/agents ~/d; echo one > ~/d/f; echo two > ~/d/g;"
        "ln -s ~/d/f ~/.claude/agents/a; ln -s ~/d ~/.claude/agents/b",
    )
    assert said(world, "cd ~/.claude/agents; cat a b/f b/g", *_CLAUDE) == ("one\none\ntwo\n", [])


def test_links_that_an_agent_made_are_not_followed(world: World) -> None:
    """Conversations and cache are writable: a link there is the agent's."""
    on_host(world, "mkdir -p ~/.claude ~/notes; echo SECRET > ~/notes/f")
    plant = "ln -s ~/notes/f ~/.claude/projects/x; ln -s ~/notes/f ~/.cache/x"
    assert said(world, plant, *_CLAUDE) == ("", [])
    script = "cat ~/.claude/projects/x ~/.cache/x ~/notes/f 2>/dev/null || echo none"
    assert said(world, script, *_CLAUDE) == ("none\n", [])


def test_a_device_and_a_link_into_the_system_are_no_trouble(world: World) -> None:
    on_host(
        world,
        "mkdir -p ~/.claude/hooks; cd ~/.claude/hooks; ln -s /dev/null none; ln -s /bin/sh sh;"
        "ln -s /usr/bin/env e; ln -s /etc/alternatives/awk awk; ln -s . self; ln -s .. up",
    )
    assert said(
        world, "cd ~/.claude/hooks; cat none; ./sh -c 'echo ran'; ./e true; test -x awk", *_CLAUDE
    ) == (
        "ran\n",
        [],
    )


def test_nothing_is_left_on_the_host_where_a_target_was_shown(world: World) -> None:
    on_host(world, "mkdir -p ~/d/e ~/.claude/agents; echo x > ~/d/e/f; ln -s ~/d/e/f ~/.claude/agents/f")
    before = _tree(world.home)
    assert said(world, "cat ~/.claude/agents/f; ls ~/d/e", *_CLAUDE) == ("x\nf\n", [])
    made = sorted(path for path in _tree(world.home) if path not in before and "/.local/" not in path)
    assert made == [str(world.home / ".claude/projects")]


def _tree(root: Path) -> list[str]:
    return sorted(map(str, root.rglob("*")))
