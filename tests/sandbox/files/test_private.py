"""Which folders undo a jail, and what is too wide or too secret to be shown in one."""

from pathlib import Path

import pytest

from hqt.sandbox.files.private import Private, is_there

HOME = Path("/home/u")
OWN = (Path("/home/u/.local/share/hqt"), Path("/run/user/1000/hqt"))
PRIVATE = Private(homes=(HOME, Path("/data/u"), Path("/accounts/root")), own=OWN)

HOLDS_HOME = "is your home folder or holds it"
SHARED = "is shared by everything on this machine"
KEPT = "where logins, settings or programs are kept"
HQTS = "which is hqt's own"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        *((path, SHARED) for path in "/ /tmp /var/tmp /var /home /opt /srv /mnt /media".split()),
        ("/home/u", HOLDS_HOME),
        ("/data/u", HOLDS_HOME),  # what HOME really is
        ("/data", HOLDS_HOME),
        ("/accounts/root", HOLDS_HOME),  # the account's own, where HOME says another
        ("/home/u/.ssh", f"lies in /home/u/.ssh, {KEPT}"),
        ("/home/u/.ssh/keys/deep", f"lies in /home/u/.ssh, {KEPT}"),
        ("/data/u/.aws", f"lies in /data/u/.aws, {KEPT}"),
        ("/accounts/root/.gnupg", f"lies in /accounts/root/.gnupg, {KEPT}"),
        ("/home/u/.claude", f"lies in /home/u/.claude, {KEPT}"),
        ("/home/u/.codex/sessions", f"lies in /home/u/.codex, {KEPT}"),
        ("/home/u/.kiro", f"lies in /home/u/.kiro, {KEPT}"),
        ("/home/u/.config/nvim", f"lies in /home/u/.config, {KEPT}"),
        ("/home/u/.kube", f"lies in /home/u/.kube, {KEPT}"),
        ("/home/u/.docker", f"lies in /home/u/.docker, {KEPT}"),
        ("/home/u/.cache/x", f"lies in /home/u/.cache, {KEPT}"),
        ("/home/u/.local/bin", f"lies in /home/u/.local/bin, {KEPT}"),
        ("/home/u/bin", f"lies in /home/u/bin, {KEPT}"),
        ("/home/u/go", f"holds /home/u/go/bin, {KEPT}"),
        ("/home/u/.local/share/hqt", f"lies in /home/u/.local/share/hqt, {HQTS}"),
        ("/home/u/.local/share/hqt/sessions/a", f"lies in /home/u/.local/share/hqt, {HQTS}"),
        ("/home/u/.local/share", f"holds /home/u/.local/share/hqt, {HQTS}"),
        ("/home/u/.local", f"holds /home/u/.local/share/hqt, {HQTS}"),
        ("/run/user/1000/hqt", f"lies in /run/user/1000/hqt, {HQTS}"),
        ("/run/user/1000", f"holds /run/user/1000/hqt, {HQTS}"),
        *(
            (path, f"lies in {path}, {KEPT}")
            for path in "/proc /sys /dev /boot /etc /usr /bin /sbin /lib /nix /gnu /snap".split()
        ),
        ("/run", f"holds /run/user/1000/hqt, {HQTS}"),
        ("/run/other", f"lies in /run, {KEPT}"),
        ("/proc/self/cwd", f"lies in /proc, {KEPT}"),
        ("/usr/local/src/x", f"lies in /usr, {KEPT}"),
        ("/dev/shm/x", f"lies in /dev, {KEPT}"),
        ("/home/u/proj", None),
        ("/home/u/src/.ssh", None),  # only the name is the same
        ("/home/u/.sshx", None),
        ("/home/other/proj", None),
        ("/tmp/x/p", None),
        ("/srv/app", None),
        ("/opt/app", None),
        ("/var/www/site", None),
    ],
)
def test_a_folder_that_undoes_the_jail_is_refused(path: str, why: str | None) -> None:
    assert PRIVATE.why_refused(Path(path)) == why


@pytest.mark.parametrize(
    "path",
    "/ /tmp /home /home/u /data /data/u /home/u/.local /home/u/.local/share/hqt /run /run/user/1000 "
    "/home/u/.local/share/hqt/hqt.db /proc /sys /dev".split(),
)
def test_what_would_show_a_home_or_all_of_the_systems_or_hqts_own_is_too_wide(path: str) -> None:
    assert PRIVATE.is_too_wide(Path(path))


@pytest.mark.parametrize("path", "/home/u/.nvm /home/u/.local/bin /opt/app /usr/bin /etc/ssl /data/x".split())
def test_a_single_folder_is_not_too_wide(path: str) -> None:
    assert not PRIVATE.is_too_wide(Path(path))


@pytest.mark.parametrize(
    ("path", "login"),
    [
        ("/home/u/.ssh", True),
        ("/home/u/.ssh/id_rsa", True),
        ("/data/u/.gnupg/x", True),
        ("/accounts/root/.aws/credentials", True),
        ("/home/u/.password-store", True),
        ("/home/u", True),
        ("/home/u/.claude/.credentials.json", False),
        ("/home/u/.sshx", False),
    ],
)
def test_folders_of_keys_are_known_in_every_home(path: str, *, login: bool) -> None:
    assert PRIVATE.is_login(Path(path)) is login


def test_homes_and_hqts_own_are_known_by_every_name(tmp_path: Path) -> None:
    real, link, account = tmp_path / "real", tmp_path / "link", tmp_path / "account"
    real.mkdir()
    link.symlink_to(real)
    assert Private.of(link, (link / "own",), account) == Private(
        homes=(link, real, account), own=(link / "own", real / "own")
    )


def test_one_home_is_known_once(tmp_path: Path) -> None:
    assert Private.of(tmp_path, (), tmp_path) == Private(homes=(tmp_path,), own=())


def test_a_loop_of_links_is_a_folder_like_any_other(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert Private.of(tmp_path, (loop,)).own == (loop,)


def test_what_can_not_be_reached_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert is_there(tmp_path)
    assert not is_there(tmp_path / "dangling")
    assert not is_there(tmp_path / "loop")
    assert not is_there(tmp_path / ("x" * 300))
