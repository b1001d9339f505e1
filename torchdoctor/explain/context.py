"""Find out whether a text is about a program that computes: with torch, on CUDA, with a model, in Python.

Games, editors and browsers also end, freeze and turn the screen black, and their users name the card and its
driver as well.
"""

from collections.abc import Sequence

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.text.split import Kind, Unit

# What a person says that a program has nothing of.
_NONE_OF_IT = (
    r"\b(?:no|without|not (?:a|in|any|using)|nothing to do with|(?:do|does|did|is|has)(?: not|n.t) (?:even )?"
    r"(?:have|has|use|need|know|a|in|written in)|never (?:had|installed|used))(?: any| a| the)?"
    r" (?:python|(?:py)?torch|cuda|conda|pip|ai)\b"
    r"(?:,? (?:or|and|nor|no) (?:any )?(?:python|(?:py)?torch|cuda|conda|pip|ai)\b){0,3}"
    r"(?! (?:errors?|traceback|output|message|package|module|version|device|gpu|support|found|available"
    r"|installed on|runtime))"
)
_COMPUTES = (
    # torch and its like, and what they compute on.
    r"torch|tensor|cuda|cudnn|\bnccl|onnx|directml|numpy|xformers|triton|\brocm\b|\bzluda\b|nvidia-smi|deepspeed"
    r"|python|\bpip\d?\b|conda|\.py\b|\bvenv\b|jupyter|\bipynb\b|spyder|pycharm|traceback"
    # The work, in several languages.
    r"|\btrain(?:s|ed|er|ing)?\b|\bfine.?tun|\bepochs?\b|\binfer(?:s|ence|ring)?\b|\bdata ?sets?\b"
    r"|\bneural\b"
    r"|\b(?:deep|machine).?learn|\b(?:ai|llms?|gpt|tts|vae|loras?|unet|gguf)\b|checkpoints?\b|safetensors"
    r"|\bhugging ?face|transformers|\bprompts?\b|\bsampler\b|\b(?:load|run|us"
    r"|convert)\w{0,4} (?:\w+ ){0,3}models?\b"
    r"|\bbatch ?size|(?<!frame )\bgenerat(?:e|es|ed|ing|ion|ions)\b|img2img|txt2img|inpaint"
    r"|\bupscal|face.?swap"
    r"|\b(?:a|the|per|each|first|next) (?:picture|image|step)\b|transcri(?:b|pt)|\bvoice.?(?:chang"
    r"|convers|clon)"
    r"|训练|訓練|模型|生成|推理|学習|學習|神经|数据集|炼丹|出图|跑图|绘图|绘画|换脸|обуч|генер|нейро|модел|entren|entraîn"
    r"|\btrein|\bgener[aio]|\bgénér|modèle|학습|생성|모델|훈련"
    # Programs that everybody calls by their names.
    r"|diffusion|comfy|web-?ui|a1111|automatic1111|\bforge\b|fooocus|invoke ?ai|kohya|\bflux\b|sdxl"
    r"|\bsd[\d.]|whisper"
    r"|yolo|ultralytics|llama|\blm ?studio\b|kobold|oobabooga|\bqwen|\bwan ?2|hunyuan|framepack"
    r"|pinokio|\brvc\b|\bsovits"
    r"|deep.?live|roop|facefusion|stability.?matrix|onetrainer|deepfacelab"
)


def is_about_computing(units: Sequence[Unit]) -> bool:
    """Return whether a text has a traceback, or words about such a program."""
    regex, none = pattern(_COMPUTES, True), pattern(_NONE_OF_IT, True)
    return any(unit.kind is not Kind.LOOSE or regex.search(none.sub(" ", unit.text)) for unit in units)
