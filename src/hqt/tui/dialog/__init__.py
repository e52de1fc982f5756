"""What stands in the New Session dialog, without its widgets."""
