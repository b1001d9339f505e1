"""The words in angle brackets that stand for what was hidden."""

# One of them is a name alone: the pattern of all is `<(?:MASKED)>`.
MASKED = "secret|user|host|email|domain|company|team|distribution"
# What Python itself writes so in tracebacks.
OF_PYTHON = "module|locals|lambda|listcomp|dictcomp|setcomp|genexpr|string|stdin|unknown"
