"""The git of a project: its repositories and configuration, and what a jail shows of them."""
