"""Everything that changes a session: start, stop, resume, fork, send, remove, recover."""
