"""`hqt demo`: a jailed agent from start to end, in a scratch home."""
