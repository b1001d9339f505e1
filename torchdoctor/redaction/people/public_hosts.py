"""The hosts that serve packages, models and documentation: anybody may see them as wholes.

A host below one of them can be that of a project or of a computer: falcon.readthedocs.io.
"""

_HOSTS = frozenset((
    # Packages of Python and of conda.
    "pypi.org", "www.pypi.org", "test.pypi.org", "pypi.python.org", "files.pythonhosted.org",
    "pythonhosted.org", "bootstrap.pypa.io", "pip.pypa.io", "setuptools.pypa.io", "packaging.pypa.io",
    "virtualenv.pypa.io", "pypa.io", "www.pypa.io", "anaconda.org", "www.anaconda.org",
    "conda.anaconda.org", "repo.anaconda.com", "www.anaconda.com", "anaconda.com", "docs.anaconda.com",
    "binstar-cio-packages-prod.s3.amazonaws.com", "conda.io", "docs.conda.io", "conda-forge.org",
    "www.piwheels.org", "pypi.ngc.nvidia.com", "pypi.nvidia.com", "wheels.vllm.ai",
    # Mirrors.
    "pypi.tuna.tsinghua.edu.cn", "mirrors.tuna.tsinghua.edu.cn", "mirror.tuna.tsinghua.edu.cn",
    "mirrors.aliyun.com", "mirror.sjtu.edu.cn", "mirrors.bfsu.edu.cn", "mirrors.ustc.edu.cn",
    "pypi.mirrors.ustc.edu.cn", "pypi.douban.com", "mirrors.cloud.tencent.com", "repo.huaweicloud.com",
    "mirrors.huaweicloud.com", "pypi.doubanio.com",
    # torch, and what is built for it.
    "pytorch.org", "www.pytorch.org", "download.pytorch.org", "download-r2.pytorch.org", "docs.pytorch.org",
    "discuss.pytorch.org", "dev-discuss.pytorch.org", "hud.pytorch.org", "data.pyg.org", "pyg.org",
    "www.pyg.org", "pytorch-geometric.com", "pytorch-geometric.readthedocs.io", "data.dgl.ai", "dgl.ai",
    "www.dgl.ai", "docs.dgl.ai", "download.openmmlab.com", "openmmlab.com", "mmcv.readthedocs.io",
    "mmdetection.readthedocs.io", "mmengine.readthedocs.io", "lightning.ai",
    "pytorch-lightning.readthedocs.io", "torchmetrics.readthedocs.io",
    # Python.
    "python.org", "www.python.org", "docs.python.org", "bugs.python.org", "packaging.python.org",
    "peps.python.org", "discuss.python.org", "wiki.python.org", "mail.python.org",
    # Sources and models.
    "github.com", "www.github.com", "api.github.com", "codeload.github.com", "gist.github.com",
    "docs.github.com", "objects.githubusercontent.com", "raw.githubusercontent.com",
    "release-assets.githubusercontent.com", "user-images.githubusercontent.com", "git-lfs.github.com",
    "huggingface.co", "www.huggingface.co", "api-inference.huggingface.co", "cdn-lfs.huggingface.co",
    "cdn-lfs-us-1.huggingface.co", "cdn-lfs-eu-1.huggingface.co", "cdn-lfs.hf.co", "cdn-lfs-us-1.hf.co",
    "discuss.huggingface.co", "hf-mirror.com", "hf.co",
    # Drivers, CUDA and Windows.
    "nvidia.com", "www.nvidia.com", "developer.nvidia.com", "docs.nvidia.com",
    "forums.developer.nvidia.com", "developer.download.nvidia.com", "us.download.nvidia.com",
    "international.download.nvidia.com", "ngc.nvidia.com", "catalog.ngc.nvidia.com", "www.nvidia.cn",
    "developer.nvidia.cn", "microsoft.com", "www.microsoft.com", "docs.microsoft.com",
    "learn.microsoft.com", "support.microsoft.com", "download.microsoft.com", "visualstudio.microsoft.com",
    "go.microsoft.com", "msdn.microsoft.com", "devblogs.microsoft.com", "developer.microsoft.com",
    "answers.microsoft.com", "apps.microsoft.com", "aka.ms", "example.org", "www.example.org",
    "example.com", "www.example.com",
))  # fmt: skip


def is_public_host(host: str) -> bool:
    """Return whether a host, in small letters, is one that serves packages, models or documentation."""
    return host in _HOSTS
