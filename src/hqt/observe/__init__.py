"""What sessions are doing: evidence, beliefs, views, and a terminal inside one. It changes no session."""
