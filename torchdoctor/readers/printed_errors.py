"""How the lines of a text look in which a program says that it failed."""

ERROR = (
    r"\w(?:Error|Exception)\b ?[:(]|\b(?:\w{1,40}\.){1,6}\w{1,60}(?:Error|Exception)\b|\[WinError \d"
    r"|\bCUDA error\b|\b(?:ERROR|fatal): \w"
)
# Also in words, without the name of an error.
FAILURE = (
    rf"{ERROR}|\bexited unexpectedly\b|\bcompiled with CUDA enabled\b"
    r"|\bis too old \(found version\b|\bCould not load library \w|\bDLL load failed\b"
    r"|\bNo module named ['\"]?\w|\bout of memory\b|\bno kernel image\b"
)
