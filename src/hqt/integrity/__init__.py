"""What a jail could change on the host: watched while it runs, and put right at its end."""
