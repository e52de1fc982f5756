"""`hqt doctor`: what works on this machine, with remedies."""
