"""The closure of DLLs that loading brings in, and the DLLs that are missing from it."""

from collections.abc import Callable
from pathlib import Path

from torchdoctor.pe import Closure, Supplier, find_closure, flagged_search, is_assumed

Write = Callable[..., Path]


def closure(*roots: Path, **folders: Path) -> Closure:
    return find_closure(roots, flagged_search(**folders), assumed=is_assumed)  # type: ignore[arg-type]


def test_complete_set_has_nothing_missing(write: Write) -> None:
    write("b.dll", "api-ms-win-crt-heap-l1-1-0.dll")
    assert closure(write("a.dll", "b.dll", "KERNEL32.dll", "python312.dll")).missing == ()


def test_missing_dll_has_the_shortest_chain(write: Write) -> None:
    write("d.dll", "lost.dll")
    write("c.dll", "d.dll")
    write("b.dll", "lost.dll")
    [missing] = closure(write("a.dll", "c.dll", "b.dll")).missing
    assert missing.chain == ("a.dll", "b.dll", "lost.dll")


def test_missing_dll_has_a_supplier(write: Write) -> None:
    [missing] = closure(write("a.dll", "VCRUNTIME140_1.dll")).missing
    assert missing.supplier == Supplier("vc-redist", "Microsoft Visual C++ Redistributable (x64)")


def test_circular_imports_end(write: Write) -> None:
    write("b.dll", "a.dll")
    assert len(closure(write("a.dll", "b.dll")).images) == 2


def test_missing_delayed_import_is_marked_as_delayed(write: Write) -> None:
    [missing] = closure(write("a.dll", delayed=[("nvcuda.dll", ["f"])])).missing
    assert missing.delayed


def test_missing_import_of_a_delayed_dll_is_delayed(write: Write) -> None:
    write("b.dll", "lost.dll")
    [missing] = closure(write("a.dll", delayed=[("b.dll", ["f"])])).missing
    assert (missing.name, missing.delayed) == ("lost.dll", True)


def test_import_at_load_outranks_a_shorter_delayed_chain(write: Write) -> None:
    write("b.dll", "lost.dll")
    [missing] = closure(write("a.dll", "b.dll", delayed=[("lost.dll", ["f"])])).missing
    assert not missing.delayed


def test_counts_edges_in_the_folder_of_the_roots(write: Write) -> None:
    write("b.dll", "KERNEL32.dll")
    result = closure(write("a.dll", "b.dll", delayed=[("nvcuda.dll", ["f"])]))
    assert (result.edges, result.delayed_edges) == (3, 1)


def test_folder_of_a_nested_importer_is_not_searched(write: Write) -> None:
    added = write("added/b.dll", "c.dll").parent
    root = write("lib/a.dll", "b.dll")
    write("added/deep/c.dll")
    assert [missing.name for missing in closure(root, added=[added]).missing] == ["c.dll"]


def test_loaded_base_name_is_reused_from_any_folder(write: Write) -> None:
    extension = write("torch/_C.pyd", "torch_python.dll")
    assert closure(extension, write("torch/lib/torch_python.dll")).missing == ()


def test_garbage_on_the_load_path_is_unreadable(write: Write) -> None:
    root = write("a.dll", "b.dll")
    root.with_name("b.dll").write_bytes(b"garbage")
    assert [file.reason for file in closure(root).unreadable] == ["not a PE file: no MZ signature"]


def test_dll_for_another_machine_is_reported(write: Write) -> None:
    write("concrt140.dll", machine=0x14C, is_64bit=False)
    [wrong] = closure(write("a.dll", "concrt140.dll")).wrong_machine
    assert (wrong.machine, wrong.expected, wrong.chain) == ("x86", "x64", ("a.dll", "concrt140.dll"))


def test_does_not_follow_imports_of_system_dlls(write: Write) -> None:
    system = write("system/setupapi.dll", "lost.dll").parent
    assert closure(write("lib/a.dll", "setupapi.dll"), system=system).missing == ()


def test_follows_the_vc_runtime_in_system32(write: Write) -> None:
    system = write("system/msvcp140.dll", "VCRUNTIME140_1.dll").parent
    [missing] = closure(write("lib/a.dll", "msvcp140.dll"), system=system).missing
    assert missing.chain == ("a.dll", "msvcp140.dll", "VCRUNTIME140_1.dll")


def test_root_that_does_not_exist_is_unreadable(tmp_path: Path) -> None:
    assert len(closure(tmp_path / "none.dll").unreadable) == 1


def test_real_torch_lacks_only_the_vc_runtime(torch_lib: Path) -> None:
    result = closure(*sorted(torch_lib.glob("*.dll")))
    assert {missing.supplier and missing.supplier.key for missing in result.missing} == {"vc-redist"}
