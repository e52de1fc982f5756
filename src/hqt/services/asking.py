"""The shell that asks, with the harnesses that its user declares."""

from dataclasses import replace

from hqt import config
from hqt.harnesses import registry
from hqt.paths import Places
from hqt.sandbox.private import Private
from hqt.services.launches import Caller


def caller(found: Places) -> Caller:
    """This process's; ConfigError where config.toml can't be honoured."""
    return knowing(Caller.current(), found)


def knowing(shell: Caller, found: Places) -> Caller:
    """`shell` with its user's harnesses; ConfigError likewise."""
    said = config.load(found.config_file).harnesses
    if not said:
        return shell
    private = Private.of(found.home, found.own(), shell.account_home)
    return replace(shell, harnesses=registry.harnesses(said, found.config_file, private))
