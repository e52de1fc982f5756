"""Telling people what their agents do: transitions, the bell, programs, the watcher."""
