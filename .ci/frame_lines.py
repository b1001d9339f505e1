"""Write torchdoctor/domain/frame_lines.csv: where functions stand in the releases of torch and of Python.

    python .ci/frame_lines.py TORCH_FOLDER PYTHON_FOLDER

TORCH_FOLDER has a folder for each release of torch ("2.4.1") with an unpacked wheel in it, PYTHON_FOLDER one
for each minor release of Python ("3.10") with its standard library. A row is a function of a file and, for
each range of releases in which it does not move, its first and last lines: `1.0.0-1.1.0 5-8 20-30;1.2.0 9`.
"""

import ast
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

TABLE = Path(__file__).parents[1] / "torchdoctor" / "domain" / "frame_lines.csv"
# What stands in the column of functions in the first two rows, which name all releases, oldest first.
ALL = "releases"
HEADER = (
    "# The first and last lines of functions in the releases of torch and of Python, from their files.\n"
    "# Written by .ci/frame_lines.py, which says how. `<module>` has the lines that load torch's DLLs.\n"
    "file,function,lines\n"
)
# The functions that tracebacks show most.
FUNCTIONS = {
    "torch/__init__.py": "<module> _load_dll_libraries _load_global_deps __getattr__ compile",
    "torch/_dynamo/eval_frame.py": "_fn compile_wrapper __call__",
    "torch/_inductor/codecache.py": "load cpp_compiler compile_file",
    "torch/_inductor/compile_fx.py": "compile_fx_inner fx_codegen_and_compile",
    "torch/_inductor/cpp_builder.py": "check_compiler_exist_windows get_cpp_compiler build",
    "torch/_ops.py": "__call__ __getattr__ load_library",
    "torch/_tensor.py": "backward __reduce_ex__ __setstate__ __torch_function__",
    "torch/_utils.py": "_cuda _import_dotted_name _rebuild_tensor _rebuild_tensor_v2 reraise",
    "torch/autograd/__init__.py": "backward",
    "torch/cuda/__init__.py": (
        "_check_driver _lazy_init _lazy_new current_device get_device_capability get_device_name"
        " get_device_properties init is_bf16_supported set_device synchronize"
    ),
    "torch/cuda/memory.py": "empty_cache memory_stats set_per_process_memory_fraction",
    "torch/distributed/c10d_logger.py": "wrapper",
    "torch/distributed/distributed_c10d.py": (
        "_new_process_group_helper all_reduce barrier broadcast init_process_group"
    ),
    "torch/distributed/launch.py": "launch main",
    "torch/distributed/rendezvous.py": (
        "_create_c10d_store _env_rendezvous_handler _tcp_rendezvous_handler rendezvous"
    ),
    "torch/distributed/run.py": "main run",
    "torch/functional.py": "einsum stft norm split",
    "torch/hub.py": (
        "_download_archive_zip _get_cache_or_reload _load_local download_url_to_file load"
        " load_state_dict_from_url"
    ),
    "torch/multiprocessing/reductions.py": (
        "rebuild_cuda_tensor rebuild_storage_fd rebuild_storage_filename reduce_storage reduce_tensor"
    ),
    "torch/multiprocessing/spawn.py": "_wrap spawn start_processes",
    "torch/nn/functional.py": "cross_entropy interpolate layer_norm relu softmax",
    "torch/nn/modules/container.py": "forward",
    "torch/nn/modules/conv.py": "_conv_forward",
    "torch/nn/modules/linear.py": "__init__ forward",
    "torch/nn/modules/module.py": (
        "__call__ __getattr__ _apply _call_impl _wrapped_call_impl convert cuda load_state_dict to"
    ),
    "torch/nn/parallel/data_parallel.py": "__init__ forward replicate",
    "torch/nn/parallel/distributed.py": "__init__ forward",
    "torch/optim/optimizer.py": "wrapper profile_hook_step",
    "torch/random.py": "manual_seed",
    "torch/serialization.py": (
        "__enter__ _check_seekable _cuda_deserialize _get_wo_message _legacy_load _load"
        " _save default_restore_location find_class load load_tensor"
        " persistent_load restore_location save validate_cuda_device"
    ),
    "torch/storage.py": "__getitem__",
    "torch/tensor.py": "backward __reduce_ex__ norm",
    "torch/utils/_contextlib.py": "decorate_context",
    "torch/utils/cpp_extension.py": (
        "_check_cuda_version _get_cuda_arch_flags _import_module_from_library"
        " _jit_compile _join_cuda_home _run_ninja_build _write_ninja_file _write_ninja_file_and_build_library"
        " _write_ninja_file_and_compile_objects build_extensions check_compiler_abi_compatibility load"
        " unix_wrap_ninja_compile verify_ninja_availability win_wrap_ninja_compile CUDAExtension"
    ),
    "torch/utils/data/_utils/collate.py": "default_collate",
    "torch/utils/data/_utils/fetch.py": "fetch",
    "torch/utils/data/_utils/pin_memory.py": "_pin_memory_loop pin_memory",
    "torch/utils/data/_utils/signal_handling.py": "handler",
    "torch/utils/data/_utils/worker.py": "_worker_loop",
    "torch/utils/data/dataloader.py": (
        "__init__ __iter__ __next__ _get_batch _get_data _get_iterator _next_data _process_data"
        " _process_next_batch _shutdown_workers _try_get_batch _try_get_data multiprocessing_context"
    ),
    "torch/utils/data/sampler.py": "__init__ __iter__",
    "argparse.py": "_print_message print_help parse_args",
    "asyncio/base_events.py": "run_forever run_until_complete _run_once",
    "asyncio/events.py": "_run",
    "asyncio/runners.py": "run",
    "codecs.py": "decode",
    "concurrent/futures/process.py": "_process_worker _queue_management_worker",
    "concurrent/futures/thread.py": "run",
    "contextlib.py": "__enter__ __exit__ inner",
    "ctypes/__init__.py": "__getattr__ __getitem__ __init__ LoadLibrary",
    "distutils/cmd.py": "run_command",
    "distutils/command/build.py": "run",
    "distutils/command/build_ext.py": "_build_extensions_serial build_extensions run",
    "distutils/core.py": "setup",
    "distutils/dist.py": "run_command run_commands",
    "http/client.py": "_send_request connect request",
    "importlib/__init__.py": "import_module",
    "logging/__init__.py": "emit",
    "multiprocessing/connection.py": (
        "PipeClient _check_closed _recv_bytes _send_bytes recv_bytes reduce_pipe_connection wait"
    ),
    "multiprocessing/context.py": "Queue _Popen get_context reducer set_start_method",
    "multiprocessing/managers.py": "start connect",
    "multiprocessing/pool.py": "_repopulate_pool _repopulate_pool_static get map worker",
    "multiprocessing/popen_spawn_win32.py": "__init__",
    "multiprocessing/process.py": "_bootstrap run start",
    "multiprocessing/queues.py": "_feed get put",
    "multiprocessing/reduction.py": "dump duplicate steal_handle",
    "multiprocessing/spawn.py": (
        "_check_not_importing_main _fixup_main_from_name _fixup_main_from_path _main get_preparation_data"
        " prepare spawn_main"
    ),
    "multiprocessing/synchronize.py": "__init__ __setstate__",
    "pathlib.py": "mkdir open read_text rename resolve symlink_to write_text",
    "platform.py": "_syscmd_ver win32_ver",
    "runpy.py": "_run_code _run_module_as_main _run_module_code run_module run_path",
    "shutil.py": "copyfile copytree move rmtree",
    "socket.py": "create_connection getfqdn",
    "ssl.py": "do_handshake wrap_socket",
    "subprocess.py": "__init__ _execute_child call check_call check_output communicate run",
    "tarfile.py": "extract extractall makefile",
    "threading.py": "_bootstrap _bootstrap_inner run start",
    "urllib/request.py": "do_open http_error_default urlopen",
    "zipfile.py": "_RealGetContents extractall",
}


def find_spans(source: str) -> Mapping[str, Sequence[tuple[int, int]]]:
    """Return the first and last lines of each function of a file, by its name."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for name, first, last in walk(ast.parse(source), False):
        spans.setdefault(name, []).append((first, last))
    return spans


def walk(node: ast.AST, in_function: bool) -> Iterator[tuple[str, int, int]]:
    """Yield the functions below a node and, outside functions, the lines that load libraries."""
    for child in ast.iter_child_nodes(node):
        is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            body = child.body[1:] if ast.get_docstring(child) is not None and child.body[1:] else child.body
            yield child.name, body[0].lineno, child.end_lineno or child.lineno
        elif isinstance(child, ast.stmt) and not in_function and loads_libraries(child):
            yield "<module>", child.lineno, child.end_lineno or child.lineno
        yield from walk(child, in_function or is_function)


def loads_libraries(statement: ast.stmt) -> bool:
    """Return whether a statement loads torch's DLLs, or raises what loading them raised."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "torch._C"
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(statement, ast.Raise) or (
        isinstance(call, ast.Call)
        and ("_load_" in ast.unparse(call.func) or ast.unparse(call) == "ctypes.CDLL(dll)")
    )


def write_row(found: Sequence[tuple[str, Sequence[tuple[int, int]]]]) -> str:
    """Return the ranges of releases in which a function has the same lines."""
    ranges: list[list[str]] = []
    for release, spans in found:
        lines = " ".join(f"{first}-{last}" for first, last in sorted(spans))
        if ranges and ranges[-1][2] == lines:
            ranges[-1][1] = release
        else:
            ranges.append([release, release, lines])
    named = ((first if first == last else f"{first}-{last}", lines) for first, last, lines in ranges)
    return ";".join(f"{releases} {lines}" for releases, lines in named if lines)


def list_releases(folder: Path) -> Sequence[str]:
    """Return the releases of a folder, oldest first."""
    return sorted(os.listdir(folder), key=lambda name: tuple(map(int, name.split("."))))


def main() -> None:
    """Write the table."""
    torch_folder, python_folder = map(Path, sys.argv[1:])
    rows = [
        f"{name},{ALL},{' '.join(list_releases(folder))}\n"
        for name, folder in zip(("torch", "python"), (torch_folder, python_folder), strict=True)
    ]
    for file, functions in sorted(FUNCTIONS.items()):
        folder = torch_folder if file.startswith("torch/") else python_folder
        paths = {release: folder / release / file for release in list_releases(folder)}
        spans = {
            release: find_spans(path.read_text("utf-8")) if path.exists() else {}
            for release, path in paths.items()
        }
        for function in functions.split():
            row = write_row([(release, found.get(function, ())) for release, found in spans.items()])
            if row:
                rows.append(f"{file},{function},{row}\n")
            else:
                print(f"no {function} in {file}", file=sys.stderr)
    TABLE.write_text(HEADER + "".join(rows), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
