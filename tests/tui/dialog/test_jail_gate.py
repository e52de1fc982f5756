"""A jail that was asked for is had, or nothing starts."""

from itertools import product

import pytest

from hqt.sandbox import Availability
from hqt.tui.dialog.jail_gate import JailGate, jail_gate

GOOD = Availability(ok=True, net_off_ok=True)
NONE = Availability(
    ok=False, net_off_ok=False, reason="bubblewrap (bwrap) is not on PATH", remedy="install it"
)
ONLINE = Availability(ok=True, net_off_ok=False, reason="no loopback", remedy="give NET_ADMIN")
_NO_JAIL = "a jail can't be made here: bubblewrap (bwrap) is not on PATH: install it; or run `hqt doctor`"
_NO_OFFLINE = "an offline jail can't be made here: no loopback: give NET_ADMIN; or run `hqt doctor`"

_GATES = [
    (None, False, True, JailGate()),
    (None, True, True, JailGate(warning="looking for bubblewrap…")),
    (GOOD, False, True, JailGate()),
    (GOOD, True, False, JailGate()),
    # off: the switch can't be turned, and a session without a jail starts as ever
    (NONE, False, True, JailGate(sandbox=False, network=False, warning=_NO_JAIL)),
    # asked for: nothing starts but by the button that says so
    (
        NONE,
        True,
        True,
        JailGate(sandbox=False, network=False, create=False, offers_open=True, warning=_NO_JAIL),
    ),
    # A03
    (ONLINE, False, True, JailGate()),
    (ONLINE, True, True, JailGate(network=False, offline=_NO_OFFLINE)),
    (ONLINE, True, False, JailGate(create=False, offline=_NO_OFFLINE)),
]


@pytest.mark.parametrize(("found", "sandboxed", "net", "wanted"), _GATES)
def test_each_answer_opens_what_it_may(
    found: Availability | None, sandboxed: bool, net: bool, wanted: JailGate
) -> None:
    assert jail_gate(found, sandboxed=sandboxed, net=net) == wanted


@pytest.mark.parametrize(("found", "net"), product([NONE, ONLINE], [True, False]))
def test_no_jail_that_can_not_be_had_is_created(found: Availability, net: bool) -> None:
    refused = not found.ok or (not net and not found.net_off_ok)
    assert jail_gate(found, sandboxed=True, net=net).create is not refused
