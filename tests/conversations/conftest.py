"""The fixture `rig`: a service over a fake backend."""

from tests.sessions.rig import rig

__all__ = ["rig"]
