"""Start other processes, limit their time, end the processes that they leave, describe their exit codes."""
