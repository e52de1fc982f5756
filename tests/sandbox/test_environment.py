"""Which variables enter a jail."""

import pytest

from hqt.sandbox.environment import environment, matches
from hqt.sandbox.policy import SandboxPolicy

ONLINE, OFFLINE = SandboxPolicy(net=True), SandboxPolicy(net=False)

BASICS = {
    "PATH": "/home/u/bin:/usr/bin",
    "HOME": "/home/u",
    "USER": "u",
    "LOGNAME": "u",
    "SHELL": "/bin/bash",
    "TERM": "tmux-256color",
    "COLORTERM": "truecolor",
    "TERM_PROGRAM": "tmux",
    "LANG": "de_DE.UTF-8",
    "LANGUAGE": "de",
    "LC_ALL": "C",
    "LC_TIME": "de_DE.UTF-8",
    "TZ": "Europe/Berlin",
    "NO_COLOR": "1",
    "FORCE_COLOR": "1",
    "CLICOLOR": "1",
    "EDITOR": "vi",
    "PAGER": "less",
    "LESS": "-R",
}
NETWORK = {
    "http_proxy": "http://proxy",
    "HTTPS_PROXY": "http://proxy",
    "no_proxy": "localhost",
    "ALL_PROXY": "socks://proxy",
    "SSL_CERT_FILE": "/etc/ca.pem",
    "NODE_EXTRA_CA_CERTS": "/etc/ca.pem",
    "REQUESTS_CA_BUNDLE": "/etc/ca.pem",
}
SECRETS = {
    "ANTHROPIC_API_KEY": "SECRET",
    "AWS_SECRET_ACCESS_KEY": "SECRET",
    "LD_PRELOAD": "/home/u/x.so",
    "PYTHONPATH": "/home/u",
    "LCX": "not LC_",
    "path": "PATH is another name",
}
SOCKETS = {
    "SSH_AUTH_SOCK": "/run/agent",
    "SSH_AGENT_PID": "1",
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus",
    "TMUX": "/run/tmux,1,0",
    "TMUX_PANE": "%1",
    "XDG_RUNTIME_DIR": "/run/user/1000",
    "DISPLAY": ":0",
    "WAYLAND_DISPLAY": "wayland-0",
    "XAUTHORITY": "/run/x",
    "GPG_AGENT_INFO": "/run/gpg",
    "DOCKER_HOST": "unix:///run/docker.sock",
}
SET = {"TMPDIR": "/tmp", "HQT_SANDBOX": "1"}


def test_offline_only_the_basics_enter() -> None:
    everything = {**BASICS, **NETWORK, **SECRETS, **SOCKETS, "TMPDIR": "/mine"}
    assert environment(everything, OFFLINE, (), {}) == {**BASICS, **SET}


def test_online_proxies_and_certificates_enter_too() -> None:
    everything = {**BASICS, **NETWORK, **SECRETS, **SOCKETS}
    assert environment(everything, ONLINE, (), {}) == {**BASICS, **NETWORK, **SET}


def test_what_a_harness_declares_enters_by_name_or_pattern_and_a_socket_never() -> None:
    everything = {**BASICS, **SECRETS, **SOCKETS}
    passed = ("ANTHROPIC_*", "SSH_AUTH_SOCK", "TMUX*", "NOT_SET")
    assert environment(everything, OFFLINE, passed, {}) == {**BASICS, "ANTHROPIC_API_KEY": "SECRET", **SET}


def test_even_a_pattern_for_everything_lets_no_socket_in() -> None:
    everything = {**BASICS, **SECRETS, **SOCKETS}
    assert environment(everything, OFFLINE, ("*",), {}) == {**BASICS, **SECRETS, **SET}


def test_what_the_harness_fixes_comes_last() -> None:
    fixed = {"TMPDIR": "/tmp/own", "CI": "1"}
    assert environment(BASICS, OFFLINE, (), fixed) == {**BASICS, "HQT_SANDBOX": "1", **fixed}


def test_an_empty_shell_gets_what_programs_rely_on() -> None:
    assert environment({}, OFFLINE, (), {}) == {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "TERM": "dumb",
        "LANG": "C.UTF-8",
        **SET,
    }


@pytest.mark.parametrize(
    ("given", "inside"),
    [
        (".::/usr/local/bin:bin:/bin:", "/usr/local/bin:/bin"),
        (".:", "/usr/local/bin:/usr/bin:/bin"),
        ("", "/usr/local/bin:/usr/bin:/bin"),
        ("~/bin:/bin", "/bin"),
    ],
)
def test_no_entry_of_path_depends_on_the_folder(given: str, inside: str) -> None:
    assert environment({"PATH": given}, OFFLINE, (), {})["PATH"] == inside


def test_a_pattern_is_told_from_a_name_by_case_and_stars() -> None:
    assert matches("LC_ALL", ("LC_*",))
    assert not matches("lc_all", ("LC_*",))
    assert not matches("XLC_ALL", ("LC_*",))
