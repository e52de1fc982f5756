"""The jail: the first design's `hqt.sandbox`."""

from hqt.sandbox.policy import Bind, SandboxPolicy

__all__ = ["Bind", "SandboxPolicy"]
