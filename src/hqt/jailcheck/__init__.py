"""`hqt sandbox check`: probes that try to get out of a jail, each way one."""
