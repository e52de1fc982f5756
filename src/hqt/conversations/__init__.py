"""Which conversation belongs to which session, and those that were started elsewhere."""
