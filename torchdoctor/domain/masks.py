"""What stands for what was hidden or left out."""

LEFT_OUT = "..."
# One of them is a name alone: the pattern of all is `<(?:MASKED)>`.
MASKED = "secret|user|host|email|domain|company|team|distribution"
# What Python itself writes so in tracebacks.
OF_PYTHON = "module|locals|lambda|listcomp|dictcomp|setcomp|genexpr|string|stdin|unknown"
