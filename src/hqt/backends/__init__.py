"""Where agents run: what hqt asks of a terminal multiplexer, and the processes below it."""
