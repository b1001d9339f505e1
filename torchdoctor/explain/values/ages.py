"""Find from the lines of a traceback which Python ran, and which torch."""

from collections.abc import Mapping, Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.split import Unit

# The file of a frame in torch, and of one in the standard library of a Python on Windows.
_TORCH = r"[\\/]site-packages[\\/](torch[\\/].{1,200}\.py)"
_LIBRARY = r"[a-z]:.{0,300}[\\/]lib[\\/]((?!site-packages)[^.]{1,100}\.py)"


def read_ages(units: Sequence[Unit]) -> Mapping[str, str]:
    """Return the oldest and the newest release in which all frames of torch, and all of Python, can stand.

    `frames_torch` is "1.8.0-1.9.1", `frames_python` names minor releases: "3.6-3.8". Where they can stand in
    only one release, `torch_version` or `python_version` is that; frames of the newest that is known may be
    of a newer one. What the frames do not tell is absent.
    """
    from torchdoctor.domain.frame_lines import Place, find_releases, list_newest_releases

    places: dict[str, list[Place]] = {"torch": [], "python": []}
    for unit in units:
        if unit.frame is None or not unit.frame.line.isdecimal():
            continue
        path = unit.frame.path
        match = pattern(_TORCH, True).search(path)
        product = "torch" if match is not None else "python"
        match = match or pattern(_LIBRARY, True).fullmatch(path)
        if match is not None:
            function = unit.frame.function.split("(")[0].strip().rpartition(".")[2]
            file = match[1].replace("\\", "/")
            places[product].append(Place(file, function, int(unit.frame.line[:9])))
    ages: dict[str, str] = {}
    for product, found in places.items():
        releases = find_releases(found)
        if releases:
            ages[f"frames_{product}"] = f"{releases[0]}-{releases[-1]}"
        if len(releases) == 1 and releases[0] not in list_newest_releases():
            ages[f"{product}_version"] = releases[0]
    return ages
