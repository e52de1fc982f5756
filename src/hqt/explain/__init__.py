"""What a jail shows, hides and leaves open, told from the plan of its start."""
