"""Which host folders hold what an agent must not get: the home, logins, hqt's own, the system's."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from hqt.values import frozen

# folders of programs that anybody starts
_PROGRAMS = (
    ".local/bin .local/lib bin go/bin .nvm .volta .fnm .asdf .pyenv .rbenv .sdkman .bun .deno .npm-global "
    ".rustup .cargo .nix-profile .local/share/claude .local/share/uv .local/share/pipx .local/share/fnm "
    ".local/share/mise .local/share/pnpm .local/share/systemd .local/share/applications"
).split()
# these, credentials, and configuration that runs code; all under HOME
_UNDER_HOME = (
    *(
        ".ssh .gnupg .pki .password-store .aws .azure .kube .docker .config .mozilla .thunderbird "
        ".claude .codex .kiro .gemini .qwen .copilot .opencode .pi .cursor .vscode .vscode-server .amazon-q "
        ".local/state .local/share/keyrings .local/share/kiro-cli .local/share/amazon-q "
        ".local/share/opencode .npm .cache Library"
    ).split(),
    *_PROGRAMS,
)
_SYSTEM = "/proc /sys /dev /run /boot /etc /usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix /gnu /snap".split()
_KEYS = (".ssh", ".gnupg", ".aws", ".password-store")
# read by shells, editors and tools outside, whoever starts them
_OBEYED = (
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin "
    ".zlogout .inputrc .gitconfig .gitattributes .tmux.conf .screenrc .vimrc .vim .emacs .emacs.d .npmrc "
    ".yarnrc .yarnrc.yml .pypirc .pip .netrc .git-credentials .xinitrc .xprofile .xsession .xsessionrc "
    ".pam_environment .gdbinit .pythonrc .pythonrc.py .ipython .direnvrc .curlrc .wgetrc .terminfo "
    ".gradle .m2 .config/git .config/fish .config/systemd .config/autostart .config/environment.d "
    ".config/nvim .config/direnv .config/pip .config/npm .config/tmux .config/zsh .config/hqt .config/Code "
    ".local/share/opencode"  # its database names servers that send settings
).split()
# sockets answer on a read-only mount as well (unix(7)): those of docker, of the desktop, of agents of keys
_RUNNING = "/proc /sys /dev /run".split()
_SHARED = "/ /tmp /var/tmp /var /home /opt /srv /mnt /media".split()


@frozen
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
        if str(path) in _SHARED:
            return "is shared by everything on this machine"
        if any(_is_in(home, path) for home in self.homes):
            return "is your home folder or holds it"
        for folder in (*map(str, self.own), *self._guarded()):
            if _is_in(path, folder):
                return f"lies in {folder}, {self._kept_there(folder)}"
            if _is_in(folder, path):
                return f"holds {folder}, {self._kept_there(folder)}"
        return None

    def _kept_there(self, folder: str) -> str:
        return (
            "which is hqt's own"
            if Path(folder) in self.own
            else "where logins, settings or programs are kept"
        )

    def is_too_wide(self, path: Path) -> bool:
        """Whether showing the real path `path` would show a home, all of the system's or hqt's own."""
        if str(path) in (*_SHARED, *_SYSTEM):
            return True
        holds = any(_is_in(folder, path) for folder in (*self.homes, *self.own))
        return holds or any(_is_in(path, folder) for folder in self.own)

    def why_not_shown(self, path: Path, *, writable: bool) -> str | None:
        """Why the user's own declaration must not show `path` in a jail, as the end of a sentence."""
        if self.is_too_wide(path):
            return "would show your home, a whole part of the system or hqt's own"
        if self.is_login(path):
            return "is, holds or lies in a folder of keys"
        if any(_is_in(path, folder) for folder in _RUNNING):
            return "leads to what runs on this machine, of which a jail has its own or nothing"
        return self._why_not_written(path) if writable else None

    def _why_not_written(self, path: Path) -> str | None:
        for folder in self._guarded():
            if _is_in(folder, path):
                return f"is or holds {folder}, where logins, settings or programs are kept"
        for folder in (*_SYSTEM, *self._obeyed()):
            if _is_in(path, folder) or _is_in(folder, path):
                return f"is, holds or lies in {folder}, which programs outside of the jail run or obey"
        return None

    def is_login(self, path: Path) -> bool:
        """Whether the real path `path` is, holds or lies in a folder of keys."""
        keys = (f"{home}/{name}" for home in self.homes for name in _KEYS)
        return any(_is_in(path, key) or _is_in(key, path) for key in keys)

    def _obeyed(self) -> Iterator[str]:
        for home in self.homes:
            yield from (f"{home}/{name}" for name in (*_OBEYED, *_PROGRAMS))

    def _guarded(self) -> Iterator[str]:
        for home in self.homes:
            yield from (f"{home}/{name}" for name in _UNDER_HOME)
        yield from _SYSTEM


def _is_in(path: Path | str, folder: Path | str) -> bool:
    """Whether `path` is `folder` or lies below it; as text, as comparing paths is a fifth of a start."""
    return f"{path}/".startswith(f"{folder}/") or str(folder) == "/"


def _both(path: Path) -> tuple[Path, ...]:
    real = real_path(path)
    return (path,) if real == path else (path, real)


def real_path(path: Path) -> Path:
    """`path` with its links followed as far as they lead; of a loop Path.resolve makes a RuntimeError."""
    try:
        return Path(os.path.realpath(path))
    except OSError:  # one that this user may not follow, such as /proc/1/root: nothing behind it can be shown
        return path


def is_there(path: Path) -> bool:
    """Whether `path` exists as far as this user can tell: a folder that can't be entered holds nothing."""
    return os.access(path, os.F_OK)
