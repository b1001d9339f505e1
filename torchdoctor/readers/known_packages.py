"""The packages that everybody knows, by the names that people write."""

_PACKAGES = (
    "accelerate", "albumentations", "bitsandbytes", "ctranslate2", "cuda-python", "cupy", "datasets",
    "deepspeed info", "deepspeed", "detectron2", "diffusers", "einops", "faiss", "fastai", "faster-whisper",
    "flash-attn", "flax", "fvcore", "gradio", "huggingface-hub", "intel-openmp", "iopath", "jax", "jaxlib",
    "keras", "kornia", "librosa", "lightning", "matplotlib", "mkl", "mmcv", "mmcv-full", "mmdet",
    "mmengine", "monai", "networkx", "nibabel", "numba", "numpy", "onnx runtime", "onnx", "onnxruntime",
    "onnxruntime-directml", "onnxruntime-gpu", "open-clip-torch", "openai-whisper", "opencv",
    "opencv-python", "optimum", "pandas", "peft", "pillow", "protobuf", "pytorch-ignite",
    "pytorch-lightning", "safetensors", "sageattention", "scikit-image", "scikit-learn", "scipy",
    "sentence-transformers", "streamlit", "tensorboard", "tensorflow", "tensorrt", "timm", "tokenizers",
    "torch-audio", "torch-directml", "torch-geometric", "torch-vision", "torchao", "torchaudio",
    "torchcodec", "torchdata", "torchmetrics", "torchsde", "torchtext", "torchvision", "transformers",
    "triton", "triton-windows", "trl", "ultralytics", "unsloth", "vllm", "whisperx", "xformers",
)  # fmt: skip
_DISTRIBUTIONS = {
    "deepspeed-info": "deepspeed",
    "opencv": "opencv-python",
    "onnx-runtime": "onnxruntime",
    "torch-vision": "torchvision",
    "torch-audio": "torchaudio",
}
# In lower case; hyphens may be spaces.
PACKAGE_NAMES = frozenset((*_PACKAGES, *(name.replace("-", " ") for name in _PACKAGES)))


def is_package(name: str) -> bool:
    """Return whether a name in lower case is that of a package that everybody knows."""
    return name.replace("_", " ") in PACKAGE_NAMES


def name_distribution(name: str) -> str:
    """Return the name of the distribution that people call so."""
    name = name.lower().replace(" ", "-")
    return _DISTRIBUTIONS.get(name, name)
