"""The one family of deliberate errors; the text of each is one sentence for the user."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

# of what is asked for a new session; the fields of observe.views.NewSession that can be at fault
About = Literal["directory", "harness", "name", "prompt", "args", "env_names", "sandbox"]


class HqtError(Exception):
    """What failed, on what, and what to do; caught in cli/main.py and tui/app.py only."""

    exit_code: int = 1
    about: About | None = None  # what is to be changed, where it is one thing


@contextmanager
def about(field: About) -> Iterator[None]:
    """Let what is raised inside say that it is about `field`, unless it says so already; also a decorator."""
    try:
        yield
    except HqtError as error:
        error.about = error.about or field
        raise


@contextmanager
def exits_with(status: int) -> Iterator[None]:
    """Let what is raised inside end hqt with `status`, where its own could be taken for something else's."""
    try:
        yield
    except HqtError as error:
        error.exit_code = status
        raise


class ConfigError(HqtError):
    """config.toml or a variable that says where hqt keeps things cannot be honoured."""


class DatabaseError(HqtError):
    """The database cannot be read or written."""


class NewerDatabase(DatabaseError):
    """It was written by a newer hqt than this one."""


class HarnessError(HqtError):
    """A harness is unknown, not installed or configured in a way hqt cannot follow."""


class BackendError(HqtError):
    """tmux is missing, too old or answered with an error."""


class ServiceError(HqtError):
    """What was asked for cannot be done with this session."""


class NoSuchSession(HqtError):
    """No session has that id or name."""

    exit_code = 3


class TimedOut(HqtError):
    """What was waited for did not come in time."""

    exit_code = 5


class JailError(HqtError):
    """The jail was refused or cannot be made; nothing was started."""

    exit_code = 4
