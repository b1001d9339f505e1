"""Names of users, hosts and addresses: where a text, a command or a log says that something is one."""
