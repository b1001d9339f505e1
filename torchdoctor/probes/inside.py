"""Runs in the examined interpreter: standard library only, Python 3.8 syntax.

Called as `python -c BOOTSTRAP inside.py MODE RESULT`, with this file on standard input; the answer is
written to the file RESULT, because what the process prints belongs to whoever prints there.
"""

import os
import sys
import time


def describe():
    """Describe the interpreter, its import path, distributions and where it would find torch."""
    given = sys.path[:]
    put_library_first()
    import json  # noqa: F401 (the answer is written with it)
    import platform
    import site
    import sysconfig

    sys.path[:] = given
    base = getattr(sys, "_base_executable", None) or sys.executable or ""
    try:
        user_base = site.getuserbase()
    except Exception:
        user_base = None
    return {
        "executable": sys.executable or "",
        "version": platform.python_version(),
        "implementation": platform.python_implementation(),
        "bits": 64 if sys.maxsize > 2**32 else 32,
        "platform_tag": sysconfig.get_platform(),
        "prefix": sys.exec_prefix,
        "base_prefix": sys.base_exec_prefix,
        "application_folder": os.path.dirname(base),
        "user_base": user_base,
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        "import_path": [entry for entry in sys.path if isinstance(entry, str)],
        "distributions": list(find_distributions()),
        "torch": find_torch(),
    }


def put_library_first():
    """Let imports find the standard library before a json.py of a folder on PYTHONPATH."""
    library = os.path.dirname(os.__file__)
    places = (library, os.path.join(library, "lib-dynload"), os.path.join(os.path.dirname(library), "DLLs"))
    sys.path.sort(key=lambda folder: folder not in places)


def find_distributions():
    """Give name, version and folder of each distribution, read from the folders' names alone."""
    seen = set()
    for folder in sys.path:
        if not isinstance(folder, str) or os.path.normcase(folder) in seen:
            continue
        seen.add(os.path.normcase(folder))
        try:
            names = sorted(os.listdir(folder or "."))
        except OSError:
            continue
        for name in names:
            stem, dot, suffix = name.rpartition(".")
            if dot and suffix in ("dist-info", "egg-info"):
                parts = stem.split("-")
                yield [parts[0], parts[1] if len(parts) > 1 else "", folder]


def find_torch():
    """Give the folder of the torch that an import would find, None without one; torch is not run."""
    import importlib.util

    try:
        spec = importlib.util.find_spec("torch")
    except Exception as error:
        return {"error": "%s: %s" % (type(error).__name__, error)}
    if spec is None:
        return None
    folders = list(spec.submodule_search_locations or ())
    origin = spec.origin if spec.has_location else None
    return {"origin": origin, "folder": folders[0] if folders else os.path.dirname(origin or "")}


def import_torch(record, with_cuda):
    """Import torch, recording each stage, so that a process that dies half-way has still told something."""
    result = {"stage": "started", "private_bytes_before": read_private_bytes()}
    record(result)
    started = time.perf_counter()
    try:
        import torch  # noqa: TID251 (this is the child that may)
    except BaseException as error:
        import traceback

        result.update(
            stage="raised",
            seconds=time.perf_counter() - started,
            exception_type=type(error).__name__,
            exception_message=str(error)[:20000],
            winerror=getattr(error, "winerror", None),
            traceback=traceback.format_exc()[-20000:],
        )
        record(result)
        raise SystemExit(1) from error
    result.update(
        stage="imported",
        seconds=time.perf_counter() - started,
        version=str(getattr(torch, "__version__", "")) or None,
        file=str(getattr(torch, "__file__", "")) or None,
        private_bytes_after=read_private_bytes(),
    )
    if with_cuda:
        result["cuda"] = {"stage": "started"}
    record(result)
    if with_cuda:
        use_cuda(torch, result["cuda"])
        record(result)


def use_cuda(torch, result):
    """Ask torch about CUDA and run one small kernel, telling what each step came to."""
    import warnings

    started = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result["available"] = bool(torch.cuda.is_available())
            result["device_count"] = int(torch.cuda.device_count())
            result["architectures"] = list(torch.cuda.get_arch_list())
            if result["available"]:
                _run_kernel(torch, result)
            result["stage"] = "answered"
        except BaseException as error:
            result["stage"] = "raised"
            result["error"] = ("%s: %s" % (type(error).__name__, error))[:2000]
    result["warnings"] = [str(item.message)[:2000] for item in caught][:5]
    result["seconds"] = time.perf_counter() - started


def _run_kernel(torch, result):
    try:
        result["device_name"] = torch.cuda.get_device_name(0)
        result["capability"] = list(torch.cuda.get_device_capability(0))
        total = (torch.ones(64, device="cuda:0") * 2).sum().item()
        result["kernel_ran"] = total == 128
        if total != 128:
            result["kernel_error"] = "64 times 2 gave %r" % total
    except BaseException as error:
        result["kernel_error"] = ("%s: %s" % (type(error).__name__, error))[:2000]


def read_private_bytes(process_id=None):
    """Give the private memory of this or another process in bytes, None where the system does not tell."""
    try:
        if os.name == "nt":
            return _read_private_bytes_windows(process_id)
        with open("/proc/%s/smaps_rollup" % (process_id or "self")) as lines:
            return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
    except Exception:
        return None


def _read_private_bytes_windows(process_id):
    import ctypes
    from ctypes import wintypes

    class Counters(ctypes.Structure):
        """PROCESS_MEMORY_COUNTERS_EX of psapi.h."""

        _fields_ = [("cb", wintypes.DWORD), ("PageFaultCount", wintypes.DWORD)] + [
            (name, ctypes.c_size_t)
            for name in (
                "PeakWorkingSetSize",
                "WorkingSetSize",
                "QuotaPeakPagedPoolUsage",
                "QuotaPagedPoolUsage",
                "QuotaPeakNonPagedPoolUsage",
                "QuotaNonPagedPoolUsage",
                "PagefileUsage",
                "PeakPagefileUsage",
                "PrivateUsage",
            )
        ]

    counters = Counters(cb=ctypes.sizeof(Counters))
    kernel32 = ctypes.WinDLL("kernel32")
    kernel32.GetCurrentProcess.restype = ctypes.c_void_p
    kernel32.OpenProcess.restype = ctypes.c_void_p
    kernel32.CloseHandle.argtypes = [ctypes.c_void_p]
    psapi = ctypes.WinDLL("psapi")
    psapi.GetProcessMemoryInfo.argtypes = [ctypes.c_void_p, ctypes.c_void_p, wintypes.DWORD]
    # PROCESS_QUERY_INFORMATION | PROCESS_VM_READ
    handle = kernel32.OpenProcess(0x0410, False, process_id) if process_id else kernel32.GetCurrentProcess()
    found = psapi.GetProcessMemoryInfo(handle, ctypes.byref(counters), counters.cb)
    if process_id:
        kernel32.CloseHandle(handle)
    # The same figure twice; Wine fills in only the older field.
    return counters.PrivateUsage or counters.PagefileUsage or None if found else None


def main():
    """Answer one question and write the answer to the result file."""
    mode, path = sys.argv[-2:]

    def record(result):
        import json

        with open(path, "w", encoding="utf-8") as file:
            json.dump(result, file)

    if mode == "describe":
        record(describe())
    else:
        import_torch(record, with_cuda=mode == "use-cuda")


if __name__ == "__main__":
    main()
