"""What tells a person of their agents where no terminal shows hqt; hqt itself runs it."""

import logging
import signal
from contextlib import closing
from datetime import UTC, datetime, timedelta

import click

from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.control import ControlClient
from hqt.config.file import load_config
from hqt.db.columns import stamp
from hqt.launch import restore_threads_signals
from hqt.notifications.dispatch import Dispatcher
from hqt.notifications.history import History
from hqt.notifications.program_queue import LIMIT_S
from hqt.notifications.spawn_watcher import only_watcher
from hqt.notifications.watcher import watch as until_the_last_ends
from hqt.observe.look import Looker
from hqt.observe.views import SessionView
from hqt.paths import Places
from hqt.start.caller import Caller, current_caller
from hqt.wiring import here, looker, tmux_settings

_EARLIER_S = 5  # it is called before the agent is, which may be faster
_PYTHONS = {signal.SIGPIPE, signal.SIGXFSZ}  # it ignores them itself, and lets no program inherit that
_FORM = "%(asctime)s %(levelname)s %(message)s"


@click.command(hidden=True)
def watch() -> None:
    """Give notices until no agent lives; nothing where another process does."""
    logging.basicConfig(format=_FORM)  # on standard error, which is a file (summoning)
    _heed_all()
    found = here()
    asking = current_caller(found)
    giver = Dispatcher(found, asking, load_config(found.config_file).notify)
    try:
        _watch(found, asking, giver)
    finally:
        giver.finish(LIMIT_S)


def _heed_all() -> None:
    """Ignore and block no signal, as the user's command would then, too.

    The shell that put this in the background had two ignored, and whoever called hqt may have had others.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in signal.valid_signals() - _PYTHONS:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    restore_threads_signals()


def _watch(found: Places, asking: Caller, giver: Dispatcher) -> None:
    since = stamp(datetime.now(UTC) - timedelta(seconds=_EARLIER_S))
    history = History(since, found.data / "notices.json")
    while True:
        with only_watcher(found) as is_alone:
            if not is_alone:
                return
            last = _watch_alone(found, asking, giver, history)
        # who started an agent meanwhile found it still there, and called no other; it may have ended since
        now = looker().all()
        if now == last and not any(view.is_alive for view in now):
            return


def _watch_alone(
    found: Places, asking: Caller, giver: Dispatcher, history: History
) -> tuple[SessionView, ...]:
    settings = tmux_settings(found, asking)
    with closing(ControlClient(settings)) as control:
        seeing = Looker(found, asking, TmuxBackend(settings, control), patient=True)
        return until_the_last_ends(seeing, history, giver.give)
