"""A26: a company's certificates and proxies reach the agent; a file that is missing is told."""

from collections.abc import Mapping

import pytest

from hqt.sandbox.environment import CERTIFICATES, PROXIES
from tests.sandbox.jailed import on_host
from tests.world import World, needs_bwrap, needs_tmux

pytestmark = [pytest.mark.real, needs_bwrap]


def run(world: World, script: str, env: Mapping[str, str], net: str = "--net") -> tuple[str, list[str]]:
    """What a script says inside, and hqt's notes."""
    named = {name: value.replace("~", str(world.home)) for name, value in env.items()}
    done = world.hqt("sandbox", "exec", net, "--", "sh", "-c", script, env={**world.env, **named})
    assert done.returncode == 0, done
    notes = [line.removeprefix("hqt: note: ") for line in done.stderr.splitlines()]
    return done.stdout.replace(str(world.home), "~"), [note.replace(str(world.home), "~") for note in notes]


_PLACES = ["~/ca/ca.pem", "~/ca.pem", "~/proj/ca.pem", "~/.config/ca.pem", "~/l.pem"]


@pytest.mark.parametrize(
    ("name", "place"),
    [*((name, _PLACES[0]) for name in CERTIFICATES), *(("SSL_CERT_FILE", place) for place in _PLACES[1:])],
)
def test_the_file_that_a_variable_names_is_read_inside(world: World, name: str, place: str) -> None:
    on_host(world, "mkdir -p ~/ca ~/.config ~/store; echo CA > ~/store/real; ln -s store/real ~/l.pem")
    on_host(world, f"echo CA > {place}; echo SECRET > ~/ca/key; echo SECRET > ~/.config/key")
    script = f'echo "${name}"; cat "${name}"; cat ~/ca/key ~/.config/key ~/store/real || echo hidden'
    assert run(world, f"({script}) 2>/dev/null", {name: place}) == (f"{place}\nCA\nhidden\n", [])


def test_it_stays_as_it_is(world: World) -> None:
    on_host(world, "echo CA > ~/ca.pem")
    said = run(world, "echo x 2>/dev/null > $SSL_CERT_FILE || echo kept", {"SSL_CERT_FILE": "~/ca.pem"})[0]
    assert (said, (world.home / "ca.pem").read_text()) == ("kept\n", "CA\n")


def test_of_folders_each_is_shown(world: World) -> None:
    on_host(world, "mkdir -p ~/one ~/two; echo 1 > ~/one/a; echo 2 > ~/two/b")
    said = run(
        world, "cat ~/one/a ~/two/b; echo $SSL_CERT_DIR", {"SSL_CERT_DIR": "~/one:~/two:/etc/ssl/certs"}
    )
    assert said == ("1\n2\n~/one:~/two:/etc/ssl/certs\n", [])


@pytest.mark.parametrize(
    ("name", "place"),
    [
        *((name, "~/gone.pem") for name in CERTIFICATES),
        *(("SSL_CERT_FILE", place) for place in ("~/dangling", "gone.pem", "/etc/ssl/gone.pem")),
    ],
)
def test_a_file_that_is_missing_is_told_before_the_start(world: World, name: str, place: str) -> None:
    on_host(world, "ln -s nothing ~/dangling")
    assert run(world, "true", {name: place}) == (
        "",
        [f"{name} names {place}, which is missing: correct or unset it"],
    )


@pytest.mark.parametrize("place", ["~/.ssh/ca.pem", "~", "~/proj/out.pem"])
def test_a_file_that_is_kept_private_is_told_and_hidden(world: World, place: str) -> None:
    on_host(world, "mkdir ~/.ssh; echo CA > ~/.ssh/ca.pem; ln -s ~/.ssh/ca.pem out.pem")
    said, notes = run(world, "cat ~/.ssh/ca.pem out.pem 2>/dev/null || echo hidden", {"SSL_CERT_FILE": place})
    assert said == "hidden\n"
    assert notes == [
        f"SSL_CERT_FILE names {place}, which the jail does not show: put the certificates elsewhere"
    ]


def test_an_empty_variable_and_the_systems_own_file_are_no_trouble(world: World) -> None:
    env = {
        "SSL_CERT_FILE": "",
        "REQUESTS_CA_BUNDLE": "/etc/ssl/certs/../certs",
        "SSL_CERT_DIR": "/etc/ssl/certs",
    }
    assert run(world, "ls $REQUESTS_CA_BUNDLE >/dev/null", env) == ("", [])


def test_proxies_pass_in_both_cases_as_they_are(world: World) -> None:
    env = {name: f"http://user:pass@proxy.invalid:8080/{name}" for name in PROXIES}
    said, notes = run(world, "env", env)
    assert {line for line in said.splitlines() if "_proxy" in line.lower()} == {
        f"{n}={v}" for n, v in env.items()
    }
    assert notes == []


def test_without_a_network_none_of_it_enters_and_none_is_missed(world: World) -> None:
    on_host(world, "echo CA > ~/ca.pem")
    names = [*CERTIFICATES, *PROXIES]
    env = dict.fromkeys(names, "~/gone") | {"SSL_CERT_FILE": "~/ca.pem"}
    script = f"env | grep -cE '^({'|'.join(names)})='; test -e ~/ca.pem || echo hidden"
    assert run(world, script, env, "--no-net") == ("0\nhidden\n", [])


@needs_tmux
def test_a_session_says_it_too(world: World) -> None:
    env = {**world.env, "NODE_EXTRA_CA_CERTS": "/gone/ca.pem"}
    done = world.hqt("new", "-s", "--harness", "generic", "--", "cat", env=env)
    assert done.returncode == 0
    assert "NODE_EXTRA_CA_CERTS names /gone/ca.pem, which is missing: correct or unset it" in done.stderr
