"""Which variables of the host an agent in a jail gets."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from hqt.sandbox.policy import SandboxPolicy

KEPT = (
    "PATH HOME USER LOGNAME SHELL TERM COLORTERM TERM_PROGRAM LANG LANGUAGE LC_* TZ "
    "NO_COLOR FORCE_COLOR CLICOLOR EDITOR PAGER LESS"
).split()
CERTIFICATES = "SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE".split()
PROXIES = [
    name for kind in ("http", "https", "no", "all") for name in (f"{kind}_proxy", f"{kind}_proxy".upper())
]
# sockets of the session outside and keys to it: not even when a harness or the user asks by pattern
NEVER = (
    "SSH_AUTH_SOCK SSH_AGENT_PID DBUS_* TMUX TMUX_* XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY "
    "GPG_AGENT_INFO DOCKER_HOST"
).split()

_SET = {"TMPDIR": "/tmp", "HQT_SANDBOX": "1"}  # noqa: S108 - the jail's own /tmp
_DEFAULTS = {"TERM": "dumb", "LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin"}


def environment(
    env: Mapping[str, str], policy: SandboxPolicy, passed: Iterable[str], fixed: Mapping[str, str]
) -> dict[str, str]:
    """All variables inside: what is always kept, what is `passed` by name or pattern, `fixed` last."""
    wanted = (*KEPT, *(CERTIFICATES + PROXIES if policy.net else ()), *passed)
    kept = {name: value for name, value in env.items() if matches(name, wanted) and not matches(name, NEVER)}
    kept["PATH"] = _absolute_entries(kept.get("PATH", ""))
    filled = {name: kept.get(name) or value for name, value in _DEFAULTS.items()}
    return {**kept, **filled, **_SET, **fixed}


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Whether `name` is one of `patterns`, each a name or a pattern with `*` (fnmatch)."""
    # most are plain names, and a pattern costs a regular expression
    return any(fnmatchcase(name, each) if "*" in each else name == each for each in patterns)


def _absolute_entries(path: str) -> str:
    # a relative or empty entry would run what the project holds
    return ":".join(entry for entry in path.split(":") if entry.startswith("/"))
