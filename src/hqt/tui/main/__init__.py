"""The main screen, and what its keys do to sessions."""
