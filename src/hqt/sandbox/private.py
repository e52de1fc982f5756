"""Which host folders hold what an agent must not get: the home, logins, hqt's own, the system's."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# credentials, configuration that runs code, and folders on everybody's PATH; all under HOME
_UNDER_HOME = (
    ".ssh .gnupg .pki .password-store .aws .azure .kube .docker .config .mozilla .thunderbird "
    ".claude .codex .kiro .gemini .qwen .copilot .pi .cursor .vscode .vscode-server .amazon-q "
    ".local/bin .local/lib .local/state .local/share/keyrings .local/share/kiro-cli .local/share/amazon-q "
    ".local/share/opencode .local/share/claude .local/share/uv .local/share/pipx .local/share/fnm "
    ".local/share/mise .local/share/pnpm .local/share/systemd .local/share/applications "
    ".nvm .volta .fnm .asdf .pyenv .rbenv .sdkman .bun .deno .npm .npm-global .rustup .cargo .nix-profile "
    ".cache bin go/bin Library"
).split()
_SYSTEM = "/proc /sys /dev /run /boot /etc /usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix /gnu /snap".split()
_SHARED = "/ /tmp /var/tmp /var /home /opt /srv /mnt /media".split()


@dataclass(frozen=True, slots=True)
class Private:
    """The map of one user's machine that a working directory or a bind is judged on; real paths."""

    homes: tuple[Path, ...]  # HOME as given comes first, then its real path and the account's own home
    own: tuple[Path, ...]  # hqt's folders

    @classmethod
    def of(cls, home: Path, own: Iterable[Path], account: Path | None = None) -> "Private":
        """`account`: the home of the passwd database, where HOME says another (sudo keeps the caller's)."""
        homes = dict.fromkeys((*_both(home), *(_both(account) if account else ())))
        return cls(homes=tuple(homes), own=tuple(path for folder in own for path in _both(folder)))

    def why_refused(self, path: Path) -> str | None:
        """Why an agent must not work in the real path `path`, as the end of a sentence; None: it may."""
        if path in map(Path, _SHARED):
            return "is shared by everything on this machine"
        for home in self.homes:
            if path == home or path in home.parents:
                return "is your home folder or holds it"
        for folder in (*self.own, *self._guarded()):
            if path == folder or folder in path.parents:
                return f"lies in {folder}, {self._kept_there(folder)}"
            if path in folder.parents:
                return f"holds {folder}, {self._kept_there(folder)}"
        return None

    def _kept_there(self, folder: Path) -> str:
        return "which is hqt's own" if folder in self.own else "where logins, settings or programs are kept"

    def is_too_wide(self, path: Path) -> bool:
        """Whether showing the real path `path` would show a home, all of the system's or hqt's own."""
        if str(path) in (*_SHARED, *_SYSTEM):
            return True
        kept = (*self.homes, *self.own)
        return any(path == folder or path in folder.parents for folder in kept) or any(
            folder in path.parents for folder in self.own
        )

    def is_login(self, path: Path) -> bool:
        """Whether the real path `path` is, holds or lies in a folder of keys."""
        keys = (home / name for home in self.homes for name in (".ssh", ".gnupg", ".aws", ".password-store"))
        return any(path == key or path in key.parents or key in path.parents for key in keys)

    def _guarded(self) -> Iterable[Path]:
        for home in self.homes:
            yield from (home / name for name in _UNDER_HOME)
        yield from map(Path, _SYSTEM)


def _both(path: Path) -> tuple[Path, ...]:
    real = real_path(path)
    return (path,) if real == path else (path, real)


def real_path(path: Path) -> Path:
    """`path` with its links followed as far as they lead; of a loop Path.resolve makes a RuntimeError."""
    return Path(os.path.realpath(path))


def is_there(path: Path) -> bool:
    """Whether `path` exists as far as this user can tell: a folder that can't be entered holds nothing."""
    return os.access(path, os.F_OK)
