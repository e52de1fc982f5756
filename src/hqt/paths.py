"""Where hqt keeps its things, judged before anything is read or made there."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from hqt.errors import ConfigError
from hqt.values import frozen

Kind = Literal["data", "config", "state", "runtime"]

CONFIG_FILE = "config.toml"
# never TMPDIR: another shell with another value would not find the sessions of the first
_TEMPORARY = Path("/tmp")  # noqa: S108
_DEFAULTS: Mapping[str, str] = {"data": ".local/share", "config": ".config", "state": ".local/state"}
_SOCKET_PATH_MAX = 107  # sockaddr_un.sun_path holds 108 bytes with the final NUL (unix(7))


@frozen
class Places:
    """The folders of one user's hqt; none of them need exist."""

    home: Path
    data: Path
    config: Path
    state: Path
    runtime: Path
    temporary: Path  # holds a short runtime folder when the path of a socket would be too long

    @property
    def database(self) -> Path:
        return self.data / "hqt.db"

    @property
    def config_file(self) -> Path:
        return self.config / CONFIG_FILE

    @property
    def log(self) -> Path:
        return self.state / "hqt.log"

    def session(self, key: str) -> Path:
        """The private folder of one session; on the host only, but for what the policy names."""
        return self.data / "sessions" / key

    def project(self, path: Path) -> Path:
        """What hqt keeps for the project whose real path is `path`: its cache, what was noticed in it."""
        return self.data / "projects" / project_key(path)

    @property
    def socket(self) -> Path:
        """tmux's socket; its name depends on the data folder, so two data folders never meet."""
        name = "tmux-" + sha256(os.fsencode(self.data))[:8]
        path = self.runtime / name
        return path if len(os.fsencode(path)) <= _SOCKET_PATH_MAX else self.temporary / name

    def own(self) -> tuple[Path, ...]:
        """Every folder that a jail must neither contain nor reach."""
        return (self.data, self.config, self.state, self.runtime, self.temporary)


def sha256(content: bytes) -> str:
    """Its digest in hex; hashlib loads OpenSSL for it, which is a tenth of the start of a read command."""
    try:
        from _sha256 import sha256 as digest  # type: ignore[import-not-found]  # of CPython 3.11
    except ImportError:
        from hashlib import sha256 as digest
    found: str = digest(content).hexdigest()
    return found


def project_key(path: Path) -> str:
    """Names the folders of a project; the same for every process and database, as it is the path's."""
    return sha256(os.fsencode(path))[:16]


def home_folder(env: Mapping[str, str]) -> Path:
    """HOME; refused where it is empty or relative, as every other folder depends on it."""
    value = env.get("HOME")
    if value is None:
        raise ConfigError("HOME is not set: set it to your home folder")
    return _absolute("HOME", value)


def places(env: Mapping[str, str], uid: int) -> Places:
    """The folders named by HOME and the XDG variables; the file system is only looked at.

    Raises ConfigError for a value that is empty, relative or in a folder of another user's
    (`su` and `sudo -E` keep the XDG variables of whoever called them).
    """
    return Places(
        home=home_folder(env),
        data=folder("data", env, uid),
        config=folder("config", env, uid),
        state=folder("state", env, uid),
        runtime=folder("runtime", env, uid),
        temporary=_temporary(uid),
    )


def folder(kind: Kind, env: Mapping[str, str], uid: int) -> Path:
    """One of the four folders of `places`, judged alone; ConfigError as there."""
    home = home_folder(env)
    if kind == "runtime":
        if "XDG_RUNTIME_DIR" in env:
            return _xdg(env, "XDG_RUNTIME_DIR", _TEMPORARY, uid)
        temporary = _temporary(uid)
        _refuse_foreign(temporary, uid, "XDG_RUNTIME_DIR is not set")
        return temporary
    return _xdg(env, f"XDG_{kind.upper()}_HOME", home / _DEFAULTS[kind], uid)


def _temporary(uid: int) -> Path:
    return _TEMPORARY / f"hqt-{uid}"


def _xdg(env: Mapping[str, str], name: str, default: Path, uid: int) -> Path:
    value = env.get(name)
    base = default if value is None else _absolute(name, value)
    folder = base / "hqt"
    source = f"{name}={value}" if value is not None else f"HOME={env['HOME']}"
    _refuse_foreign(folder, uid, source)
    return folder


def _absolute(name: str, value: str) -> Path:
    if not value:
        raise ConfigError(f"{name} is set but empty: unset it or give it an absolute path")
    if not value.startswith("/"):
        raise ConfigError(f"{name}={value} is not an absolute path: unset it or give it one")
    return Path(os.path.normpath(value))


def _refuse_foreign(folder: Path, uid: int, source: str) -> None:
    """hqt's folder must be the user's own, and the nearest existing one above it nobody else's but root's."""
    for path in (folder, *folder.parents):
        try:
            owner = path.stat().st_uid
        except (FileNotFoundError, NotADirectoryError):
            continue
        except PermissionError as error:
            raise ConfigError(
                f"{source}: {path} can't be entered by you: unset it or give another"
            ) from error
        except OSError as error:  # a loop of links, a name that is too long
            raise ConfigError(
                f"{source}: {path} can't be looked at ({error.strerror}): unset it or give another"
            ) from error
        if owner != uid and (path == folder or owner != 0):
            raise ConfigError(
                f"{source}: {path} belongs to another user (uid {owner}): unset it or give your own"
            )
        return


def make_private(folder: Path) -> Path:
    """Make `folder` and what is missing above it, 0700; an existing one must be the caller's own folder."""
    try:
        # not parents=True, which takes no mode: with umask 0 everybody could have put a link there
        for path in reversed([path for path in (folder, *folder.parents) if not path.is_dir()]):
            path.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise ConfigError(f"the folder {folder} can't be made: {error.strerror}") from error
    if not stat.S_ISDIR(found.st_mode):
        raise ConfigError(f"{folder} is no folder of its own: move it away")
    if found.st_uid != os.geteuid():
        raise ConfigError(f"{folder} belongs to another user (uid {found.st_uid}): move it away")
    if found.st_mode & 0o077:
        folder.chmod(0o700)
    return folder
