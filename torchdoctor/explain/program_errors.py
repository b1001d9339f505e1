"""Errors of a program whose torch, driver and card work: what they mean, and what to do.

They look like faults of the installation, and are asked about as such. The messages are those of torch 2.11,
seen on a GPU and on a CPU, and of older releases.
"""

from collections.abc import Sequence
from typing import NamedTuple

from torchdoctor.core.patterns import pattern
from torchdoctor.explain.answer import Evidence, ProgramError
from torchdoctor.explain.proof_words import find_words_of_pattern
from torchdoctor.explain.subject import find_subject
from torchdoctor.explain.text.shown_lines import show_line
from torchdoctor.explain.text.split import Kind, Unit
from torchdoctor.redaction.shown_values import ShownValues
from torchdoctor.redaction.words.public_words import NO_NAMES, Names

_AGAIN = (
    "Start the program again, in a notebook the kernel: after this error the process cannot use the GPU"
    " any more."
)
_UPDATE = (
    "If the program is not your own, update it and its extensions, or look for the message among its issues."
)


# The GPU prints it above the traceback.
_ASSERTION = "Assertion `"


class _Known(NamedTuple):
    """An error with the regular expression of its message; `{name}` in a text stands for a group of it."""

    message: str
    title: str
    lead: str
    fix: tuple[str, ...]


_KNOWN = (
    _Known(
        r"Examining the path of torch\.classes raised|"
        r"RuntimeError: Tried to instantiate class '__path__\._path', but it does not exist",
        "Streamlit looks into torch.classes, which is no folder of files",
        "Streamlit watches the files of all imported modules, and asks `torch.classes` for its "
        "files. torch has none there. The message is harmless: the program and torch go on, with "
        "the GPU as well.",
        (
            "Nothing has to be done. To get rid of the line, start the program without the watcher; "
            "it then does not reload when a file is saved:\n\n"
            "```powershell\nstreamlit run app.py --server.fileWatcherType none\n```",
            "To keep the watcher, write these lines at the top of the program:\n\n"
            "```python\nimport torch\n\ntorch.classes.__path__ = []\n```",
            "If the page stays empty or the program ends, look for another error below this one: it "
            "is the cause.",
        ),
    ),
    _Known(
        r"Assertion `(?:t|cur_target|target_val)\b[^`\n]{0,80}n_classes[^`\n]{0,40}`|"
        r"IndexError: Target (?P<label>-?\d{1,12}) is out of bounds",
        "A class label is outside of what the model has",
        "A label is negative, or not below the number of the model's outputs. With n outputs, "
        "labels go from 0 to n - 1.",
        (
            "Print the range of the labels beside the number of outputs, before the loss:\n\n"
            "```python\nprint(labels.min(), labels.max(), outputs.shape)\n```",
            "If the labels count from 1, subtract 1. If a number marks what has no class (255 in "
            "masks, -1), pass it to the loss as `ignore_index`. If there are more classes than "
            "outputs, mend the number of classes in the model or in its settings (`num_classes`, "
            "`nc`).",
            _AGAIN,
        ),
    ),
    _Known(
        r"Assertion `(?:-sizes\[i\] <= index|index >= -sizes\[i\]|srcIndex < srcSelectDimSize|"
        r"ind >= ?0 && ind <|idx_dim >= 0|dstIndex <|[^`\n]{0,80}index out of bounds)[^`\n]{0,80}`|"
        r"IndexError: index out of range in self|"
        r"IndexError: index -?\d{1,12} is out of bounds for dimension",
        "An index is outside of its tensor",
        "The program reads a row that does not exist. In a model for texts that is mostly the "
        "number of a token that is not below the size of the vocabulary, or a text that is longer "
        "than the model's positions.",
        (
            "Print the range of the indices beside the shape of the tensor that they index, before "
            "that line:\n\n```python\nprint(index.min(), index.max(), table.shape)\n```",
            "For a tokenizer: take the one of the same model. If tokens were added, call "
            "`model.resize_token_embeddings(len(tokenizer))`. If texts are too long, cut them "
            "(`truncation=True, max_length=512`).",
            _AGAIN,
        ),
    ),
    _Known(
        r"Assertion `input_val >= zero && input_val <= one`|"
        r"all elements of input should be between 0 and 1",
        "The loss is given values that are not between 0 and 1",
        "`binary_cross_entropy` (BCELoss) takes probabilities. It was given a number outside of 0 "
        "to 1, or NaN.",
        (
            "Give it the output of `torch.sigmoid`. Or give the output of the model without a "
            "sigmoid to `binary_cross_entropy_with_logits` (BCEWithLogitsLoss), which also computes"
            " in half precision.",
            "If the values are NaN, the training diverged before: print "
            "`torch.isnan(outputs).any()` in each step, and lower the learning rate, or train "
            "without half precision.",
            _AGAIN,
        ),
    ),
    _Known(
        r"probability tensor contains either `?inf`?, `?nan`? or element < 0",
        "The model's output holds NaN or infinity",
        "The next token is drawn from the probabilities of the model, and these are no numbers: "
        "they were computed in a precision that is too small for the model, or its weights are "
        "damaged or of another model. On a GTX 16 card it is the card: `torchdoctor explain "
        "half-precision-gtx16`.",
        (
            "Load the model with `torch_dtype=torch.bfloat16`, or with `torch.float32`, in place of"
            " `torch.float16`.",
            "Try `do_sample=False`. If the text is nonsense then, the weights are the fault: "
            "download them again.",
            _AGAIN,
        ),
    ),
    _Known(
        r"device-side assert triggered|cudaErrorAssert",
        "A check in the code for the GPU failed (device-side assert)",
        "A value is outside of what an operation allows: mostly an index or a class label that is "
        "too large or negative. The line of Python in the traceback is often a later one, as the "
        "GPU works behind it.",
        (
            "Look above the traceback for the first line with `Assertion` and `failed`: it names "
            "the condition.",
            'Run the same step on the CPU (`device = "cpu"`): there the error names the right line '
            "and the value. Or let the GPU wait after each operation, for one run in this console:"
            '\n\n```powershell\n$env:CUDA_LAUNCH_BLOCKING = "1"\n```',
            _AGAIN,
        ),
    ),
    _Known(
        r"Expected all tensors to be on the same device|(?:is|are) on (?:cpu|"
        r"cuda:\d), different from other tensors|"
        r"Input type \(torch\.cuda\.\w{1,20}\) and \w{4,6} type \(torch\.(?!cuda\.)\w{1,20}\) should be|"
        r"Input type \(torch\.(?!cuda\.)\w{1,20}\) and \w{4,6} type \(torch\.cuda\.\w{1,20}\) should be|"
        r"Expected object of device type cuda but got device type cpu",
        "A part of the data or of the model is not on the GPU",
        "One operation was given tensors of different devices. Both devices work.",
        (
            "Move the batch and the model to the same device, also what a loss or a module keeps "
            'beside its parameters:\n\n```python\ndevice = torch.device("cuda")\nmodel = '
            "model.to(device)\ninputs, labels = inputs.to(device), labels.to(device)\n```",
            "A tensor that a module makes in `__init__` moves with it only as a parameter or after "
            "`register_buffer`. One that is made in `forward` needs `device=x.device`.",
            f"{_UPDATE} Options that keep a part of the model in the computer's memory "
            "(offload, low memory) are a usual cause: try without them.",
        ),
    ),
    # The message of CTranslate2, whose options have other names.
    _Known(
        r"CUDA failed with error invalid device ordinal",
        "The program asks for a GPU with a number that does not exist",
        "CTranslate2, with which faster-whisper computes, counts NVIDIA cards only, from 0. The graphics of "
        "the processor, which Task Manager shows as GPU 0, has no number there.",
        (
            "See which there are. Nothing is changed:\n\n```powershell\nnvidia-smi -L\n```",
            "Leave the number out, or write 0: `--device_index 0` in a command of whisper-ctranslate2, whose "
            "`--device` takes only `cuda` or `cpu`; `device_index=0` in your own code.",
            "If it then ends after the language without any text, libraries for the card are missing. "
            "ctranslate2 from 4.6.3 on needs no cuDNN, and only cuBLAS of CUDA 12, which the last two lines "
            "put beside it:\n\n```powershell\n"
            'python -m pip install --upgrade "ctranslate2>=4.6.3,<5"\n'
            'python -m pip install "nvidia-cublas-cu12==12.*"\n'
            'python -c "import glob, importlib.util as u, os, shutil, sysconfig; '
            "t = u.find_spec('ctranslate2').submodule_search_locations[0]; "
            "p = sysconfig.get_paths()['purelib']; [print(shutil.copy(f, t)) for f in "
            "glob.glob(os.path.join(p, 'nvidia', 'cublas', 'bin', 'cublas*.dll'))]\"\n```",
        ),
    ),
    _Known(
        r"invalid device ordinal|GPU device may be out of range",
        "The program asks for a GPU with a number that does not exist",
        "The numbers of GPUs begin with 0, and count only those that `CUDA_VISIBLE_DEVICES` shows: "
        "with one GPU, `cuda:0` is the only one.",
        (
            "See which there are. Nothing is changed:\n\n```powershell\nnvidia-smi -L\n```",
            "Set the number in the program, in its settings or on its command line to one below "
            "that (`--device 0`, `--gpu 0`, `gpu_ids: [0]`, `nproc_per_node=1`).",
        ),
    ),
    _Known(
        r"Attempting to deserialize object on CUDA device (?P<device>\d{1,3}) but"
        r" torch\.cuda\.device_count\(\) is (?P<count>[1-9]\d?)",
        "The file was saved on a GPU with a number that this computer lacks",
        "Its tensors were saved on `cuda:{device}`, and {count} is all that this computer has. "
        "torch.load puts each tensor where it was, unless it is told otherwise.",
        (
            'Name the device:\n\n```python\nstate = torch.load(path, map_location="cuda:0")\n```',
            f"{_UPDATE} Some have an option for it.",
        ),
    ),
    _Known(
        r"can't convert (?:cuda(?::\d)? device type|CUDA) tensor to numpy",
        "A tensor on the GPU is given to NumPy",
        "NumPy, and what draws or saves with it, reads the computer's memory only.",
        (
            "Copy the tensor first:\n\n```python\nvalues = tensor.detach().cpu().numpy()\n```",
            _UPDATE,
        ),
    ),
    _Known(
        r"Expected a 'cuda' device type for generator but found 'cpu'",
        "Random numbers are asked of the CPU for a tensor on the GPU",
        "`torch.set_default_device` (or `set_default_tensor_type`) makes new tensors on the GPU, "
        "and a DataLoader with `shuffle=True` draws its order with a generator of the CPU.",
        (
            "Take that line out, and move the model and each batch with `.to(device)`. Worker "
            "processes need the dataset on the CPU.",
            "Or pass a generator of the GPU, without workers:\n\n```python\nloader = "
            'DataLoader(dataset, shuffle=True, generator=torch.Generator(device="cuda"))\n```',
        ),
    ),
    _Known(
        r"Expected a 'cpu' device type for generator but found 'cuda'",
        "Random numbers for a tensor on the CPU are asked of the GPU",
        "A generator draws only for tensors of its own device. A DataLoader with `shuffle=True`, a "
        "sampler and `random_split` draw their order on the CPU.",
        (
            "Make the generator on the CPU, or leave it out:\n\n```python\ngenerator = "
            "torch.Generator().manual_seed(0)\n```",
            "Where the tensor should be on the GPU, make it there: `torch.randn(shape, "
            'device="cuda", generator=generator)`.',
            _UPDATE,
        ),
    ),
    # The name of the device that torch-directml registers.
    _Known(
        r"(?i:Device type privateuseone is not supported for torch\.Generator)",
        "DirectML cannot make random numbers with a generator on the card",
        "torch-directml has no `torch.Generator` for its device. Programs that support DirectML make the "
        "random numbers on the CPU, and copy them to the card.",
        (
            "Update the program: newer versions make these numbers on the CPU. In the folder of a clone, "
            "`git pull` does it; a package with a start file of its own is updated by that file.",
            "In a program for pictures, choose a sampler without `sde` in its name until then, such as "
            "`euler` or `dpmpp_2m`: those with `sde` make new random numbers in each step. Where there "
            "is a choice, let the noise come from the CPU.",
            "In your own code, make the generator and the numbers on the CPU:\n\n```python\ngenerator = "
            "torch.Generator().manual_seed(0)\nnoise = torch.randn(shape, generator=generator)"
            ".to(device)\n```",
        ),
    ),
    _Known(
        r"with arguments from the 'MPS' backend|not linked with support for mps devices|"
        r"MPS backend is supported on MacOS",
        "The program asks for the GPU of a Mac (mps)",
        "`mps` is the GPU of Apple's computers. torch for Windows computes on `cuda` (NVIDIA), `xpu` "
        "(Intel) or `cpu`, by its build.",
        (
            "Take another device, in the code, in the settings or on the command line "
            '(`--device cuda`):\n\n```python\ndevice = "cuda" if torch.cuda.is_available() else "cpu"\n```',
            _UPDATE,
        ),
    ),
    _Known(
        r"\bEADDRINUSE\b|\[(?:WinError|Errno) 10048\]|\[Errno 98\]|Cannot find empty port in range",
        "The port is in use, often by another copy of the same program",
        "A program that listens on the network needs a port that no other program has: a web interface, "
        "or the first process of a distributed training.",
        (
            "Close the other copy: its window or tab, and Python processes that were left. This lists "
            "what has the port; write its number in place of 7860:\n\n```powershell\nnetstat -ano | "
            "findstr :7860\n```\n\nThe last column is the number of the process: `taskkill /F /PID NUMBER` "
            "ends it, and what it has not saved is lost.",
            "Or take another port: the program's option (`--port 7861`), for distributed training the "
            "variable `MASTER_PORT` or `--master_port 29501`.",
        ),
    ),
    _Known(
        r"must have the same dtype|expected m1 and m2 to have the same dtype|"
        r"expected scalar type \w{3,10} but found|"
        r"Input type \((?P<where>torch\.(?:cuda\.)?)?[\w: ]{3,20}\) and "
        r"(?:weight|bias) type \((?(where)(?P=where))[\w: ]{3,20}\) should be the same",
        "Two tensors have different number formats",
        "One operation was given, for example, half and single precision together.",
        (
            "Convert the input to the format of the model: `x = "
            "x.to(next(model.parameters()).dtype)`. Or compute in both below `with "
            'torch.autocast("cuda"):`.',
            "NumPy's numbers are float64: write `torch.tensor(values, dtype=torch.float32)`.",
            f"{_UPDATE} In a program for pictures, set one precision for the whole model, "
            "the VAE and added nodes included.",
        ),
    ),
    _Known(
        r"Error\(s\) in loading state_dict for|\bsize mismatch for [\w.]{1,120}:",
        "The weights in the file are of another model",
        "The file has other layers, or layers of another size, than the model that the program has made.",
        (
            "Take the file that belongs to this model and its settings: the same variant and size, "
            "the same number of classes, for additions (LoRA, ControlNet) the same base model.",
            "If all names in the message differ by `module.` or `model.` in front, take that off "
            'the names in the file:\n\n```python\nstate = {name.removeprefix("module."): value for '
            "name, value in state.items()}\n```",
            "If only the last layer differs, leave it out of the file, and load the rest with "
            "`strict=False`.",
        ),
    ),
    _Known(
        r"mat1 and mat2 shapes cannot be multiplied|size mismatch, m1: \[|"
        r"The size of tensor a \(\d{1,12}\) must match|Sizes of tensors must match except|"
        r"shape '\[[^\]\n]{0,80}\]' is invalid for input of size|"
        r"Given groups=\d{1,6}, weight of size|stack expects each tensor to be equal size",
        "The shapes of two tensors do not fit",
        "The input has another size, another number of channels or another number of features than "
        "the operation expects. The numbers in the message are the two shapes.",
        (
            "Print the shape before that line, and compare it with what the layer was made for. A "
            "grey picture has one channel, a picture with transparency four; the samples of a batch"
            " need the same size.",
            f"{_UPDATE} In a program for pictures, the usual cause is an addition (LoRA, "
            "ControlNet, VAE, text encoder) for another base model.",
        ),
    ),
    _Known(
        r"cudnn RNN backward can only be called in training mode",
        "The gradient of an LSTM, GRU or RNN is asked for in evaluation mode",
        "cuDNN keeps what the gradient needs only in training mode.",
        (
            "Call `model.train()` before the forward pass. To keep dropout off, set only the others"
            " with `.eval()`.",
        ),
    ),
    _Known(
        r"operation (?:not permitted|failed due to a previous error) (?:when|"
        r"during) (?:stream is capturing|capture)|cudaErrorStreamCapture",
        "An operation that cannot be recorded runs inside a CUDA graph",
        "While a graph is recorded, nothing may wait for the GPU or copy from it: `.item()`, "
        "`.cpu()`, `print` of a tensor, or a first call that still sets something up.",
        (
            "Move such calls out of the recorded part, and run it a few times before it is recorded.",
            'If `torch.compile` records it, take `mode="reduce-overhead"` or `"max-autotune"` away.',
        ),
    ),
    _Known(
        r"prefetch_factor option could only be specified in multiprocessing|"
        r"persistent_workers option needs num_workers > 0|"
        r"dataloader_prefetch_factor can only be set when data is loaded in a different process|"
        r"multiprocessing_context can only be used with multi-process loading",
        "A loader without workers has an option that is for workers",
        "With `num_workers=0` the loader starts no processes, and refuses the options that are about them. "
        "The number of workers was set to 0, and these options stayed.",
        (
            "In the line that makes the loader, take `prefetch_factor`, `persistent_workers` and "
            "`multiprocessing_context` out, or let them follow the number:\n\n"
            "```python\nDataLoader(dataset, num_workers=workers, persistent_workers=workers > 0, "
            "prefetch_factor=2 if workers else None)\n```",
            "In settings of transformers, these are `dataloader_prefetch_factor` and "
            "`dataloader_persistent_workers`. torch before 2.0 takes no `None`: leave "
            "`prefetch_factor` out there.",
        ),
    ),
    _Known(
        r"Trying to backward through the graph a second time|"
        r"element 0 of tensors does not require grad and does not have a grad_fn|"
        r"has been modified by an inplace operation|a leaf Variable that requires grad",
        "The gradients of this program cannot be computed as it is written",
        "The error is in the steps between the model's output and `backward`.",
        (
            "`a second time`: compute the loss anew in each step, and detach what is kept from the "
            "last one. `does not require grad`: the forward pass ran under `no_grad`, or all "
            "weights are frozen. `inplace`: write `x = x + y` in place of `x += y`.",
            "For one run, `torch.autograd.set_detect_anomaly(True)` at the start names the line of "
            "the forward pass.",
        ),
    ),
    _Known(
        r"NotADirectoryError: \[WinError 267\]",
        "The program wants a folder, and was given a file or what is not there",
        "The last line of the traceback has the path. No installation and no card is the cause.",
        (
            "Give the program the folder in which the files lie, and not one of the files. If the "
            "path is of a folder, look whether it is there, with the same spelling.",
        ),
    ),
)


def find_program_error(
    units: Sequence[Unit], own: Names = NO_NAMES, *, on_screen: bool = False
) -> ProgramError | None:
    """Return the first known error of the program itself that a text is about, and does not only mention.

    `own` and `on_screen` are as for `fill`.
    """
    raised = [unit for unit in units if unit.kind is Kind.EXCEPTION or _ASSERTION in unit.text]
    if not raised and not find_subject(units).has_error:
        return None
    for known in _KNOWN:
        for unit in raised or units:
            if match := pattern(known.message).search(unit.text):
                line = unit.find_line(match.start())
                lead = known.lead
                found = {name: value for name, value in match.groupdict().items() if value}
                for name, value in ShownValues(found, own, is_shared=not on_screen).whole.items():
                    lead = lead.replace(f"{{{name}}}", value)
                proof = match[0].partition("\n")[0]
                of_proof = None if on_screen else find_words_of_pattern(known.message, proof)
                shown = show_line(line.text, proof, own=own, of_proof=of_proof)
                return ProgramError(known.title, lead, known.fix, Evidence(line.number, shown))
    return None
