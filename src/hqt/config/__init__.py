"""The user's config.toml: its tables, read and judged."""
