"""Whether jails can be had: an optional capability, so nothing here ever fails."""

from collections.abc import Iterator

from hqt import sandbox
from hqt.doctor.check import Check, Subject
from hqt.sandbox.bwrap import Availability, forget

_JAIL = Subject("bwrap", "jail (optional)")
_OFFLINE = Subject("bwrap-offline", "jail, offline")
_LAYERS = Subject("bwrap-layers", "jail layers")


def checks() -> Iterator[Check]:
    """The jail, the offline jail and its layers; bwrap is run for it, whatever it could do before."""
    forget()
    return judge(sandbox.availability())


def judge(found: Availability) -> Iterator[Check]:
    """What that answer says."""
    if not found.ok:
        yield _lacking(_JAIL, found, found.reason, found.remedy)
        for subject in (_OFFLINE, _LAYERS):
            yield _lacking(subject, found, "not looked at: there is no jail here")
        return
    version = ".".join(map(str, found.version)) or "of unknown version"
    yield _JAIL.ok(f"usable, bubblewrap {version}, {found.bwrap}")
    yield _OFFLINE.ok("usable") if found.net_off_ok else _lacking(_OFFLINE, found, found.reason, found.remedy)
    yield _layers(found)


def _lacking(subject: Subject, found: Availability, why: str | None, remedy: str | None = None) -> Check:
    say = subject.missing if found.bwrap is None else subject.warning
    return say(why or "not usable", remedy)


def _layers(found: Availability) -> Check:
    lacking = [f"{layer.name}: {layer.why_not}" for layer in found.layers if not layer.active]
    if lacking:
        remedy = "jails start without it; a newer kernel or bubblewrap, installed without setuid, brings it"
        return _LAYERS.warning("; ".join(lacking), remedy)
    return _LAYERS.ok(", ".join(layer.name for layer in found.layers))
