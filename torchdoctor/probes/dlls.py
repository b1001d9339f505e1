"""Observes Windows DLLs: the DLLs that torch's files need, and the VC runtime files that the loader uses."""

import os
import platform
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from torchdoctor import pe
from torchdoctor.facts import (
    Absent,
    DamagedDll,
    DllClosure,
    DllImage,
    Facts,
    ForeignDll,
    Interpreter,
    MissingDll,
    OperatingSystem,
    RuntimeFile,
    SearchFolder,
    TorchInstall,
    VcRuntime,
)
from torchdoctor.probes import windows
from torchdoctor.probes.examined import Examined
from torchdoctor.probes.torch_install import observe_torch_install, read_torch_folder

# The Visual C++ runtime DLLs that builds of torch import (read from 30 wheels, 1.7.1 to 2.15.0).
RUNTIME_DLLS = (
    "concrt140.dll",
    "msvcp140.dll",
    "msvcp140_1.dll",
    "msvcp140_atomic_wait.dll",
    "vcomp140.dll",
    "vcruntime140.dll",
    "vcruntime140_1.dll",
    "vcruntime140_threads.dll",
)


def observe_dll_closure(examined: Examined) -> DllClosure | Absent:
    """Follow the imports of the DLLs in torch's library folder and of its extension modules."""
    install, interpreter = observe_torch_install(examined), examined.interpreter
    if isinstance(install, Absent):
        return install
    if not interpreter.is_for_windows:
        return Absent(f"this is a Python for {platform.system()}; its torch has no Windows DLLs")
    if install.library_folder is None:
        return Absent(f"{install.package_folder} has no lib folder")
    package = Path(install.package_folder)
    roots = sorted([*Path(install.library_folder).glob("*.dll"), *package.glob("*.pyd")])
    if not roots:
        return Absent(f"{install.library_folder} has no Windows DLLs")
    return read_closure(
        Path(install.library_folder),
        roots,
        find_torch_search(interpreter, install),
        system_listed=True,
        expected_machine=interpreter.machine,
    )


def observe_vc_runtime(examined: Examined) -> VcRuntime | Absent:
    """Find the registered VC runtimes, and the file that torch's DLLs get for each VC runtime DLL."""
    install = observe_torch_install(examined)
    if isinstance(install, Absent):
        return install
    if not examined.interpreter.is_for_windows:
        return Absent("only Windows has a Visual C++ runtime")
    folder = Path(install.library_folder) if install.library_folder else None
    return find_vc_runtime(find_torch_search(examined.interpreter, install), folder)


def find_torch_search(interpreter: Interpreter, torch: TorchInstall) -> pe.SearchPath:
    """Return the folders in which Windows looks for the imports of torch's DLLs.

    torch adds its own folders with AddDllDirectory and loads its DLLs with flags 0x1100. After error 126 it
    tries again with PATH, so PATH comes last.
    """
    prefixes = (interpreter.prefix, interpreter.base_prefix)
    added_folders = [
        *([torch.library_folder] if torch.library_folder else []),
        *(os.path.join(prefix, "Library", "bin") for prefix in dict.fromkeys(prefixes)),
        *([os.path.join(interpreter.user_base, "Library", "bin")] if interpreter.user_base else []),
        os.path.join(interpreter.prefix, "bin"),
    ]
    system = None
    if sys.platform == "win32":
        system = Path(windows.find_system_folder(interpreter.bits))
    search = pe.flagged_search(
        application=Path(interpreter.application_folder),
        added=[Path(folder) for folder in added_folders],
        system=system,
    )
    path_folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    folders = (*search.folders, *(pe.Folder(folder, pe.Role.PATH) for folder in path_folders))
    return pe.SearchPath(folders, dll_folder_first=True)


def read_closure(
    folder: Path,
    roots: Iterable[Path],
    search: pe.SearchPath,
    *,
    system_listed: bool,
    expected_machine: str | None,
) -> DllClosure:
    """Follow the imports of the roots and return the result as a fact.

    If the search path has System32, only API sets are assumed to be present. Otherwise the DLLs that every
    Windows has, and the interpreter's own DLL, are assumed to be present too.
    """
    assumed_names: set[str] = set()

    def assume(name: str) -> bool:
        if not pe.is_assumed(name):
            return False
        assumed_names.add(name.lower())
        return True

    has_system_folder = any(entry.role is pe.Role.SYSTEM for entry in search.folders)
    closure = pe.find_closure(
        roots,
        search,
        assumed=pe.is_api_set if has_system_folder else assume,
        expected_machine=expected_machine,
    )
    return DllClosure(
        folder=str(folder),
        search=tuple(SearchFolder(str(entry.path), entry.role.value) for entry in search.folders),
        system_listed=system_listed,
        edges=closure.edges,
        images=tuple(_read_dll_image(node) for node in closure.images),
        missing=tuple(_read_missing_dll(missing) for missing in closure.missing),
        damaged=tuple(DamagedDll(str(file.path), file.reason) for file in closure.unreadable),
        foreign=tuple(
            ForeignDll(str(file.path), file.machine, file.expected, file.chain)
            for file in closure.wrong_machine
        ),
        assumed=tuple(sorted(assumed_names)),
    )


def _read_dll_image(node: pe.ImageNode) -> DllImage:
    imports_runtime = any(dll.dll.lower() == "msvcp140.dll" for dll in node.image.imports)
    try:
        symbols = pe.read_import_symbols(node.path, "msvcp140.dll") if imports_runtime else ()
    except (pe.PeError, OSError):
        symbols = ()
    return DllImage(
        path=str(node.path),
        name=node.path.name,
        machine=node.image.machine,
        linker_version=node.image.linker_version,
        writable_bytes=node.image.writable_bytes,
        runtime_symbols=symbols,
    )


def _read_missing_dll(missing: pe.Missing) -> MissingDll:
    # Import tables have names in any case. The files of the redistributable and of torch are in lower case.
    supplier, name = missing.supplier, missing.name.lower()
    return MissingDll(
        name=name,
        chain=(*missing.chain[:-1], name),
        delayed=missing.delayed,
        supplier_key=supplier.key if supplier else None,
        supplier=supplier.text if supplier else None,
    )


def find_vc_runtime(search: pe.SearchPath, dll_folder: Path | None) -> VcRuntime:
    """Find the VC runtime DLLs that a DLL in `dll_folder` would load, and the registered VC runtimes."""
    if dll_folder:
        search = search.seen_from(dll_folder)
    files = [
        _read_runtime_file(name, path) for name in RUNTIME_DLLS if (path := search.find(name)) is not None
    ]
    if sys.platform == "win32":
        return VcRuntime(windows.read_vc_registrations(), tuple(files))
    return VcRuntime(Absent("only Windows has a registry"), tuple(files))


def _read_runtime_file(name: str, path: Path) -> RuntimeFile:
    return RuntimeFile(name, str(path), read_version(path), read_machine(path))


def read_version(path: Path) -> str | Absent:
    """Read the file version of an image."""
    try:
        return pe.read_file_version(path) or Absent("the file has no version resource")
    except (pe.PeError, OSError) as error:
        return Absent(str(error))


def read_machine(path: Path) -> str | Absent:
    """Read the architecture that an image was built for."""
    try:
        return pe.read_image(path).machine
    except (pe.PeError, OSError) as error:
        return Absent(str(error))


def examine_images(path: Path, search: Sequence[Path]) -> Facts:
    """Examine the DLLs of a folder or wheel as if Windows loaded them; this works on any system.

    `search` lists folders to search in place of System32 and the rest of the search path.

    Raises:
        PeError: there are no images, or the wheel cannot be read.
    """
    with pe.collect_images(path) as files:
        if not files.images:
            raise pe.PeError("no DLLs or extension modules (*.dll, *.pyd) are in it")
        folders = [folder for root in search for folder in _find_dll_folders(root)]
        search_path = pe.flagged_search(added=folders)
        machine = _find_common_machine(files.images)
        closure = read_closure(
            path, files.images, search_path, system_listed=bool(search), expected_machine=machine
        )
        if files.is_unpacked:
            closure = _name_members(closure, files.root)
        runtime = find_vc_runtime(search_path, None)
        facts: dict[type, object] = {
            OperatingSystem: OperatingSystem(
                "windows", "(assumed)", machine or Absent("no image was readable")
            ),
            DllClosure: closure,
            VcRuntime: runtime if search else Absent("no folder stands for System32; --search DIR gives one"),
        }
        version_files = [parent / "version.py" for parent in {image.parent.parent for image in files.images}]
        for file in sorted(file for file in version_files if os.path.isfile(file)):
            facts[TorchInstall] = read_torch_folder(file.parent)
    return Facts(facts)


def _name_members(closure: DllClosure, folder: Path) -> DllClosure:
    """Replace the temporary folder in the names of the files of a wheel by the name in the wheel."""

    def name(path: str) -> str:
        return Path(path).relative_to(folder).as_posix() if Path(path).is_relative_to(folder) else path

    return replace(
        closure,
        images=tuple(replace(each, path=name(each.path)) for each in closure.images),
        damaged=tuple(replace(each, path=name(each.path)) for each in closure.damaged),
        foreign=tuple(replace(each, path=name(each.path)) for each in closure.foreign),
    )


def _find_dll_folders(folder: Path) -> list[Path]:
    # An unpacked msvc-runtime wheel has its DLLs in nested folders.
    with pe.collect_images(folder) as files:
        return list(dict.fromkeys([folder, *files.folders]))


def _find_common_machine(images: Sequence[Path]) -> str | None:
    machines = (read_machine(image) for image in images)
    counts = Counter(machine for machine in machines if not isinstance(machine, Absent))
    return counts.most_common(1)[0][0] if counts else None
