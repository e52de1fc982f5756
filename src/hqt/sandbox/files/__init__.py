"""Looking at files that an agent may have written, or must not see."""
