"""What a sentence says of software and cards, if it is about the machine of its writer."""

from collections.abc import Iterator
from itertools import pairwise

from torchdoctor.core.patterns import pattern
from torchdoctor.readers import values
from torchdoctor.readers.card_names import Card, find_cards
from torchdoctor.readers.elsewhere import is_elsewhere
from torchdoctor.readers.own_clauses import OTHER
from torchdoctor.readers.several_cards import list_cards
from torchdoctor.readers.statements import Topic
from torchdoctor.readers.voices import OF_AGE

# A release with the tag of its build is seldom a wish; these words make it one.
_OTHER_TAGGED = (
    r"\(you have|(?<!\bi )(?<!\bwe )\b(?:tested|trained) (?:with|on|against)|"
    r"\bglobal (?:env|torch|python|pip)|\bbase (?:env|conda)|"
    r"install(?!ed\b)|upgrad|updat(?!e:)|downgrad|requir|need|recommend|should|would|could|must|want"
    r"|\btry|tried|instead|until|before|previous|earlier|\bold(?:er)?\b|newer|\bother|another|\bfriend"
    r"|colleague|different|\bif\b|\bfor\b|example"
    r"|colab|kaggle|docker|(?<!windows )(?<!win )\bserver\b|nightly|switch|chang|replac|->|→|https?:|[<>=]="
    r"|\bpip\b(?! \d)|\bconda\b|之前|以前|原来|装|升级|降级|换|推奨|推荐|需要"
)
# Words that make a card another one than that of the machine.
_OTHER_CARD = (
    r"requir|recommend|support|compatib|should|would|could|\bwant|minimum|at least|\bother|another|friend"
    r"|or (?:newer|later|higher|above)|colleague|(?<!cpu )\binstead|\bif\b|\bthan\b|\bvs\b"
    r"|\bseries\b|\bupgrad"
    r"|(?<!\bi )(?<!\bwe )\btested (?:with|on|against)|\bauthor|\bbuy"
    r"|(?<!\bi )(?<!\bi have )(?<!\bi['’]ve )(?<!\bjust )\bbought|\breplac|\bprevious"
    r"|(?<!gpu is )(?<!gpu is an )\bold\b"
    r"|\bused to\b|\bunlike\b|\bbesides\b"
    r"|^(?:same )?on (?!my\b)(?:an? |the )?|(?<!can't )(?<!n't )(?<!not )\bworks?\b"
    r"|(?<!windows )(?<!win )\bserver\b|colab|kaggle"
    r"|docker|cluster|\bsold\b"
    r"|\blike (?:an? )?rtx|(?<!\()(?<!capability )\bsm_|\?\s*$|之前|换|支持|推荐"
)
SYSTEM = (
    r"\bwin(?:dows?)? ?1[01]\b|\bwin(?:dows)? ?[78]\b|\bW1[01]\b|윈도우"
    r"|\bwin(?:dows)? ?server ?20\d\d\b|\bwin(?:dows)? ?(?:ltsb|ltsc|1[5-9]0[379]|1909|2[0-5]h[12])\b"
    r"|винд\w{0,4} ?1[01]\b"
    r"|\bmacbook\b|\bubuntu \d\d|\blinux ?mint\b|\bmacos\b"
    r"|\barch linux\b|\bpop!?[_ ]?os\b|\blinux \d|\bmy (?:(?:64|32)[- ]bit )?(?:windows|linux"
    r"|ubuntu|mac)\b|\bi (?:have|use|run) (?:an? )?(?:(?:64|32)[- ]bit )?(?:windows|linux|ubuntu)\b"
    r"|\bWSL(?:2\b| ?\(?ubuntu)"
)
_OF_NEWEST = r"\b(?:latest|newest)\b[^,.;\n]{0,24}\b(?:is|are)\b"
_OTHER_PERSON = (
    r"\b(?:friend|colleague|coworker|co-worker|brother|roommate|someone|somebody|other (?:people"
    r"|users?))\w{0,3}\b"
)
_NO_CARD = r"\bno (?:nvidia |dedicated |discrete )?(?:gpu|card|graphics card)\b"
# Who tries to run something does not wish for the versions of the same sentence.
_TRYING = (
    r"\b(?:trying|attempting) to (?:build|run|use|train|launch|start|execute|compile)(?= (?!(?:py)?torch"
    r"|python|cuda|numpy|v?\d)\w)"
)
# What fails in Spanish, whose word for "not" is that for "no card".
_FAILS = (
    r"\bno (?:puede|puedo|pude|funciona|carga|arranca|detecta|reconoce|encuentra|aparece|me|se|lo|la|es"
    r"|está)\b"
)
# What a program does not find is no wish either.
_FINDS_NONE = (
    r"\bno (?:matching |such |suitable )?(?:wheels?|distributions?|modules?|packages?|kernels?|builds?"
    r"|versions?)\b[^,.;]{0,30}?\b(?:(?:is|are|was|were|could be|can be) )?(?:found|available|there)\b"
    r"|\bfinds? no [^,.;]{0,30}"
    r"|(?:n['’]t|\bnot) find (?:an? |any |the )?(?:\w{1,12} of )?\S{1,40}"
)
# How it came there.
_CAME = (
    r",? (?:which|it|that) (?:was|is|has been|i|we)(?: have| had)? installed"
    r" (?:via|with|by|using|from|through) (?:pip3?|(?:ana|mini)?conda3?|mamba|uv|poetry|the \w{2,12})\b"
    r"|,? if i (?:remember|recall)(?: it)?(?: correctly| right(?:ly)?)?\b"
    r"|,? if i['’]?m not (?:mistaken|wrong)\b"
)
# What names a tool and is no wish.
_NEUTRAL = r"\b(?:ana|mini)?conda (?:virtual )?env(?:ironment)?\b(?! (?:create|update|export|list))"
_ACCORDING = r"\baccording to\b"
_NEWEST = r"\b(?:the )?(?:latest|newest|up[- ]to[- ]date)\b"
# What joins a name and its version in languages that need no word for it.
_PARTICLE = r"(?: ?(?:[은는이가]|は|が|是|为))?"
# The word for version behind a name.
_VERSION = r"(?:[ -]?version| ?(?:的|の|의)? ?(?:版本号?|バージョン|버전)| версия)?"
# Where it is, between a name and its version.
_HERE = (
    r"(?: (?:on|in) (?:my|our|this|the) (?:system|machine|pc|computer|laptop|env\w{0,9}|venv)"
    r"| (?:that )?(?:i(?:['’]m| am) using|i (?:use|have)|we use|installed|here)(?= is|:))?"
)
_PYTHON = (
    rf"(?<![\w./\\-])(?:c?python|py(?= ?3\.\d)|파이썬[은이는]?|питон){_VERSION}[ -]?"
    rf"{_HERE}(?: is)?"
    rf"{_PARTICLE}(?:[ :-]{{0,3}}| = )v?"
    rf"(?P<version>3\.\d{{1,2}}(?:\.\d{{1,2}})?){values.NO_MORE}"
)
_PYTHON_BITS = (
    r"\b(?P<before>32|64)[ -]?bits?,? (?:version of )?python\b"
    r"|\bpython(?: is| version| ?的?版本)?[ :：是]{1,3}3\.[\d.]{1,6}"
    r"[ ,(（]{1,3}(?P<behind>32(?=[ -]?bit)|64(?=[ -]?bit)|(?:x64"
    r"|x86(?:_64)?|amd64)\b)"
)
_TORCH = (
    rf"(?<![\w./\\-])(?:py)?torch{_VERSION}"
    rf"{_HERE}(?: is)?{_PARTICLE}(?:[ :`*]{{0,5}}|-| = )v?"
    r"(?P<version>(?:[12]\.\d{1,2}|0\.[34])(?:\.\d{1,2})?(?:\.?dev\d{1,8})?(?:\+?cu\d{2,3}|\+cpu)?)"
    rf"{values.NO_MORE}(?!-cp\d)(?P<cuda>[ (/,+&-]{{1,4}}(?:with )?cuda[ :]{{0,2}}(?P<number>\d\d?\.\d))?"
)
# A build of torch by its CUDA alone, and words for that it is there.
_TORCH_WITH_CUDA = (
    r"(?<![\w./\\-])(?:py)?torch[`*]{0,3} ?(?:(?:\(|（)(?:with |for )?|with |for |built for )cuda"
    r" ?(?P<cuda>1\d\.\d|9\.\d)"
    r"(?![\w.]| ?(?:or |and |/|\+))"
)
_BOTH_OF_CUDA = (
    r"torch ?(?:和|与|、|/|and|&) ?cuda(?: ?的?(?:版本| version)s?)? ?(?:都|均|are both|both)? ?(?:是|为|are"
    r"|is)? ?(?P<cuda>1[0-3]\.\d)(?!\.?\w)"
)
_PUT_THERE = (
    r"\b(?:(?:re-?)?installed|reinstalling)\b(?! (?:if|when|from))|入れ(?:直し|まし|た)"
    r"|インストールし|装了|安装了|重装"
    r"|установил|instalé|instalei|installiert|installé|설치했"
)
_TAGGED = (
    r"(?<![\w./\\-])(?:py)?torch\b`?[^+.;,\n=]{0,24}?[ `*(:]"
    rf"(?P<version>[12]\.\d{{1,2}}\.\d{{1,2}}(?:\.?dev\d{{1,8}})?\+(?:cu\d{{2,3}}|cpu)){values.NO_MORE}"
)
# What people say of a build with CUDA.
_HAS_CUDA = (
    r"\+cu\d{2,3}[`*]{0,3} ?[(,;—–-]{1,2} ?\**cuda(?: is)? (?:available|enabled|works|working)\b(?! only|"
    r" if)"
    r"|\bcuda(?: is)? available on (?:the |my |an? )?(?:nvidia |geforce ){0,2}(?:rtx|gtx|quadro|tesla)\b"
)
# What people say that torch answers.
_ANSWER = (
    r"(?:(?<!(?:mps|xpu|npu|mkl)\.)(?<!distributed\.)(?<!cudnn\.)is_available(?:\(\))?"
    r"|(?<![^\W_])cuda[ _]available(?:\(\))?)\s?\??[`'\"]{0,2}\)?`?\*{0,2}"
    r"(?:[,:]? (?:(?:i|we|it|which|and|but|the (?:output|result|answer)|always|still|just|only|now|also"
    r"|simply|keeps?|consistently) ){0,4}"
    r"(?:is|was|returns?|returned|returning|gives?|gave|giving|gets?|got|prints?|printed|printing|says?|said"
    r"|saying"
    r"|shows?|showed|showing|outputs?|reports?|evaluates to|results in|yields|devuelve|da|retourne|renvoie"
    r"|donne"
    r"|liefert|gibt|ergibt|ist|retorna|restituisce|возвращает|返回|为|是|输出|显示)"
    r"(?: (?:me|as|always|still|just|only|to be|back|returning|printing|giving|showing|saying)){0,2}"
    r"| ?(?:发现|还|就|依然|仍然|一直|都|却"
    r"|总){0,2}(?:返回|为|是|输出|显示)|가|"
    r" ?[=:]{1,2}| ?[-=]>| →| ?[(（]|)\s*[`'\"]?\*{0,2}"
    r"(?P<answer>True|False)\b"
)
# The same in the other order: "I get False from torch.cuda.is_available()".
_ANSWER_BEFORE = (
    r"(?:^|\b(?:get|got|getting|gives?|gave|returns?|returned|prints?|printed|shows?|says?|see|is|was)(?: me"
    r"| back)? )"
    r"[`*'\"]{0,3}(?P<answer>True|False)[`*'\"]{0,3} (?:from|for|on|with|when|while|after|as"
    r"|in)\b[^;\n]{0,48}?"
    r"\bis_available\b"
)
_ARROW = r"\s?(?:[-=]{1,3}>|→)\s?"
# What is asked of an answer, and what else is not so.
_WHY = (
    r"[,.]? ?\b(?:but )?why(?: is (?:that|this|it)| so)?\s?[?!]{1,3}\s*$"
    r"|[，,]? ?为什么(?:呢|啊)?\s?[?？]{1,3}\s*$"
)
_COMPLAINT = (
    r"\b(?:not|no longer) (?:be |being )?(?:available|working|detected|recogni[sz]ed|used|found|visible"
    r"|seen)\b(?: any ?more| at all)?"
)
# Who tells both answers tells one of another time.
_FORMER = (
    r"\b(?:before|previously|formerly|earlier|originally|initially|at first|used to)\b|之前|以前|原来|本来"
)
_BOTH = r"\b(?:true|false)\b"
_NO_CUDA = r"\bcuda(?: is)?[ *`]{1,4}(?:not available|unavailable|disabled)\b|\bcuda ?不可用"
_CPU_ONLY = (
    r"\btorch(?: build)?`? is (?:a )?\**cpu[- ]only|\bcpu[- ]only (?:build|version|wheel) of (?:py)?torch"
    r"|\byour pytorch \**doesn't have cuda support"
)
_UNSURE = (
    r"\bif\b|\bwhile\b|assert|expect|should|must|would|want|\buntil|\bprints? (?:True|False) (?:if|when)"
    r"|\bnot\b|\belse\b|->|→|\?|\bused to\b|\bpreviously\b|如果|应该|必须|服务器|サーバー?|сервер|서버"
    r"|\b(?:server|colab|kaggle|cluster|laptop of"
    r"|friend)\b"
)
# The packages that checks ask about.
_PACKAGE = (
    r"(?<![\w./\\-])(?P<name>torchvision|torchaudio|numpy|xformers|transformers|triton(?:-windows)?"
    r"|bitsandbytes"
    r"|onnxruntime(?:-gpu)?|flash-attn|pip|diffusers|accelerate|tensorflow|ultralytics|opencv-python|timm"
    r"|scipy"
    r"|mmcv)"
    r"(?: version)?(?:[ :`]{1,3}| = )v?(?P<version>\d{1,2}\.\d{1,3}(?:\.\d{1,3}){0,2}(?:\+\w{1,12})?)"
    rf"{values.NO_MORE}"
)
_SMI_CUDA = (
    r"\bnvidia-smi (?:shows|says|reports|gives|displays|prints)(?: me| that)? v?((?:9|1[0-3])\.\d)\b(?!\.?\d)"
    r"|\bnvidia-smi[^;\n]{0,60}?\bcuda(?: version)?[ :=]{1,3}(\d\d?\.\d)\b"
    r"|\bcuda(?: version)?[ :=]{1,3}(\d\d?\.\d)[ (]{1,3}(?:as )?(?:in |by |from |per |via |shown by "
    r"|shown in |given by |according to |reported by"
    r" )?nvidia-smi\b"
)
_DRIVER_CUDA = (
    r"\b(?:driver(?: supports)?|nvidia-smi(?: shows| says| reports)?)[: ]{1,3}"
    r"cuda(?: version)?[: =]{1,3}(\d\d?\.\d)\b"
)
# What of it is in use is another size.
_USED = r"[^\d(（,]{0,30}\b(?:to|usage|used|uses|using|free|left|allocat\w{0,4}|utili[sz]\w{1,5})\b"
_MODEL = r"\b(WDDM|TCC|MCDM)\b"
# Behind these, a size is no longer that of the card.
_BEHIND_CARD = r"[;；、]|\s(?:and|und|et|y|e|и|plus)\s|\s/\s|,\s(?!\s?\d)"
_MOST_OF_A_CARD = 32 << 30
_CAPABILITY = (
    r" ?[(（](?:[^()（）]{0,30}\b)?(?:sm_?|compute capability |capability )"
    r"(?P<major>\d{1,2})\.?(?P<minor>\d)[)）]"
)
_MEMORY = (
    r"(?<![\d.x×*])(?:(?P<count>[1248]) ?[x×*] ?)?(\d{1,3}) ?(?:GB|GiB|G|Go|ГБ|gigs?)(?: of| de| di)?"
    r"(?:(?: system| DDR\d| host){0,2} RAM\b| (?:system|host|main) memory\b| (?:of"
    r" )?L?P?DDR\d"
    r"| ?(?:内存|記憶體|メモリ|ОЗУ|оперативн|램)| Arbeitsspeicher| de mémoire)|\bRAM ?[:：]? ?(\d{1,3}) ?GB"
    r"|(?<![显卡顯])(?:内存|記憶體|メモリ|메모리|(?<![가-힣])램) ?[:：]?[是为는은]? ?(\d{1,3}) ?G"
)
_VIDEO_MEMORY = (
    r"(?:^[\s*•-]{0,4}|[,(;:+/&] ?| [-–—]{1,2} |\b(?:have|has|with|my|only|got|and) )"
    r"(\d{1,3}) ?(?:GB|GiB|G|Go)(?: of)?"
    r" (?:VRAM|video memory|GPU memory|显存)\b|(?:显存|\bVRAM) ?[:：]? ?(\d{1,3})(?:\.\d{1,2})? ?G"
)
_TOOLKIT = (
    r"(?:\bcuda toolkit|\bnvcc)[`'\"]?(?: --version[`'\"]?| -v[`'\"]?)?(?: version)?"
    r"(?: (?:says|shows|reports|gives|prints|returns|is|outputs))?(?: release| cuda| version){0,2}"
    r"[ :=v]{1,4}(\d\d?\.\d)\b"
    r"|\b(?:installed|have|has|with)[^,.;\n]{0,40} (\d\d?\.\d)(?:\.\d{1,3})? (?:of the )?cuda toolkit\b"
)
# Not the name of an index, such as pytorch-cu128.
_CUDA_TAG = r"(?<![\w./\\+])(?<!torch-)\+?cu(?P<number>1[0-3]\d|9\d|\d0)\b"
# Where a clause begins that may be about another card.
_CARD_CLAUSES = r"(?<=[,;，；。、])|\s(?=(?:but|while|whereas|although|though|а|но|aber|mais|pero|mas)\s)"
# In brackets, another one.
_ALSO = (
    r"[(（](?:also|and|same|tested|tried|previous|before|former|not|vs|or|instead|was|had|got)\b"
    r"[^()（）]{0,80}[)）]"
)
_OWN_CLAUSE = (
    r"\b(?:i|my|mine|we|our)\b|我|本机|у меня|мо[йяе]|ich|mein|j['’]|\bm[ao]n?\b|\bmi\b|tengo|tenho"
    r"|minha|mam\b|\bho\b|私|僕|自分"
    r"|제|내"
)
_DRIVER = (
    r"(?:\b(?:driver|drv|game ready|grd|драйвер\w{0,3}|\w{0,12}treiber\w{0,8}|pilotes?"
    r"|controlador\w{0,3}|nvidia)|驱动"
    r"|驅動|ドライバー?|드라이버)"
    rf"{_VERSION}s?"
    rf"{_PARTICLE}"
    r"(?:[ :：]{1,3}| = | ?\(|(?<=[はがは是为는은이]) ?|,? (?:which )?is (?:at )?(?:the"
    r" )?| (?:es|est|ist|é|è) (?:l[ae] |el |der |a |o )?)(?:version )?[`*]{0,3}v?"
    r"(?P<version>[3-9]\d\d\.(?:\d{2,3}(?:\.\d{1,2})?|\d\.\d{1,2}))(?![A-Za-z0-9])"
    r"|(?<![\d.])(?P<before>[3-6]\d\d\.\d\d(?:\.\d\d)?) (?:nvidia |geforce |game ready |studio "
    r"|whql )?(?:driver|drv)s?\b"
)


def read_sentence(sentence: str, *, has_one_build: bool) -> list[values.Said]:
    """Return what a sentence says.

    `has_one_build` is whether its text names one release of torch with its build, and no other.
    """
    # A machine without a card is one that is described.
    for regex in (_NO_CARD, _TRYING, _FAILS, _FINDS_NONE, _CAME):
        sentence = pattern(regex, True).sub("", sentence)
    lowered = sentence.lower()
    sentence = pattern(_ACCORDING, True).sub("by", pattern(_NEUTRAL, True).sub("", sentence))
    is_of_machine = not pattern(OTHER, True).search(sentence)
    said = list(read_software(sentence, lowered, is_of_machine=is_of_machine, has_one_build=has_one_build))
    said += _read_cards(sentence)
    driver_cuda = pattern(_DRIVER_CUDA, True).search(sentence)
    smi_cuda = pattern(_SMI_CUDA, True).search(sentence)
    if is_of_machine and (driver_cuda or smi_cuda):
        cuda = driver_cuda[1] if driver_cuda else smi_cuda and smi_cuda[smi_cuda.lastindex or 0]
        said.append((Topic.DRIVER_CUDA, cuda or "", ""))
    video = pattern(_VIDEO_MEMORY, True).search(sentence) if is_of_machine else None
    if video and all(topic is not Topic.GPU_MEMORY for topic, _, _ in said):
        said.append((Topic.GPU_MEMORY, str(int(video[1] or video[2]) << 30), "0"))
    toolkit = pattern(_TOOLKIT, True).search(sentence) if is_of_machine else None
    if toolkit:
        said.append((Topic.TOOLKIT, toolkit[1] or toolkit[2], ""))
    memory = pattern(_MEMORY, True).search(sentence) if is_of_machine else None
    if memory:
        size = int(memory[2] or memory[memory.lastindex or 0]) * int(memory["count"] or 1)
        said.append((Topic.MEMORY, str(size << 30), ""))
    is_named = pattern(SYSTEM, True).search(sentence) is not None
    driver = pattern(_DRIVER, True).search(sentence)
    # The latest driver is one that is there, if nothing is said of it.
    if driver and pattern(_OF_NEWEST, True).search(sentence):
        driver = None
    if driver and (
        is_of_machine or not pattern(OTHER, True).search(pattern(_NEWEST, True).sub("", sentence))
    ):
        said.append((Topic.DRIVER, driver["version"] or driver["before"], ""))
    if pattern(_OTHER_PERSON, True).search(sentence):
        return said
    if is_named or (said and pattern(r"\b(?:windows|linux|ubuntu|wsl2?|macos)\b", True).search(sentence)):
        said += values.read_system(sentence)
    return said


def read_software(
    sentence: str, lowered: str, *, is_of_machine: bool, has_one_build: bool
) -> Iterator[values.Said]:
    """Yield the versions of Python and packages, and what torch and its CUDA are."""
    if ("py" in lowered or "파이썬" in lowered or "питон" in lowered) and is_of_machine:
        python = _find_only(_PYTHON, sentence)
        if python:
            yield Topic.PYTHON, python, ""
            bits = pattern(_PYTHON_BITS, True).search(sentence)
            if bits:
                yield (
                    Topic.PYTHON_BITS,
                    bits["before"] or ("32" if bits["behind"] in ("32", "x86") else "64"),
                    "",
                )
    torch = list(_read_torch(sentence)) if "torch" in lowered and is_of_machine else []
    is_tagged = has_one_build and "torch" in lowered and "+c" in lowered and not torch
    tagged = _find_only(_TAGGED, sentence) if is_tagged else None
    if tagged and not pattern(_OTHER_TAGGED, True).search(_clear_nightly(sentence, tagged)):
        torch += values.read_torch(tagged)
    if is_of_machine and any(
        word in lowered for word in ("torch", "numpy", "formers", "triton", "onnx", "pip ")
    ):
        found = {
            match["name"].lower(): match["version"] for match in pattern(_PACKAGE, True).finditer(sentence)
        }
        yield from ((Topic.PACKAGE, version, name) for name, version in found.items())
    if "cuda" in lowered or "is_available" in lowered:
        yield from _read_answer(sentence)
        put = None if torch else pattern(_TORCH_WITH_CUDA, True).search(sentence)
        put = put or (None if torch else pattern(_BOTH_OF_CUDA, True).search(sentence))
        if put and (is_of_machine or pattern(_PUT_THERE, True).search(sentence)):
            torch.append((Topic.TORCH_CUDA, put["cuda"], ""))
    tags = set(pattern(_CUDA_TAG, True).findall(sentence)) if is_of_machine else set()
    if all(topic is not Topic.TORCH_CUDA for topic, _, _ in torch):
        if pattern(_CPU_ONLY, True).search(sentence):
            torch.append((Topic.TORCH_CUDA, "none", ""))
        elif len(tags) == 1:
            tag = tags.pop()
            torch.append((Topic.TORCH_CUDA, f"{tag[:-1]}.{tag[-1]}", ""))
    yield from torch


def _clear_nightly(sentence: str, version: str) -> str:
    """Return a sentence without the word for a nightly build, if it names the version of one."""
    return pattern(r"\b(?:nightly|latest)\b", True).sub("", sentence) if "dev" in version else sentence


def _read_cards(sentence: str) -> Iterator[values.Said]:
    """Yield the only card that a sentence names, with its memory and driver model."""
    plain = pattern(OF_AGE, True).sub("an ", sentence)
    if not find_cards(sentence) or pattern(_OTHER_CARD, True).search(plain):
        return
    sentence = _cut_other_cards(pattern(_ALSO, True).sub(" ", sentence))
    several = list_cards(sentence)
    for number, card in enumerate(several):
        yield Topic.GPU, card.name, str(number)
        yield from _read_card(sentence, card, str(number))
    if several:
        return
    named = find_cards(sentence)
    for kind in (_is_sure_nvidia, _is_bare, _is_other_maker):
        cards = {each.name.lower(): each for each in named if kind(each)}
        if len(cards) == 1:
            card = next(iter(cards.values()))
            yield Topic.GPU, card.name, "0"
            yield from _read_card(sentence, card, "0")
        if cards:
            return


def _is_sure_nvidia(card: Card) -> bool:
    return card.is_sure and values.is_nvidia(card.name)


def _is_bare(card: Card) -> bool:
    return not card.is_sure


def _is_other_maker(card: Card) -> bool:
    return card.is_sure and not values.is_nvidia(card.name)


def _cut_other_cards(sentence: str) -> str:
    """Return a sentence without its clauses about cards that are not there or another person's."""
    if not is_elsewhere(sentence):
        return sentence
    kept, is_other = [], False
    for clause in pattern(_CARD_CLAUSES, True).split(sentence):
        if is_elsewhere(clause):
            is_other = is_other or bool(find_cards(clause))
        elif not is_other or pattern(_OWN_CLAUSE, True).search(clause):
            is_other = False
            kept.append(clause)
    return " ".join(kept)


def _read_torch(sentence: str) -> Iterator[values.Said]:
    version = _find_only(_TORCH, sentence)
    if version is None:
        return
    yield from values.read_torch(version if "+" in version else version.replace("cu", "+cu"))
    match = pattern(_TORCH, True).search(sentence)
    if match and match["number"] and "cu" not in version and "+" not in version:
        yield Topic.TORCH_CUDA, match["number"], ""
    elif match and "cu" not in version and "+" not in version:
        yield from values.read_build_words(sentence[match.end() :])


def _read_answer(sentence: str) -> Iterator[values.Said]:
    """Yield whether torch can use CUDA, by what a person says that it answered."""
    sentence = cut_former_answer(sentence)
    if len(set(pattern(_BOTH, True).findall(sentence.lower()))) > 1:
        return
    # An arrow is a change, if it is not that of the answer.
    plain = pattern(r"(is_available(?:\(\))?[`*]{0,3})" + _ARROW).sub(r"\1: ", sentence.replace("?:", ":"))
    plain = pattern(_COMPLAINT, True).sub(" ", pattern(_WHY, True).sub("", plain))
    plain = pattern(
        r"^\W{0,4}(?:(?:and|but|so) )?(?:when|while|if) (?=i (?:run|call|check|type|do|try)\b)", True
    ).sub("", plain)
    rest = pattern(_NO_CUDA, True).sub("", plain)
    if pattern(_UNSURE, True).search(rest) or pattern(_FORMER, True).search(rest):
        return
    found = [*pattern(_ANSWER, True).finditer(plain), *pattern(_ANSWER_BEFORE, True).finditer(plain)]
    answers = {match["answer"].lower() for match in found}
    if answers == {"true"} or (not answers and pattern(_HAS_CUDA, True).search(sentence)):
        yield Topic.CUDA_AVAILABLE, "yes", ""
    elif answers == {"false"} or (not answers and pattern(_NO_CUDA, True).search(sentence)):
        yield Topic.CUDA_AVAILABLE, "no", ""


def cut_former_answer(sentence: str) -> str:
    """Return a sentence that tells both answers of torch without the part that tells how it was before."""
    answers = list(pattern(_BOTH, True).finditer(sentence))
    if len({answer[0].lower() for answer in answers}) < 2:
        return sentence
    ends = [0, *(answer.end() for answer in answers)]
    parts = [sentence[start:end] for start, end in pairwise(ends)]
    kept = [part for part in parts if not pattern(_FORMER, True).search(part)]
    return "".join((*kept, sentence[ends[-1] :]))


def _read_card(sentence: str, card: Card, number: str) -> Iterator[values.Said]:
    """Yield the memory, the capability and the driver model that a sentence states beside a card."""
    behind = pattern(_BEHIND_CARD, True).split(sentence[card.end : card.end + 48], maxsplit=1)[0]
    size = None if pattern(_USED, True).match(behind) else values.read_card_memory(behind)
    # Behind a comma, more than a card of a PC has is the memory of the PC.
    if size is not None and (size <= _MOST_OF_A_CARD or behind.lstrip()[:1] != ","):
        yield Topic.GPU_MEMORY, str(size), number
    capability = pattern(_CAPABILITY, True).match(sentence, card.end)
    if capability:
        yield Topic.GPU_CAPABILITY, f"{capability['major']}.{capability['minor']}", number
    model = pattern(_MODEL).search(sentence)
    if model:
        yield Topic.GPU_MODEL, model[1], number


def _find_only(regex: str, sentence: str) -> str | None:
    """Return the version that a sentence names, None if it names several or only a limit."""
    found = list(pattern(regex, True).finditer(sentence))
    if len({match["version"] for match in found}) != 1 or values.is_limit(sentence[found[0].end() :]):
        return None
    return found[0]["version"]
