"""The keys that hqt has inside a session, as config.toml says them."""

from hqt.backends.tmux.settings import TmuxSettings
from hqt.backends.tmux.statusline import said
from hqt.values import frozen


@frozen
class SessionKeys:
    """As people write them."""

    back: str = "ctrl-q"
    next: str | None = "ctrl-space"  # None: there is none

    @classmethod
    def of(cls, settings: TmuxSettings) -> "SessionKeys":
        return cls(said(settings.detach_key), said(settings.next_key) if settings.next_key else None)
