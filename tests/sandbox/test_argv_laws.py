"""What holds of every jail's command line, whatever is shown in it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hqt.sandbox.argv import Fds, compose
from hqt.sandbox.bwrap import Features
from hqt.sandbox.environment import environment
from hqt.sandbox.guards import Guards
from hqt.sandbox.host import Host, Shown
from hqt.sandbox.policy import Bind, Copy, SandboxPolicy
from hqt.sandbox.project import Project
from tests.sandbox.hosts import HOME, host

# option -> how many words follow it
_WORDS = {
    **dict.fromkeys(("--bind", "--ro-bind", "--symlink", "--file"), 2),
    **dict.fromkeys(("--proc", "--dev", "--tmpfs", "--dir", "--remount-ro", "--chdir"), 1),
    **dict.fromkeys(("--cap-drop", "--hostname", "--size", "--perms", "--seccomp", "--json-status-fd"), 1),
}
_PLACES = ("--bind", "--ro-bind", "--symlink", "--file", "--proc", "--dev", "--tmpfs", "--dir")


@dataclass(frozen=True, slots=True)
class Jail:
    """All that `compose` is given."""

    command: tuple[str, ...]
    project: Project
    policy: SandboxPolicy
    binds: tuple[Bind, ...]
    copies: tuple[Copy, ...]
    host: Host

    def argv(self) -> list[str]:
        fds = Fds(status=3, copies=tuple(range(5, 5 + len(self.copies))))
        return compose(self.command, self.project, self.policy, self.binds, self.copies, self.host, fds)


names = st.sampled_from(["a", "b", ".c", "d e", "日本", "é\udc80"])
below = st.lists(names, min_size=1, max_size=3).map(lambda parts: Path(*parts))
# what an argument can hold: any bytes but NUL
words = st.binary(max_size=8).map(lambda word: os.fsdecode(word.replace(b"\0", b"")))
commands = st.tuples(
    words.filter(lambda word: bool(word) and "=" not in word and not word.startswith("-")),
    st.lists(words | st.sampled_from(["--", "--bind", "/", "A=B"]), max_size=4),
).map(lambda pair: (pair[0], *pair[1]))
policies = st.builds(SandboxPolicy, fs=st.sampled_from(["rw", "ro"]), net=st.booleans())


@st.composite
def projects(draw: st.DrawFn, policy: SandboxPolicy) -> Project:
    """What the surveys let through: never among the folders that tools and harnesses keep under HOME."""
    path = draw(st.sampled_from([HOME / "src", Path("/data"), Path("/tmp")])) / draw(below)
    guarded = draw(st.lists(below, max_size=4)) if policy.fs == "rw" else []
    link = draw(st.none() | st.sampled_from([HOME, Path("/work")]))
    return Project(
        path=path,
        link=None if link is None else link / draw(below),
        guards=Guards(read_only=tuple(path / each for each in guarded)),
    )


tools = st.lists(below, unique=True, max_size=5).map(
    lambda found: tuple(
        Shown(Path("/x") / each, HOME / each) for each in sorted(found, key=lambda p: p.parts)
    )
)
binds = st.lists(
    st.builds(
        Bind,
        src=below.map(lambda p: Path("/y") / p),
        writable=st.booleans(),
        dst=below.map(lambda p: HOME / p),
    ),
    unique_by=lambda bind: bind.inside,
    max_size=5,
).map(tuple)
copies = st.lists(
    st.builds(Copy, dst=names.map(lambda name: HOME / "copies" / name), content=st.just(b"VALUE")),
    unique_by=lambda copy: copy.dst,
    max_size=2,
).map(tuple)
hosts = st.builds(
    host,
    features=st.builds(Features, perms=st.booleans(), size=st.booleans(), disable_userns=st.booleans()),
    uid=st.sampled_from([0, 1000]),
    resolver=st.none() | st.just(Path("/run/resolv.conf")),
    tools=tools,
    terminal=st.booleans(),
)
jails = policies.flatmap(
    lambda policy: st.builds(
        Jail,
        command=commands,
        project=projects(policy),
        policy=st.just(policy),
        binds=binds,
        copies=copies,
        host=hosts,
    )
)


def options(jail: Jail) -> Iterator[tuple[str, ...]]:
    """bwrap's options, each with its words, up to the `--`."""
    argv = iter(jail.argv()[1:])
    for word in argv:
        if word == "--":
            return
        yield (word, *(next(argv) for _ in range(_WORDS.get(word, 0))))


def places(jail: Jail) -> list[Path]:
    """Where things are put, in order."""
    return [Path(option[-1]) for option in options(jail) if option[0] in _PLACES]


@given(jails)
def test_the_command_is_last_and_verbatim(jail: Jail) -> None:
    argv = jail.argv()
    assert argv[argv.index("--") :] == ["--", "/usr/bin/env", "--default-signal=INT", *jail.command]


@given(jails)
def test_nothing_covers_what_was_shown_before_it(jail: Jail) -> None:
    found = places(jail)
    covered = [
        (early, late) for at, early in enumerate(found) for late in found[at + 1 :] if late in early.parents
    ]
    assert covered == []


@given(jails)
def test_the_home_is_empty_before_anything_is_shown_in_it(jail: Jail) -> None:
    found = places(jail)
    assert all(found.index(HOME) < at for at, place in enumerate(found) if HOME in place.parents)


@given(jails)
def test_only_the_project_and_what_is_declared_can_be_written(jail: Jail) -> None:
    declared = {bind.src for bind in jail.binds if bind.writable}
    found = {Path(option[1]) for option in options(jail) if option[0] == "--bind"}
    in_project = {path for path in found if path.is_relative_to(jail.project.path)}
    assert found - in_project == declared
    assert bool(in_project) is (jail.policy.fs == "rw")


@given(jails)
def test_what_is_guarded_can_be_neither_written_nor_renamed_away_with_its_folder(jail: Jail) -> None:
    mounts = {Path(option[2]): option[0] for option in options(jail) if "bind" in option[0]}
    for path in jail.project.guards.read_only:
        way = [folder for folder in (path, *path.parents) if folder.is_relative_to(jail.project.path)]
        sealed = [folder for folder in way if mounts.get(folder) == "--ro-bind"]
        assert sealed
        above = way[way.index(sealed[-1]) :]
        assert [folder for folder in above if folder not in mounts] == []


@given(jails)
def test_everything_around_is_sealed_after_the_last_mount(jail: Jail) -> None:
    kinds = [option[0] for option in options(jail)]
    last = max(at for at, kind in enumerate(kinds) if kind in _PLACES)
    assert kinds[last + 1 :] == ["--remount-ro"] * (3 if jail.host.uid == 0 else 2) + ["--chdir"]


@given(jails)
def test_nothing_of_the_host_is_shown_that_nobody_asked_for(jail: Jail) -> None:
    machine = jail.host
    shown = (*machine.system, *machine.run, *machine.tools)
    asked = {*(each.src for each in shown), *(bind.src for bind in jail.binds)}
    asked |= {machine.resolver} if machine.resolver else set()
    found = {Path(option[1]) for option in options(jail) if "bind" in option[0]}
    assert {path for path in found if not path.is_relative_to(jail.project.path)} == asked


@given(jails)
def test_no_path_is_empty_or_relative(jail: Jail) -> None:
    assert all(place.is_absolute() for place in places(jail))
    assert all(all(option) for option in options(jail))


@given(jails)
def test_without_a_network_there_is_one_of_its_own(jail: Jail) -> None:
    assert (("--unshare-net",) in options(jail)) is not jail.policy.net


@given(jails)
def test_no_content_of_a_copy_is_in_the_command_line(jail: Jail) -> None:
    assert not any("VALUE" in word for word in jail.argv() if word not in jail.command)


@given(
    env=st.dictionaries(st.sampled_from(["PATH", "TOKEN", "HTTP_PROXY", "TERM", "LC_ALL", "TMUX"]), words),
    policy=policies,
    passed=st.lists(st.sampled_from(["TOKEN", "*", "TMUX*", "HTTP_*"])),
)
def test_whatever_is_passed_no_path_entry_is_relative_and_no_socket_enters(
    env: dict[str, str], policy: SandboxPolicy, passed: list[str]
) -> None:
    found = environment(env, policy, passed, {})
    assert all(entry.startswith("/") for entry in found["PATH"].split(":"))
    assert "TMUX" not in found
