"""A jail is optional: whatever is wrong with it, no check fails."""

from pathlib import Path

from hqt.doctor import jail
from hqt.doctor.check import Check
from hqt.sandbox.bwrap import Availability, Layer
from hqt.values import replace

WHOLE = Availability(
    ok=True,
    net_off_ok=True,
    version=(0, 8, 0),
    layers=(Layer("filter", active=True), Layer("limits", active=True)),
    bwrap=Path("/usr/bin/bwrap"),
)
USABLE = Check("bwrap", "jail (optional)", "ok", "usable, bubblewrap 0.8.0, /usr/bin/bwrap")
OFFLINE = Check("bwrap-offline", "jail, offline", "ok", "usable")
LAYERS = Check("bwrap-layers", "jail layers", "ok", "filter, limits")


def test_a_whole_jail_is_ok() -> None:
    assert list(jail.judge(WHOLE)) == [USABLE, OFFLINE, LAYERS]


def test_no_bwrap_is_missing() -> None:
    none = Availability(ok=False, net_off_ok=False, reason="it is not there", remedy="install it")
    unseen = "not looked at: there is no jail here"
    assert list(jail.judge(none)) == [
        Check("bwrap", "jail (optional)", "missing", "it is not there", "install it"),
        Check("bwrap-offline", "jail, offline", "missing", unseen),
        Check("bwrap-layers", "jail layers", "missing", unseen),
    ]


def test_a_bwrap_that_is_refused_is_a_warning() -> None:
    refused = replace(WHOLE, ok=False, net_off_ok=False, reason="refused", remedy="allow it")
    assert [(check.state, check.detail, check.remedy) for check in jail.judge(refused)] == [
        ("warning", "refused", "allow it"),
        ("warning", "not looked at: there is no jail here", None),
        ("warning", "not looked at: there is no jail here", None),
    ]


def test_only_the_offline_jail_is_refused() -> None:
    online = replace(WHOLE, net_off_ok=False, reason="no loopback", remedy="allow it")
    refused = Check("bwrap-offline", "jail, offline", "warning", "no loopback", "allow it")
    assert list(jail.judge(online)) == [USABLE, refused, LAYERS]


def test_a_layer_that_lacks_is_named_with_its_reason() -> None:
    thin = replace(WHOLE, layers=(Layer("filter", active=True), Layer("limits", active=False, why_not="old")))
    remedy = "jails start without it; a newer kernel or bubblewrap, installed without setuid, brings it"
    lacking = Check("bwrap-layers", "jail layers", "warning", "limits: old", remedy)
    assert list(jail.judge(thin)) == [USABLE, OFFLINE, lacking]
