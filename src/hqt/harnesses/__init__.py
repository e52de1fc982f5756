"""The agents that hqt knows: each declares its flags, files, ids and screen; nothing here starts one."""
