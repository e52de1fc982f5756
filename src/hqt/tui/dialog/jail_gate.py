"""What the dialog lets be chosen, by what is known of jails on this machine; pure."""

from hqt.sandbox import Availability, SandboxPolicy
from hqt.values import frozen


@frozen
class JailGate:
    """A jail that was asked for and can't be had holds up the creation: it is never left out by itself."""

    sandbox: bool = True  # the switch can be turned
    network: bool = True  # so can this one
    create: bool = True
    offers_open: bool = False  # starting without a jail, by a button of its own
    warning: str | None = None  # why there is no jail, or that it is looked for
    offline: str | None = None  # why there is none without a network


def jail_gate(found: Availability | None, *, sandboxed: bool, net: bool) -> JailGate:
    """`found`: None while it is looked for; the service asks again before each start."""
    if found is None:
        return JailGate(warning="looking for bubblewrap…" if sandboxed else None)
    if not found.ok:
        return JailGate(
            sandbox=False,
            network=False,
            create=not sandboxed,
            offers_open=sandboxed,
            warning=_told(found, SandboxPolicy()),
        )
    if not found.net_off_ok and sandboxed:
        # who switched it off before it was known must switch it on: no start is less closed than was said
        return JailGate(network=not net, create=net, offline=_told(found, SandboxPolicy(net=False)))
    return JailGate()


def _told(found: Availability, policy: SandboxPolicy) -> str:
    return f"{found.refusal(policy)}; or run `hqt doctor`"
