"""What CUDA's libraries report after an assertion of a kernel is a consequence of the program's own error."""

from itertools import product

import pytest

from torchdoctor import explain

ASSERTIONS = {
    "../aten/src/ATen/native/cuda/Indexing.cu:1146: indexSelectLargeIndex: block: [5,0,0], thread: [1,0,0]"
    " Assertion `srcIndex < srcSelectDimSize` failed.": "An index is outside of its tensor",
    "C:\\w\\aten\\src\\ATen\\native\\cuda\\Loss.cu:250: block: [0,0,0], thread: [1,0,0]"
    " Assertion `t >= 0 && t < n_classes` failed.": "A class label is outside of what the model has",
}
CONSEQUENCES = (
    "RuntimeError: CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
    "RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm( handle, opa, opb, m, n, k)`",
    "RuntimeError: cuDNN error: CUDNN_STATUS_MAPPING_ERROR",
    "RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED",
    "RuntimeError: CUDA error: device-side assert triggered",
    "RuntimeError: CUDA error: an illegal memory access was encountered",
    "RuntimeError: CUDA error: unspecified launch failure",
)


@pytest.mark.parametrize(("assertion", "consequence"), product(ASSERTIONS, CONSEQUENCES))
def test_assertion_is_the_cause(assertion: str, consequence: str) -> None:
    explanation = explain(f"{assertion}\n{consequence}\n")
    assert explanation.program_error is not None
    assert explanation.program_error.title == ASSERTIONS[assertion]
