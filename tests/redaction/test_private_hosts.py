"""Hosts that are not public are not shown, and releases are no hosts."""

import pytest

from torchdoctor.redaction.paths.unusual_paths import hide_unknown_folders
from torchdoctor.redaction.people.private_hosts import leave_out_named_hosts


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("HTTPSConnectionPool(host='95.217.33.104', port=443)", "HTTPSConnectionPool(host='...', port=443)"),
        ("network address of (95.217.33.104, 29500)", "network address of (..., 29500)"),
        ("Cannot connect to host 10.44.12.57:443", "Cannot connect to host ...:443"),
        (
            "(ec2-18-195-33-104.eu-central-1.compute.amazonaws.com, 29500)",
            "(..., 29500)",
        ),
        ("--trusted-host nexus.zelkofari.com", "--trusted-host ..."),
        ("FROM registry.zelkofari.internal/ml/base:latest", "FROM .../ml/base:latest"),
        (
            "--index-url https://download.pytorch.org/whl/cu121",
            "--index-url https://download.pytorch.org/whl/cu121",
        ),
        (
            "cudart 10.1.243.0 and torch.cuda.is_available()",
            "cudart 10.1.243.0 and torch.cuda.is_available()",
        ),
        ("http://127.0.0.1:7860 and localhost:8188", "http://127.0.0.1:7860 and localhost:8188"),
    ],
)
def test_hosts_that_are_not_public_are_left_out(text: str, shown: str) -> None:
    assert hide_unknown_folders(text) == shown


@pytest.mark.parametrize(
    "text", ["nvidia-cudnn-cu12==9.1.0.70", "cudnn '8.9.2.26'", "No module named 'foobarlib.io'"]
)
def test_release_and_module_are_no_host(text: str) -> None:
    assert hide_unknown_folders(text) == text


@pytest.mark.parametrize(
    "host",
    [
        "readthedocs.io", "nvidia.com", "microsoft.com", "github.com", "github.io", "pypi.org", "pythonhosted.org", "pytorch.org",
        "download.pytorch.org", "anaconda.org", "python.org", "pyg.org", "pypi.tuna.tsinghua.edu.cn", "huggingface.co",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "name", ["falcon", "rosalind-pc", "model", "x.falcon", "фалькон", "розалинд.falcon", "docs2", "bücher"]
)
@pytest.mark.parametrize(
    "form", ["see https://{x}/a", "({x})", "host='{x}', port=443", "http://{x}", "git+https://{x}/falcon"]
)
def test_host_below_a_public_one_is_left_out(form: str, name: str, host: str) -> None:
    shown = hide_unknown_folders(form.format(x=f"{name}.{host}"))
    assert name not in shown and host not in shown


@pytest.mark.parametrize(
    "host", ["download.pytorch.org", "pypi.org", "files.pythonhosted.org", "docs.nvidia.com", "github.com"]
)
def test_public_host_stays(host: str) -> None:
    assert (
        hide_unknown_folders(f"见{host} https://{host}/whl and {host}")
        == f"见{host} https://{host}/whl and {host}"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://gitlab.zelkofari.com/x/y.git", "https://.../x/y.git"),
        ("telemetry.zelkofari.com: connection refused", "...: connection refused"),
        ("host zq1.zelkofari.corp:22", "host ...:22"),
        ("zelkofari1.lan", "..."),
        ("10.87.44.23:22", "...:22"),
        ("10.87.44.23:/export", "...:/export"),
        ("https://pypi.zelkofari.de/simple", "https://.../simple"),
    ],
)
def test_host_that_a_machine_names_is_left_out(text: str, shown: str) -> None:
    assert leave_out_named_hosts(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "cudart 10.1.243.0", "10.1.243.0", "Windows 10.0.19045.3", "logger.info, args.it", "self.model.to", "torch.ai",
        "https://download.pytorch.org/whl/cu126", "http://127.0.0.1:7860/x", "127.0.0.1:29500", "12.4.131.0, next", "numpy.core.io",
    ],
)  # fmt: skip
def test_versions_and_attributes_of_a_machine_stay(text: str) -> None:
    assert leave_out_named_hosts(text) == text
