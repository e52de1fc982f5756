"""Commands that tmux and hqt itself run; not for people."""
