"""`hqt sandbox`: run, explain, check and change jails."""
