"""What a text states, under short names."""

from torchdoctor import read_environment
from torchdoctor.readers import Topic

TOPICS = {
    "system": Topic.SYSTEM,
    "python": Topic.PYTHON,
    "bits": Topic.PYTHON_BITS,
    "origin": Topic.PYTHON_ORIGIN,
    "torch": Topic.TORCH,
    "cuda": Topic.TORCH_CUDA,
    "gpu": Topic.GPU,
    "vram": Topic.GPU_MEMORY,
    "driver": Topic.DRIVER,
    "driver_cuda": Topic.DRIVER_CUDA,
    "toolkit": Topic.TOOLKIT,
    "ram": Topic.MEMORY,
    "available": Topic.CUDA_AVAILABLE,
}
SIZES = (Topic.GPU_MEMORY, Topic.MEMORY)


def read_stated(text: str, name: str) -> str:
    """Return what a text states under a name; sizes in GiB, several values with commas."""
    found = {
        f"{int(each.value) >> 30}" if each.topic in SIZES else each.value
        for environment in read_environment(f"torch fails.\n\n{text}\n\nWhat can I do here?")
        for each in environment.statements
        if each.topic is TOPICS[name]
    }
    return ", ".join(sorted(found))


def check_stated(text: str, expected: str) -> None:
    """Compare what a text states with "name value; name value"; a name without a value is not stated."""
    for part in expected.split("; "):
        name, _, value = part.partition(" ")
        assert (name, read_stated(text, name)) == (name, value)
