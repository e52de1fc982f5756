"""Headquarters for coding agents in a terminal."""
