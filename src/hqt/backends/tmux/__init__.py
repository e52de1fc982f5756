"""The backend for tmux: one server of hqt's own, with its own socket and configuration."""
