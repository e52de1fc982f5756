"""Commands that start, stop and change sessions."""
