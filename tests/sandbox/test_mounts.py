"""A jail's mounts are read back from its argv, and the last one that covers a path is seen."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hqt.errors import JailError
from hqt.sandbox.mounts import Mount, has, mounts, seen

ARGV = (
    "/usr/bin/bwrap --unshare-user --cap-drop ALL --hostname box --ro-bind /usr /usr --symlink usr/bin /bin "
    "--proc /proc --size 9 --perms 0700 --tmpfs /home --dir /run --dir /home/x --bind /p /home/p "
    "--file 5 /home/f --remount-ro / --chdir /home/p -- /usr/bin/env --bind /etc /etc"
).split()

_NAMES = st.sampled_from("a b c".split())
_PATHS = st.lists(_NAMES, max_size=4).map(lambda parts: Path("/", *parts))
_MOUNTS = st.lists(st.builds(Mount, st.just("fresh"), _PATHS), max_size=6)


def test_every_mount_is_read_back_and_nothing_of_the_command() -> None:
    assert mounts(ARGV) == (
        Mount("fresh", Path("/"), writable=False),
        Mount("bind", Path("/usr"), Path("/usr")),
        Mount("link", Path("/bin"), Path("usr/bin")),
        Mount("proc", Path("/proc"), Path("/proc"), writable=True),
        Mount("fresh", Path("/home"), writable=True),
        Mount("folder", Path("/run"), writable=False),
        Mount("folder", Path("/home/x"), writable=True),
        Mount("bind", Path("/home/p"), Path("/p"), writable=True),
        Mount("file", Path("/home/f"), writable=True),
    )


def test_devices_are_the_hosts_in_a_folder_of_the_jails_own() -> None:
    found = mounts("bwrap --dev /dev --tmpfs /dev/shm --remount-ro /dev -- true".split())
    assert seen(found, Path("/dev/null")) == Mount(
        "device", Path("/dev/null"), Path("/dev/null"), writable=True
    )
    assert seen(found, Path("/dev/sda")) == Mount("fresh", Path("/dev"))
    assert seen(found, Path("/dev/shm/x")) == Mount("fresh", Path("/dev/shm"), writable=True)


def test_an_option_is_found_with_its_words() -> None:
    assert has(ARGV, "--cap-drop", "ALL")
    assert has(ARGV, "--unshare-user")
    assert not has(ARGV, "--cap-drop", "NONE")
    assert not has(ARGV, "--unshare-net")


def test_an_unknown_option_is_not_explained_away() -> None:
    with pytest.raises(JailError, match="--overlay"):
        mounts("bwrap --overlay /a /b -- true".split())


@given(_MOUNTS, _PATHS)
def test_the_last_mount_that_covers_a_path_is_seen(found: list[Mount], path: Path) -> None:
    covering = [mount for mount in found if path.is_relative_to(mount.dst)]
    assert seen(found, path) is (covering[-1] if covering else None)


@given(_MOUNTS, _PATHS, _PATHS)
def test_one_more_mount_changes_what_it_covers_and_nothing_else(
    found: list[Mount], place: Path, path: Path
) -> None:
    more = Mount("bind", place, Path("/src"))
    expected = more if path.is_relative_to(place) else seen(found, path)
    assert seen([*found, more], path) is expected
