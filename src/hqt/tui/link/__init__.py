"""The screen's way to the code below: called in worker threads, woken by what agents report."""
