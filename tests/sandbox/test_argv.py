"""The jail's command line, word by word."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from hqt.errors import JailError
from hqt.sandbox.argv import ARGUMENT_MAX, Fds, compose
from hqt.sandbox.bwrap import Features
from hqt.sandbox.host import Host
from hqt.sandbox.policy import Bind, Copy, Fs, SandboxPolicy
from hqt.sandbox.project import Project
from tests.sandbox.hosts import HOME, PROJECT, host, shown

OLD = Features(perms=False, size=False, disable_userns=False)


def composed(
    machine: Host | None = None,
    *,
    command: Sequence[str] = ("sh", "-c", "a b"),
    project: Path = PROJECT,
    link: Path | None = None,
    policy: SandboxPolicy | None = None,
    binds: Sequence[Bind] = (),
    copies: Sequence[Copy] = (),
    fds: Fds | None = None,
) -> list[str]:
    return compose(
        command,
        Project(path=project, link=link),
        policy or SandboxPolicy(),
        binds,
        copies,
        machine or host(),
        fds or Fds(copies=tuple(range(5, 5 + len(copies)))),
    )


def has(argv: Sequence[str], words: str) -> bool:
    """Whether `words` stand in `argv` one after another."""
    wanted = words.split()
    return any(list(argv[at : at + len(wanted)]) == wanted for at in range(len(argv)))


@pytest.mark.parametrize(("fs", "bind"), [("rw", "--bind"), ("ro", "--ro-bind")])
@pytest.mark.parametrize(("net", "network"), [(True, ""), (False, "--unshare-net")])
def test_each_policy_gives_this_jail(fs: Fs, bind: str, net: bool, network: str) -> None:
    assert composed(policy=SandboxPolicy(fs=fs, net=net)) == [
        *f"""/usr/bin/bwrap
        --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try {network}
        --die-with-parent --cap-drop ALL --hostname hqt-sandbox --disable-userns
        --symlink usr/bin /bin
        --ro-bind /usr /usr
        --ro-bind /etc/hosts /etc/hosts
        --ro-bind /run/systemd/resolve/stub-resolv.conf /etc/resolv.conf
        --proc /proc --dev /dev
        --size 1073741824 --perms 1777 --tmpfs /dev/shm
        --size 1073741824 --perms 1777 --tmpfs /tmp
        --size 1073741824 --perms 1777 --tmpfs /var/tmp
        --dir /run --symlink /run /var/run
        --size 1073741824 --perms 0700 --tmpfs /home/u
        --ro-bind /home/u/.gitconfig /home/u/.gitconfig
        {bind} /home/u/proj /home/u/proj
        --remount-ro /dev --remount-ro /
        --chdir /home/u/proj --
        /usr/bin/env --default-signal=INT sh -c""".split(),
        "a b",
    ]


def test_an_old_bwrap_is_asked_for_nothing_that_it_does_not_know() -> None:
    copy = Copy(HOME / ".state", b"")
    assert composed(host(features=OLD), copies=[copy]) == [
        *"""/usr/bin/bwrap
        --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try
        --die-with-parent --cap-drop ALL --hostname hqt-sandbox
        --symlink usr/bin /bin
        --ro-bind /usr /usr
        --ro-bind /etc/hosts /etc/hosts
        --ro-bind /run/systemd/resolve/stub-resolv.conf /etc/resolv.conf
        --proc /proc --dev /dev
        --tmpfs /dev/shm --tmpfs /tmp --tmpfs /var/tmp
        --dir /run --symlink /run /var/run
        --tmpfs /home/u
        --ro-bind /home/u/.gitconfig /home/u/.gitconfig
        --file 5 /home/u/.state
        --bind /home/u/proj /home/u/proj
        --remount-ro /dev --remount-ro /
        --chdir /home/u/proj --
        /usr/bin/env --default-signal=INT sh -c""".split(),
        "a b",
    ]


def test_descriptors_are_named_where_they_are_given() -> None:
    argv = composed(fds=Fds(status=3, filter=4))
    assert has(argv, "--disable-userns --seccomp 4 --json-status-fd 3 --symlink")


def test_only_without_a_terminal_is_there_a_session_of_its_own() -> None:
    assert "--new-session" not in composed(host(terminal=True))
    assert composed(host(terminal=False)).count("--new-session") == 1


def test_root_can_not_write_to_the_kernel_through_proc() -> None:
    assert has(composed(host(uid=0)), "--remount-ro /dev --remount-ro / --remount-ro /proc --chdir")
    assert not has(composed(host(uid=1000)), "--remount-ro /proc")


def test_without_a_resolver_there_is_no_resolv_conf() -> None:
    assert "/etc/resolv.conf" not in composed(host(resolver=None))


def test_what_lies_in_run_is_shown_after_run_is_made() -> None:
    argv = composed(host(run=(shown("/run/current-system"),)))
    assert has(argv, "/var/run --ro-bind /run/current-system /run/current-system --size")


def test_binds_come_with_the_tools_between_home_and_project_parents_first() -> None:
    binds = [
        Bind(HOME / ".claude/projects/x", dst=HOME / ".claude/projects/x"),
        Bind(Path("/data/projects"), writable=True, dst=HOME / ".claude/projects", create="dir"),
        Bind(HOME / ".claude/settings.json", optional=True),
    ]
    assert has(
        composed(binds=binds),
        """--bind /data/projects /home/u/.claude/projects
        --ro-bind /home/u/.claude/projects/x /home/u/.claude/projects/x
        --ro-bind /home/u/.claude/settings.json /home/u/.claude/settings.json
        --ro-bind /home/u/.gitconfig /home/u/.gitconfig
        --bind /home/u/proj /home/u/proj""",
    )


def test_a_program_in_a_writable_folder_of_its_harness_stays_read_only() -> None:
    store = HOME / ".local/share/kiro-cli"
    argv = composed(host(tools=(shown(store / "bin"),)), binds=[Bind(store, writable=True)])
    assert has(argv, f"--bind {store} {store} --ro-bind {store}/bin {store}/bin --bind /home/u/proj")


def test_copies_come_from_descriptors_private_and_in_their_order() -> None:
    copies = [Copy(HOME / ".b", b"SECRET"), Copy(HOME / ".a", b"")]
    argv = composed(copies=copies, fds=Fds(copies=(5, 6)))
    assert has(argv, "--perms 0600 --file 5 /home/u/.b --perms 0600 --file 6 /home/u/.a --bind /home/u/proj")
    assert "SECRET" not in " ".join(argv)


def test_a_copy_without_a_descriptor_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        composed(copies=[Copy(HOME / ".a", b"")], fds=Fds())


def test_a_project_in_tmp_comes_after_the_empty_tmp() -> None:
    argv = composed(project=Path("/tmp/x/p"))
    assert argv.index("/tmp") < argv.index("/tmp/x/p")


@pytest.mark.parametrize(
    "link",
    [HOME / "link", HOME / "deep/er/link", HOME / ".gitconfig.d"],
)
def test_a_link_in_the_home_leads_to_the_project_inside_too(link: Path) -> None:
    argv = composed(link=link)
    assert has(argv, f"--bind /home/u/proj /home/u/proj --symlink /home/u/proj {link} --remount-ro")
    assert has(argv, "--chdir /home/u/proj --")


@pytest.mark.parametrize(
    "link",
    [
        Path("/work/link"),  # outside the home, where nothing can be made
        HOME / ".gitconfig",  # something is shown there
        HOME / ".gitconfig/link",  # … above it
        HOME / ".claude",  # … below it
        HOME / ".claude/projects/link",
        HOME / "proj/link",
    ],
)
def test_a_link_that_a_mount_is_in_the_way_of_is_left_out(link: Path) -> None:
    binds = [Bind(HOME / ".claude/projects", writable=True)]
    argv = composed(link=link, binds=binds)
    assert has(argv, "--bind /home/u/proj /home/u/proj --remount-ro")


@pytest.mark.parametrize("command", [(), ("",), ("", "x")])
def test_no_command_is_refused(command: tuple[str, ...]) -> None:
    with pytest.raises(JailError) as raised:
        composed(command=command)
    assert str(raised.value) == "there is no command to run: name one after --"


def test_a_command_that_env_would_take_for_a_variable_is_refused() -> None:
    with pytest.raises(JailError) as raised:
        composed(command=("A=B", "sh"))
    assert str(raised.value) == "the command 'A=B' holds '=' and can't be run in a jail: give it another name"


@pytest.mark.parametrize("word", ["-i", "-", "--", "-S sh"])
def test_a_command_that_env_would_take_for_an_option_is_refused(word: str) -> None:
    with pytest.raises(JailError) as raised:
        composed(command=(word, "sh"))
    assert str(raised.value) == (
        f"the command {word!r} begins with '-' and can't be run in a jail: give it another name"
    )


def test_an_argument_may_be_as_long_as_the_kernel_takes() -> None:
    assert composed(command=("sh", "é" * (ARGUMENT_MAX // 2)))[-1].startswith("é")
    with pytest.raises(JailError) as raised:
        composed(command=("sh", "é" * (ARGUMENT_MAX // 2) + "xy"))
    assert str(raised.value) == (
        "an argument is over the 131071 bytes that the kernel takes: hand it over in a file"
    )
