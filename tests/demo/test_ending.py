import signal

import pytest

from hqt.demo.ending import Interruption


def test_a_signal_waits_until_it_may_end_the_demo() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    interruption = Interruption()
    try:
        interruption.listen()
        interruption.leave_if_asked()
        signal.raise_signal(signal.SIGTERM)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    with pytest.raises(SystemExit, match=r"^143$"):
        interruption.leave_if_asked()
