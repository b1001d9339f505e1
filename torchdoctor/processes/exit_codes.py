"""Describe exit codes of processes, on Windows and elsewhere."""

import signal

# Values from ntstatus.h, with the cause for which Windows' loader and runtime use each.
NTSTATUS = {
    0xC0000005: "access violation",
    0xC0000017: "no memory was left",
    0xC000001D: "illegal instruction",
    0xC0000135: "a DLL was not found",
    0xC0000138: "an ordinal was not found in a DLL",
    0xC0000139: "an entry point was not found in a DLL",
    0xC0000142: "a DLL failed to initialise",
    0xC000007B: "a DLL is damaged or of another architecture",
    0xC000012D: "the commit limit was reached",
    0xC000013A: "ended by Ctrl-C",
    0xC0000374: "heap corruption",
    0xC0000409: "fast fail: the process ended itself after a fatal error",
    0xC00000FD: "stack overflow",
    0x40010004: "ended by a debugger",
    # EXCEPTION_WINE_STUB of wine/include/wine/exception.h; Windows has no such code.
    0x80000100: "a DLL calls a function that Wine lacks",
}


def describe_exit(exit_code: int, *, is_windows: bool) -> str:
    """Describe an exit code: "0xC0000005 (access violation)", "signal SIGABRT", "exit code 3"."""
    if is_windows:
        status = exit_code & 0xFFFFFFFF
        if status in NTSTATUS:
            return f"0x{status:08X} ({NTSTATUS[status]})"
        if status >= 0xFFFFFF00:
            # sys.exit(-1): the codes that a program gives itself are small.
            return f"exit code {status - 0x100000000}"
        return f"0x{status:08X}" if status >= 0x80000000 else f"exit code {exit_code}"
    if exit_code < 0:
        try:
            return f"signal {signal.Signals(-exit_code).name}"
        except ValueError:
            return f"signal {-exit_code}"
    return f"exit code {exit_code}"
