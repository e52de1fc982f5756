"""The command line: one module for each command, grouped by what it does."""
