"""What tells a person of their agents where no terminal shows hqt; hqt itself runs it."""

import logging
import signal
from contextlib import closing
from datetime import UTC, datetime, timedelta

import click

from hqt import config
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.control import ControlClient
from hqt.db.columns import stamp
from hqt.launch import restore_threads_signals
from hqt.notify.courier import LIMIT_S
from hqt.notify.giving import Giver
from hqt.notify.watcher import watch as until_the_last_ends
from hqt.paths import Places
from hqt.services import summoning
from hqt.services.asking import caller
from hqt.services.launches import Caller
from hqt.services.ledger import Ledger
from hqt.services.looking import Looker
from hqt.services.views import SessionView
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
    asking = caller(found)
    giver = Giver(found, asking, config.load(found.config_file).notify)
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


def _watch(found: Places, asking: Caller, giver: Giver) -> None:
    since = stamp(datetime.now(UTC) - timedelta(seconds=_EARLIER_S))
    ledger = Ledger(since, found.data / "notices.json")
    while True:
        with summoning.alone(found) as is_alone:
            if not is_alone:
                return
            last = _watch_alone(found, asking, giver, ledger)
        # who started an agent meanwhile found it still there, and called no other; it may have ended since
        now = looker().all()
        if now == last and not any(view.is_alive for view in now):
            return


def _watch_alone(found: Places, asking: Caller, giver: Giver, ledger: Ledger) -> tuple[SessionView, ...]:
    settings = tmux_settings(found, asking)
    with closing(ControlClient(settings)) as control:
        seeing = Looker(found, asking, TmuxBackend(settings, control), patient=True)
        return until_the_last_ends(seeing, ledger, giver.give)
