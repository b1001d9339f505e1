import fcntl
