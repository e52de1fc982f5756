"""Commands that only look at sessions."""
