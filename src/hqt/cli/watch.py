"""What tells a person of their agents where no terminal shows hqt; hqt itself runs it."""

import logging
from datetime import UTC, datetime, timedelta

import click

from hqt import config
from hqt.backends.tmux.backend import TmuxBackend
from hqt.backends.tmux.control import ControlClient
from hqt.db.columns import stamp
from hqt.notify.courier import LIMIT_S
from hqt.notify.giving import Giver
from hqt.notify.watcher import watch as until_the_last_ends
from hqt.paths import Places
from hqt.services import summoning
from hqt.services.asking import caller
from hqt.services.ledger import Ledger
from hqt.services.looking import Looker
from hqt.wiring import here, looker, tmux_settings

_EARLIER_S = 5  # it is called before the agent is, which may be faster
_FORM = "%(asctime)s %(levelname)s %(message)s"


@click.command(hidden=True)
def watch() -> None:
    """Give notices until no agent lives; nothing where another process does."""
    logging.basicConfig(format=_FORM)  # on standard error, which is a file (summoning)
    found = here()
    since = stamp(datetime.now(UTC) - timedelta(seconds=_EARLIER_S))
    while True:
        with summoning.alone(found) as is_alone:
            if not is_alone:
                return
            _watch(found, since)
        # who started an agent meanwhile found it still there, and called no other
        if not any(view.is_alive for view in looker().all()):
            return


def _watch(found: Places, since: str) -> None:
    asking = caller(found)
    settings = tmux_settings(found, asking)
    control = ControlClient(settings)
    giver = Giver(found, asking, config.load(found.config_file).notify)
    try:
        seeing = Looker(found, asking, TmuxBackend(settings, control), patient=True)
        until_the_last_ends(seeing, Ledger(since, found.data / "notices.json"), giver.give)
    finally:
        control.close()
        giver.finish(LIMIT_S)
