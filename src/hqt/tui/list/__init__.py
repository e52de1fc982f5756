"""The list of sessions as lines of text; pure."""
