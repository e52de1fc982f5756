"""What is found on a machine to be shown, and what is not, on a machine of the test's own."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from hqt.errors import JailError
from hqt.sandbox import host
from hqt.sandbox.bwrap import Features
from hqt.sandbox.files.private import Private
from hqt.sandbox.host import Host, Shown
from hqt.sandbox.policy import Bind, SandboxPolicy


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    (made / "proj").mkdir(parents=True)
    return made


def private(home: Path) -> Private:
    return Private.of(home, (home / ".local/share/hqt",))


def survey(
    home: Path,
    *,
    env: Mapping[str, str] | None = None,
    net: bool = False,
    project: Path | None = None,
    programs: tuple[Path, ...] = (),
    bwrap: Path = Path("/usr/bin/bwrap"),
) -> Host:
    return host.survey(
        bwrap,
        Features(),
        env or {},
        1000,
        SandboxPolicy(net=net),
        private(home),
        project or home / "proj",
        programs,
        terminal=True,
    )


def tools(home: Path, **surveyed: object) -> list[Shown]:
    return list(survey(home, **surveyed).tools)  # type: ignore[arg-type]


def made(path: Path, content: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def at(path: Path) -> Shown:
    return Shown(path, path)


def test_an_empty_home_shows_nothing(home: Path) -> None:
    assert tools(home) == []


def test_a_home_that_is_the_root_is_refused() -> None:
    with pytest.raises(JailError) as raised:
        survey(Path("/"), project=Path("/data"))
    assert str(raised.value) == ("HOME is /: a jail would hide the whole system: set HOME to your own folder")


def test_the_system_is_shown_by_what_it_is_here() -> None:
    found = survey(Path("/nonexistent/home"), project=Path("/nonexistent/proj"))
    usual = {f"/{name}" for name in "bin sbin lib lib64 lib32 libx32".split()}
    assert {str(link) for _, link in found.links} == {top for top in usual if Path(top).is_symlink()}
    assert all(Path("/", target).exists() for target, _ in found.links)
    shown = {str(each.dst) for each in found.system}
    assert {top for top in usual if Path(top).is_dir() and not Path(top).is_symlink()} <= shown
    assert "/usr" in shown
    assert "/etc/passwd" in shown
    assert not shown & {"/etc", "/etc/shadow", "/root", "/home", "/var", "/etc/resolv.conf"}


def test_tools_settings_and_folders_on_path_are_shown_parents_first(home: Path) -> None:
    for name in (".nvm/x", ".local/bin/x", ".gitconfig", "tools/x", ".cargo/bin/x", ".cargo/credentials"):
        made(home / name)
    env = {"PATH": f"{home}/tools:{home}/missing:{home}/.local/bin:/usr/bin:relative:"}
    assert tools(home, env=env) == [
        at(home / ".cargo/bin"),
        at(home / ".gitconfig"),
        at(home / ".local/bin"),
        at(home / ".nvm"),
        at(home / "tools"),
    ]


def test_what_a_parent_shows_is_not_shown_again(home: Path) -> None:
    made(home / ".nvm/versions/1/bin/node")
    found = tools(home, programs=(home / ".nvm/versions/1/bin/node", Path("/usr/bin/env")))
    assert found == [at(home / ".nvm")]


def test_a_link_is_shown_as_what_it_leads_to_under_its_own_name(home: Path) -> None:
    real = made(home / "dotfiles/gitconfig")
    (home / ".gitconfig").symlink_to(real)
    assert tools(home) == [Shown(real, home / ".gitconfig")]


def test_what_a_linked_folder_shows_is_not_shown_again(home: Path) -> None:
    tool = made(home / "dotfiles/bin/tool")
    (home / "bin").symlink_to(home / "dotfiles/bin")
    assert tools(home, programs=(home / "bin/tool", tool)) == [
        Shown(home / "dotfiles/bin", home / "bin"),
        at(tool),
    ]


def test_dangling_links_and_loops_are_left_out(home: Path) -> None:
    (home / ".gitconfig").symlink_to(home / "gone")
    (home / ".inputrc").symlink_to(home / ".inputrc")
    (home / ".terminfo").symlink_to(home / "x")
    (home / "x").symlink_to(home / ".terminfo")
    env = {"PATH": f"{home}/.inputrc", "SSL_CERT_FILE": str(home / ".inputrc")}
    assert tools(home, env=env, net=True) == []


@pytest.mark.parametrize(
    "entry", ["", ".ssh", ".ssh/bin", ".local", ".local/share/hqt/bin", ".aws", ".gnupg"]
)
def test_a_folder_on_path_shows_no_home_no_keys_and_nothing_of_hqt(home: Path, entry: str) -> None:
    (home / entry).mkdir(parents=True, exist_ok=True)
    (home / ".local/share/hqt").mkdir(parents=True, exist_ok=True)
    assert tools(home, env={"PATH": str(home / entry)}) == []


def test_a_link_to_keys_is_not_shown(home: Path) -> None:
    (home / ".ssh").mkdir()
    (home / "bin").symlink_to(home / ".ssh")
    assert tools(home) == []


def test_what_lies_in_the_project_is_left_to_the_project(home: Path) -> None:
    inside = made(home / "proj/bin/tool")
    (home / ".gitconfig").symlink_to(made(home / "proj/gitconfig"))
    env = {"PATH": str(inside.parent), "SSL_CERT_FILE": str(home / "proj/ca.pem")}
    assert tools(home, env=env, net=True, programs=(inside,)) == []


def test_all_of_pnpm_is_shown_but_its_store(home: Path) -> None:
    for name in ("global/x", "store/x", "pnpm"):
        made(home / ".local/share/pnpm" / name)
    assert tools(home) == [at(home / ".local/share/pnpm/global"), at(home / ".local/share/pnpm/pnpm")]


def test_certificates_are_shown_with_a_network_only(home: Path) -> None:
    env = {"NODE_EXTRA_CA_CERTS": str(made(home / "ca.pem")), "SSL_CERT_DIR": "relative"}
    assert tools(home, env=env, net=True) == [at(home / "ca.pem")]
    assert tools(home, env=env, net=False) == []


def test_the_resolver_is_shown_with_a_network_only(home: Path) -> None:
    real = Path(os.path.realpath("/etc/resolv.conf"))
    assert survey(home, net=True).resolver == (real if real.exists() else None)
    assert survey(home, net=False).resolver is None


def test_a_bwrap_that_an_agent_could_have_made_is_refused(home: Path) -> None:
    mine = made(home / "proj/bin/bwrap")
    (home / "bwrap").symlink_to(mine)
    (home / "proj/system").symlink_to("/usr/bin/env")
    for bwrap in (mine, home / "bwrap", home / "proj/system"):
        with pytest.raises(JailError) as raised:
            survey(home, bwrap=bwrap)
        assert str(raised.value) == (
            f"bubblewrap was found inside the project, at {bwrap}: take that folder off PATH"
        )


def resolve(home: Path, *binds: Bind) -> tuple[Bind, ...]:
    return host.resolve(binds, private(home), home / "proj")


def refusal(home: Path, bind: Bind) -> str:
    with pytest.raises(JailError) as raised:
        resolve(home, bind)
    return str(raised.value)


def test_binds_are_resolved_and_keep_their_places(home: Path) -> None:
    real = made(home / "dotfiles/settings.json")
    link = home / "settings.json"
    link.symlink_to(real)
    assert resolve(home, Bind(link), Bind(link, writable=True, dst=home / ".x/s", optional=True)) == (
        Bind(real, dst=link),
        Bind(real, writable=True, dst=home / ".x/s", optional=True),
    )


def test_what_may_be_missing_is_left_out_or_waits_to_be_made(home: Path) -> None:
    found = resolve(home, Bind(home / "no", optional=True), Bind(home / "new", create="dir", writable=True))
    assert found == (Bind(home / "new", dst=home / "new", create="dir", writable=True),)


@pytest.mark.parametrize("path", ["", ".", "x/y", "~/x"])
def test_a_bind_without_an_absolute_path_is_refused(home: Path, path: str) -> None:
    for bind in (Bind(Path(path)), Bind(home, dst=Path(path) / "x")):
        shown = str(bind.dst or bind.src)
        assert refusal(home, bind) == (
            f"the bind {shown!r} is not an absolute path: correct the harness's configuration"
        )


def test_a_missing_bind_is_refused(home: Path) -> None:
    assert refusal(home, Bind(home / "no")) == (
        f"{home}/no is to be shown in the jail and is missing: make it or correct the configuration"
    )


def test_a_loop_of_links_is_a_missing_bind(home: Path) -> None:
    (home / "loop").symlink_to(home / "loop")
    assert "is missing" in refusal(home, Bind(home / "loop"))
    assert resolve(home, Bind(home / "loop", optional=True)) == ()


@pytest.mark.parametrize(
    "name", ["", ".local/share", ".local/share/hqt", ".local/share/hqt/sessions/key", "up"]
)
def test_a_bind_that_shows_too_much_is_refused(home: Path, name: str) -> None:
    (home / ".local/share/hqt/sessions/key").mkdir(parents=True)
    (home / "up").symlink_to(home.parent)
    path = home / name
    assert refusal(home, Bind(path)) == (
        f"{path} (in truth {path.resolve()}) would show too much in the jail: point it elsewhere"
    )


def test_of_hqts_own_only_what_lies_in_a_sessions_folder_can_be_shown(home: Path) -> None:
    own = home / ".local/share/hqt/sessions/key/registry"
    own.mkdir(parents=True)
    assert resolve(home, Bind(own, writable=True)) == (Bind(own, writable=True, dst=own),)


def test_a_bind_from_the_project_is_refused(home: Path) -> None:
    made(home / "proj/settings.json")
    (home / "link").symlink_to(home / "proj/settings.json")
    for path in (home / "proj", home / "proj/settings.json", home / "link"):
        assert refusal(home, Bind(path)) == (
            f"{path} lies in the project, where the agent could rewrite it: move it out of {home}/proj"
        )
