"""A complaint about torch has no error, and is not about another program."""

import pytest

from torchdoctor.explain.own_words.complaint import is_complaint
from torchdoctor.explain.text.clean import clean, number_lines
from torchdoctor.explain.text.split import split

COMPLAINTS = {
    "a card that is not used": "my RTX 4070 sits at 0 % while the model trains, Windows 11",
    "a window that closes": "после обновления окно с программой закрывается само, обучение не начинается",
    "games that work": "The screen turns black during training, all games run fine",
    "a question of support where something fails": "Does it support the 5090? It fails to start here",
    "a question in Chinese where something fails": "支持5080吗？启动就闪退",
    "a question in Russian where nothing runs": "Поддерживается ли RTX 5070? У меня не запускается обучение",
    "games that never fail": "PC reboots when I generate pictures, never in games",
}
OTHERS = {
    "an error": "training stops\nRuntimeError: CUDA error: unknown error",
    "a quoted error": "it says ValueError: bad value in my model",
    "a prompt": "C:\\work> python train.py\ntraining is slow on my GPU",
    "what pip prints": "Collecting torch\n  Downloading torch-2.8.0 (110 MB)",
    "another system": "On my MacBook the training only takes the CPU",
    "a game": "my game closes without a message, RTX 3060",
    "another program": "Blender renders with the CPU instead of the RTX 3060",
    "a wish": "Feature request: a DirectML backend for Radeon cards",
    "a network that does not learn": "accuracy is stuck at 50 % on my GPU",
    "a question of support": "Quick one: is it working with an rtx 5080 as well? Same sm_120 I think",
    "a question of use": "You name the 5090 only. Can we use another sm_120 as well? The 5070 is one, I believe",
    "a question of support in Chinese": "请问支持5060ti显卡吗，想先问问再买",
    "a question of support in Russian": "Будет ли работать на RTX 5070 Ti, поддерживается ли sm_120?",
    "a question of support in German": "Läuft das Training auch auf einer RTX 5090 mit sm_120?",
    "a question of support in Spanish": "¿Funciona con una RTX 5060, que es sm_120?",
    "a question of support in Japanese": "RTX 5070 に対応していますか",
    "another upscaler": "Upscayl turns all my photos black, Intel graphics",
    "no problem": "it works great with my RTX 5090, thanks",
    "a list of what is installed": "Windows 11, Intel Arc A770, torch 2.7.0+xpu, Python 3.12, numpy 2.2",
    "a list of another computer": "Windows 11 ARM64, Snapdragon X Elite, Python 3.12 arm64, torch 2.9.1+cpu",
}


@pytest.mark.parametrize("text", COMPLAINTS.values(), ids=COMPLAINTS)
def test_complaint(text: str) -> None:
    assert is_complaint(split(clean(number_lines(text), lambda line: False)))


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_no_complaint(text: str) -> None:
    assert not is_complaint(split(clean(number_lines(text), lambda line: False)))
