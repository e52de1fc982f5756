"""What the options of a jail mean."""

from hqt.cli.sandbox.run import policy
from hqt.sandbox import SandboxPolicy


def test_what_is_not_said_of_a_policy_is_the_default() -> None:
    assert policy(None, None) == SandboxPolicy("rw", net=True)
    assert policy("ro", False) == SandboxPolicy("ro", net=False)
