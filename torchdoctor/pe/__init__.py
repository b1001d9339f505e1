"""Read Windows PE images on any system: what DLLs import, where the loader finds it, what is missing."""

from torchdoctor.pe.closure import Closure, ImageNode, Missing, Unreadable, WrongMachine, find_closure
from torchdoctor.pe.exports import read_exports
from torchdoctor.pe.headers import Section
from torchdoctor.pe.image import Image, read_image
from torchdoctor.pe.imports import Import, read_import_symbols
from torchdoctor.pe.search import Folder, Role, SearchPath, flagged_search
from torchdoctor.pe.suppliers import Supplier, find_supplier
from torchdoctor.pe.system import is_api_set, is_assumed, is_python_dll, is_system_dll, is_vc_runtime
from torchdoctor.pe.version import read_file_version
from torchdoctor.pe.view import PeError
from torchdoctor.pe.wheel import IMAGE_SUFFIXES, ImageFiles, WheelError, collect_images

__all__ = [
    "IMAGE_SUFFIXES",
    "Closure",
    "Folder",
    "Image",
    "ImageFiles",
    "ImageNode",
    "Import",
    "Missing",
    "PeError",
    "Role",
    "SearchPath",
    "Section",
    "Supplier",
    "Unreadable",
    "WheelError",
    "WrongMachine",
    "collect_images",
    "find_closure",
    "find_supplier",
    "flagged_search",
    "is_api_set",
    "is_assumed",
    "is_python_dll",
    "is_system_dll",
    "is_vc_runtime",
    "read_exports",
    "read_file_version",
    "read_image",
    "read_import_symbols",
]
