"""Agents that the user declares in config.toml."""
