"""What stands for what was hidden or left out."""

LEFT_OUT = "..."
# One of them is a name alone: the pattern of all is `<(?:MASKED)>`.
MASKED = "secret|user|host|email|domain|company|team|distribution"
# What Python itself writes so in tracebacks.
OF_PYTHON = (
    "module|locals|lambda|listcomp|dictcomp|setcomp|genexpr|string|stdin|unknown"
    r"|frozen (?:importlib\.(?:_bootstrap(?:_external)?|util|machinery)|_collections_abc|_sitebuiltins"
    r"|abc|codecs|genericpath|getpath|io|ntpath|os|posixpath|runpy|site|stat|zipimport)"
)
