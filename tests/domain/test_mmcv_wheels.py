import pytest

from torchdoctor.domain.mmcv_wheels import describe_mmcv


@pytest.mark.parametrize(
    ("torch", "wanted", "listed", "release"),
    [
        ("2.0.1+cu117", "2.0.0", "cu117/torch2.0", "2.0.0"),
        ("2.0.1+cu117", "", "cu117/torch2.0", "2.1.0"),
        ("2.1.2+cu121", "2.0.1", "cu121/torch2.1", "2.1.0"),
        ("2.3.1+cu118", "2.1.0", "cu118/torch2.3", "2.2.0"),
        ("2.1.0+cpu", "", "cpu/torch2.1", "2.1.0"),
    ],
)
def test_list_is_that_of_the_torch(torch: str, wanted: str, listed: str, release: str) -> None:
    assert describe_mmcv(torch, wanted) == {"mmcv_list": listed, "fitting_mmcv": release}


@pytest.mark.parametrize("torch", ["2.0.1", "2.0.1+cu121", "2.10.0+cu126", "2.4.1+cu121", "1.13.1+cu117"])
def test_torch_without_such_a_list_has_none(torch: str) -> None:
    assert describe_mmcv(torch) == {}
