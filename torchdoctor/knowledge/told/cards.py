"""What a person tells of a graphics card, of the build of torch, and of the driver."""

from collections.abc import Mapping
from types import MappingProxyType

from torchdoctor.knowledge.told.fact import Told

# Nouns. `\w` and `\b` are about all letters here, and Chinese stands beside names without a space.
_GPU = (
    r"(?<![a-z])(?:gpus?(?![a-z])|(?:graphics?|video) cards?|nvidia card|显卡|顯卡|显示卡|顯示卡|独显"
    r"|獨顯|n卡"
    r"|グラボ|グラフィックボード|видеокарт\w{0,3}|гпу|grafikkarte|carte graphique|tarjeta gráfica"
    r"|placa (?:de vídeo|gráfica)|그래픽 ?카드|[rg]tx ?\d{3,4})"
)
_CPU = (
    r"(?<![a-z])(?:cpus?(?![a-z])|processor(?![a-z])|处理器|處理器|процессор\w{0,3}|цп(?![а-я])|prozessor"
    r"|processeur|procesador|processador)"
)
_GPU_WORDS = "gpu|card|显|顯|卡|独|グラ|видеокарт|гпу|grafik|graphique|gráfica|vídeo|그래픽|rtx|gtx"
_CPU_WORDS = "cpu|process|处理器|處理器|процессор|цп|prozessor|procesador"
_USES = (
    r"(?:us(?:e[sd]?|ing)|runs?|running|ran|works?|working|stays?|stuck|trains?|training|process(?:es|ing)"
    r"|comput(?:es|ing)|execut(?:es|ing)|transcrib(?:es?|ing)|generat(?:es?|ing)|calculat(?:es|ing)"
    r"|separat(?:es|ing)|translat(?:es|ing)|fall(?:s|ing)? back|done)"
)
_NVIDIA_CARD = (
    r"(?<![a-z])(?:rtx|gtx|geforce|quadro)(?![a-z])|(?<![a-z])nvidia (?:gpu|card|graphics|geforce|rtx)|n卡"
    r"|(?<![\d.a-z])(?:10[5-8]0|16[56]0|20[6-8]0|30[5-9]0|40[5-9]0|50[5-9]0)(?: ?(?:ti|super"
    r"|laptop))?(?!\.?[\da-z])"
)
# Its numbers alone can name a card.
_NVIDIA_WORDS = f"{_GPU_WORDS}|nvidia|geforce|quadro|0"
_RTX_50 = (
    r"(?:(?<![\d.a-z])(?:rtx ?)?50(?:[5-9]0(?: ?ti)?|xx)(?![\d.]| ?px)|50 ?系|50[- ]series|blackwell|n卡50)"
)
_CUDA_12_8 = r"(?:(?<![a-z\d])cu1(?:2[89]|3\d)(?!\d)|cuda ?(?:12\.[89]|13)|(?<![\d.])12\.[89](?!\d))"
_FAILS = (
    r"(?:(?:not|n.t|un)[- ]?(?:\w{1,9} ){0,2}?(?:support|run|work|compatib|start)\w{0,6}|incompatib\w{1,6}"
    r"|\bcrash\w{0,3}\b|\bfail(?:s|ed)?\b"
    r"|运行失败|運行失敗|不兼容|兼容灾难|兼容性?问题|不支持|不支援|跑不了|跑不起来|用不了|适配有问题"
    r"|対応していない|動かない|動きません|使えない|使えません|не (?:работает|поддерж|запуска)"
    r"|(?:funktioniert|läuft|startet)[^\n.]{0,16} nicht|läuft nicht|nicht (?:unterstützt|kompatibel)"
    r"|no (?:funciona|arranca|es compatible|soporta)|ne (?:fonctionne|marche|démarre)|pas compatible"
    r"|não (?:funciona|roda|suporta|é compatível)|작동하지|지원하지|안 ?[됩돼])"
)
_NO_CUDA = (
    r"(?:non[- ]?cuda|cpu(?:[- ]only)? ?(?:version|build|style|variant|wheel|torch|pytorch)|cpu[- ]only"
    r"|without cuda|(?:is|was|are)n.?t compiled with cuda|not compiled with cuda|\bno cuda\b|\+cpu)"
)
_REPLACES = (
    r"(?:(?:replac|overwrit|downgrad|forc|uninstall|swapp?|revert|re-?install|clobber|chang)(?:es|ed"
    r"|ing|s|ten)|overwrote"
    r"|(?:will|would) (?:\w{1,9} )?(?:replace|overwrite|downgrade|force|uninstall|reinstall)"
    r"|(?:be|get|gets|got|being) (?:replaced|overwritten|uninstalled|reinstalled))"
)
_INTEGRATED = (
    r"(?:integrated (?:intel |amd )?(?:graphics?(?: cards?)?|gpus?)|(?<![a-z])igpus?(?![a-z])|核显|核顯"
    r"|集显|集顯"
    r"|内显|內顯|集成显卡|内蔵 ?(?:gpu|グラフィック)|integrierten? (?:grafik|gpu)"
    r"|встроенн\w{1,4} (?:видео|граф|gpu)"
    r"|(?:gráfic[oa]s?|gpu|tarjeta|placa) integrad|(?:gpu|carte graphique|puce) intégré|내장 ?(?:그래픽"
    r"|gpu))"
)

_FACTS = {
    # The work is done by the processor, and not by the card.
    "cpu-not-gpu": Told(
        _CPU_WORDS,
        rf"\b{_USES}\b[^\n.]{{0,30}}{_CPU}[^\n.]{{0,12}}?(?:,? (?:and |but )?not(?! when\b| if\b)"
        r"|instead of|rather than|and never)\b"
        rf"[^\n.]{{0,24}}{_GPU}"
        rf"|{_CPU} instead of (?:on |the |my |using ){{0,2}}{_GPU}"
        rf"|(?:\bnot|n.t|instead of|rather than)\b[^\n.]{{0,16}}{_GPU}[^\n.]{{0,12}}\b(?:but|only"
        rf"|it)\b[^\n.]{{0,16}}{_CPU}"
        r"|(?:用|跑|负载|負載|运行|運行|训练)[^\n。]{0,8}cpu[^\n。]{0,6}(?:不是|而非|没有?用|没用"
        rf"|沒用|不用)[^\n。]{{0,8}}{_GPU}"
        rf"|cpu[^\n。]{{0,6}}{_GPU}[^\n。]{{0,3}}[没沒]有?(?:运行|運行|用|动|工作|跑|占用)"
        r"|(?:gpu|グラボ)[^\n。]{0,4}(?:では|じゃ)なくて?[^\n。]{0,4}cpu|gpuを使わずに?[^\n。]{0,4}cpu"
        r"|(?:процессор\w{0,2}|цп|cpu)[^\n.]{0,6}(?:а не|вместо)[^\n.]{0,10}(?:видеокарт|гпу|gpu)"
        r"|(?:cpu|prozessor)[^\n.]{0,6}(?:statt|anstatt|und nicht)[^\n.]{0,14}(?:gpu|grafikkarte)"
        r"|(?:cpu|procesador|processador)[^\n.]{0,6}(?:en (?:lugar|vez)|em vez|ao invés|y no"
        r"|e não)[^\n.]{0,12}"
        r"(?:gpu|gráfica|vídeo)"
        r"|(?:cpu|processeur)[^\n.]{0,6}(?:au lieu|et (?:pas|non)|plutôt)[^\n.]{0,12}(?:gpu|carte)"
        r"|gpu ?(?:대신|말고|가 아니라|가 아닌)[^\n.]{0,6}cpu"
        # The same as a wish: the card, and not the processor.
        r"|(?:видеокарт\w{0,3}|гпу|gpu)[^\n.]{0,6}(?:а не|вместо)[^\n.]{0,10}(?:процессор|цп|cpu)"
        r"|(?:gpu|grafikkarte)[^\n.]{0,6}(?:statt|anstatt|und nicht)[^\n.]{0,14}(?:cpu|prozessor)"
        r"|(?:gpu|显卡|顯卡)[^\n。]{0,4}(?:而不是|而非|代替)[^\n。]{0,4}cpu"
        r"|是 ?cpu[ ,，]{0,2}不是 ?(?:gpu|显卡|顯卡)",
    ),
    "cpu-used": Told(
        _CPU_WORDS,
        rf"\b{_USES}\b[^\n.]{{0,24}}{_CPU}|{_CPU} (?:is|was|gets) (?:being |still )?(?:used"
        rf"|picked|chosen|selected)\b"
        r"|走(?:的|了|的是)? ?cpu|(?:用|跑|使用)的(?:都|还)?是 ?cpu|跑在 ?cpu|cpu ?(?:在跑|在运算|在推理)"
        rf"|(?:läuft|rechnet|arbeitet|transkribiert)[^\n.]{{0,16}}{_CPU}"
        rf"|(?:tourne|utilise|s.exécute|calcule)[^\n.]{{0,16}}{_CPU}"
        rf"|(?<!no )\b(?:usa|utiliza|corre|trabaja|funciona|se ejecuta|roda)\b[^\n.]{{0,12}}{_CPU}"
        rf"|(?<!не )(?:использует|работает|считает|идёт|идет)[^\n.]{{0,16}}{_CPU}"
        r"|cpu(?:で|を)(?:動|使って|処理|計算|実行)|cpu(?:로|를|에서) ?(?:돌|사용|실행|계산|작동)",
    ),
    "cpu-only-used": Told(
        _CPU_WORDS,
        rf"\b(?:only|just|always|exclusively|everything)\b[^\n.]{{0,12}}\b{_USES}\b[^\n.]{{0,20}}{_CPU}"
        rf"|\b{_USES}\b(?: on)? (?:only|just)(?: on)?(?: the| my)? {_CPU}"
        rf"|\ball (?:the )?work\b[^\n.]{{0,20}}{_CPU}"
        rf"|{_GPU}[^\n.]{{0,40}}, ?(?:but )?(?:only|just)(?: on)? (?:my|the) {_CPU}"
        r"|(?:只|全|都|一直)(?:能|会|會|是)?(?:使?用|在|跑|靠)(?:的是)?[^\n。]{0,6}cpu"
        r"|только (?:на )?(?:процессор|cpu|цп)|\bnur (?:auf )?(?:die |der |den |dem )?(?:cpu|prozessor)",
    ),
    # The wish to use the card.
    "gpu-wanted": Told(
        _GPU_WORDS,
        r"\b(?:switch|change|move|make|get|force|use|run|enable|how (?:do|can|to))\b[^\n.?]{0,40}"
        rf"\b(?:to|on|with|the|my|using|use) {_GPU}",
    ),
    # The edition of a program that is for cards.
    "gpu-edition": Told(
        "gpu|cuda",
        r"\b(?:download|install|us|hav|got|get)\w{0,4} (?:the |a )?(?:gpu|cuda|nvidia) (?:version"
        r"|edition|build)\b"
        r"|(?:下载|下載|安装|装|用)(?:的是|了)?[^\n。]{0,6}(?:gpu|cuda|n卡) ?版",
    ),
    # The processor is wanted, or is all there is.
    "cpu-wanted": Told(
        "cpu|gpu|design|purpose|feature request|save|nvidia",
        r"\boffload\w{0,4}\b[^\n.]{0,24}\bto (?:the )?cpu|(?<!\w)--[\w-]{0,20}cpu|\bby design\b"
        r"|\bon purpose\b"
        r"|\b(?:a|the) cpu (?:version|build|edition|mode)\b|\bwithout (?:a )?gpu\b"
        r"|\b(?:no|any) gpu\b(?! (?:is|are|being|was)\b)"
        r"|\bfeature request\b"
        r"|\bkeep\b[^\n.]{0,30}\bon the cpu|\bwant to (?:use|run)\b[^\n.]{0,16}\bcpu"
        r"|\bto save (?:v?ram|memory)\b|\boption to\b[^\n.]{0,16}\bcpu|\bno nvidia\b|怎么只用 ?cpu",
    ),
    "gpu-unused": Told(
        _GPU_WORDS,
        rf"{_GPU}[^\n.]{{0,30}}(?:\bnot|n.t|\bnever)\b[^\n.]{{0,16}}\b(?:used?|using|utili[sz]ed|active)\b"
        r"|(?:\bnot|n.t|\bnever)\b(?: \w{1,10}){0,3} (?:us(?:es?|ing)"
        rf"|utili[sz]\w{{1,4}})\b(?: \w{{1,10}}){{0,3}} {_GPU}"
        rf"|\b(?:leav(?:es?|ing)|left)\b(?: \w{{1,9}}){{0,2}} {_GPU}[^\n.]{{0,8}}\b(?:alone"
        rf"|idle|unused|untouched)\b"
        rf"|\bignor(?:es?|ing)\b(?: \w{{1,9}}){{0,2}} {_GPU}(?! memory| ?\d)"
        rf"|{_GPU}[^\n.]{{0,16}}\b(?:does nothing|doing nothing|has nothing to do|untouched|asleep|bored)\b"
        rf"|{_GPU}[^\n。]{{0,6}}(?:闲置|吃灰|空闲着|摸鱼|没动静)|{_GPU}[^\n.]{{0,8}}(?:простаивает|отдыхает"
        rf"|не задейств|не нагруж)|игнорирует[^\n.]{{0,8}}{_GPU}"
        rf"|ignor(?:iert|a|e)[^\n.]{{0,12}}{_GPU}|(?:lässt|laisse|deja|deixa)[^\n.]{{0,12}}{_GPU}[^\n.]{{0,12}}(?:links"
        r"|ungenutzt|de côté|inactiv|sin usar|parad)"
        rf"|{_GPU}[^\n.]{{0,8}}(?:bleibt|langweilt|reste|queda|fica)[^\n.]{{0,8}}(?:ungenutzt|untätig|sich|inacti|inutilis"
        r"|sin us|parad|ocios)|gpu(?:が|は)遊んで|gpu를? ?(?:안 쓰|사용하지 않|쓰지 않)"
        rf"|{_GPU}[^\n.]{{0,16}}\bidle\b|\bno gpus? (?:is|are|being|was) (?:being )?(?:using|used"
        rf"|utili[sz]ed)\b"
        rf"|{_GPU}[^\n。]{{0,4}}(?:[没沒]有?(?:上升|变化|變化|反应|反應|涨)|一[动動]不[动動])"
        rf"|{_GPU}[^\n。]{{0,6}}[没沒不](?:有|怎么)?(?:运行|運行|工作|动|用上|用到|占用|使用|利用)"
        rf"|[没沒]有?(?:用|跑|占用|使用)[到上][^\n。]{{0,4}}{_GPU}"
        r"|(?:gpu|グラボ)[^\n。]{0,4}使(?:われ|え|って)[^\n。]{0,3}(?:ない|ません)"
        rf"|не использует[^\n.]{{0,12}}{_GPU}|{_GPU}[^\n.]{{0,12}} не использ"
        rf"|{_GPU}[^\n.]{{0,16}}\bnicht (?:be|ge)nutzt|nutzt[^\n.]{{0,16}}{_GPU}[^\n.]{{0,4}} nicht"
        rf"|\bno (?:usa|utiliza|se usa)\b[^\n.]{{0,8}}{_GPU}|n.utilise pas[^\n.]{{0,8}}{_GPU}"
        rf"|não usa[^\n.]{{0,8}}{_GPU}",
    ),
    "gpu-not-usable": Told(
        "gpu|cuda|card",
        r"\b(?:can.?t|cannot|could ?n.t|unable to|does ?n.t|do ?n.t|won.t|is ?n.t|not|fails? to)\b"
        r"(?: \w{1,12}){0,2} (?:to )?(?:(?:use|using|utili[sz]e|utili[sz]ing|enable|select|run on|running on"
        r"|recogni[sz]e|detect|find|see)\b(?: (?:a|an|any|my|the|this|your|its|nvidia|available)){0,2}"
        # What is not found under the name of CUDA is mostly the toolkit.
        r" (?:GPU|graphics card)|(?:use|using|utili[sz]e|utili[sz]ing|enable|run on|running on)\b"
        r"(?: (?:my|the|this|your|nvidia|available)){0,2} CUDA)\b",
    ),
    # torch was asked for the card, and the answer was no.
    "torch-says-no": Told(
        "torch",
        r"torch[^\n。]{0,16}(?:显卡|顯卡|显示卡|顯示卡|gpu|cuda)[^\n。]{0,12}(?:结果|結果|输出|輸出"
        r"|返回|显示|顯示|是|为)[^\n]{0,10}false"
        r"|torch\b[^\n.]{0,24}\b(?:gpu|cuda|card)\b[^\n.]{0,24}\b(?:says|returns|prints|gives|is) false",
    ),
    "torch-versions-changed": Told(
        "+cu",
        r"torch[^\n]{0,12}\d\.\d{1,2}\.\d{1,2}\+cu\d{2,3}[`\")]{0,2} {0,2}(?:→|-{1,2}>|=>|to|by|with"
        r"|换成|变成|变为)\s",
    ),
    # The load of the card, as somebody has seen it.
    "gpu-load-low": Told(
        _GPU_WORDS,
        rf"{_GPU}[^\n%]{{0,60}}?(?<![\d.,])[0-5](?:[.,]\d)?(?: ?[-~～] ?[1-9])? ?[%％]"
        rf"|(?<!cpu )(?<!cpu at )(?<!cpu usage )(?<!cpu usage is )(?<!cpu load )(?<!cpu load is )"
        rf"(?<![\d.,])[0-5] ?[%％][^\n.]{{0,20}}{_GPU}"
        rf"|{_GPU} ?(?:的)?(?:占用|使用|利用)率?[^\n，。]{{0,6}}(?<![\d.])0(?!\.?\d)"
        rf"|{_GPU}[^\n.]{{0,60}}(?:n.t|not|never) (?:go|goes|get|gets|rise|exceed)(?: (?:above|over"
        r"|past|beyond))? \d{1,2} ?%"
        rf"|{_GPU} (?:usage|utili[sz]ation|load)\b[^\n.]{{0,20}}\b(?:near|almost|nearly"
        r"|close to) (?:zero|0|nothing)\b"
        r"|\bno (?:gpu )?activity\b",
    ),
    "cpu-load-high": Told(
        _CPU_WORDS,
        rf"{_CPU}[^\n%]{{0,24}}?(?<![\d.,])(?:100|[6-9]\d) ?[%％]|\b100 ?%[^\n.]{{0,12}}{_CPU}"
        r"|\bhigh cpu (?:usage|load)"
        r"|\bcpu (?:usage|load)\b[^\n.]{0,12}\bhigh\b|负载都是 ?cpu|cpu[^\n，。]{0,6}(?:拉满|跑满|占满"
        r"|爆满|很高)",
    ),
    # torch has found the card: it says so, or a person does.
    "gpu-works": Told(
        "is_available|cuda|running on",
        r"\bis_available\((?:(?!false)[^\n]){0,40}?(?<![a-z])true(?![a-z])|\busing cuda device ?\d"
        r"|(?<![a-z])device\)?(?: is| ?[:=]|已经是|是"
        r"|为)+ {0,2}(?:device\(type=)?[\"']?cuda(?![\w\"']* if\b)"
        r"|\b(?:py)?torch.{0,2} (?:gpu|cuda) (?:is )?(?:available|works?|working)\b"
        r"|\bdevice info\w{0,9}[^\n.]{0,24}\bcuda(?::\d)?\b|(?:设备|裝置)(?:信息|名称?)?[^\n。]{0,10}cuda:\d"
        r"|cuda ?(?:确定|确实|的确)[^\n，。]{0,4}(?:用上|启用|可用|在用)"
        r"|(?:确定|确实)[^\n，。]{0,4}(?:用上|用到|启用)了? ?(?:cuda|gpu)"
        r"|\bcuda version installed and working\b"
        r"|\bcuda:\d \(|\bcuda available: true|\brunning on (?:an? |my |the )?(?:rtx|gtx|cuda)",
    ),
    "task-manager": Told(
        "manager|taskman|任务|任務|工作|タスク|диспетчер|administrador|gestionnaire|gerenciador|작업",
        r"\btask[- ]?manager\b|\btaskman\b|\b(?:compute|computer|device) (?:device )?manager\b"
        r"|任务管理器|任務管理員|工作管理員"
        r"|タスク ?マネージャ|диспетчер\w{0,2} задач|administrador de tareas|gestionnaire des tâches"
        r"|gerenciador de tarefas|작업 ?관리자",
    ),
    "nvidia-smi": Told("nvidia-smi|gpu-util", r"nvidia-smi|gpu-util"),
    # Work of the kind that torch does.
    "computes": Told(
        "train|infer|epoch|torch|训练|訓練|推理|学習|обуч|entren|entraîn|trein|학습|comfy|diffusion"
        "|faces|generat|transcri",
        r"\btrain|\binference|\bepochs?\b|torch|训练|訓練|推理|学習|обуч|entren|entraîn|trein[oa]|학습"
        r"|comfyui|diffusion"
        r"|\bfaces\b|\bgenerat(?:e|es|ing|ion)\b|\btranscri(?:b|pt)",
    ),
    "windows": Told("win", r"\bwindows\b|(?<![a-z])win(?:7|8|10|11|系)|\bwin ?1[01]\b"),
    "nvidia-card": Told(_NVIDIA_WORDS, _NVIDIA_CARD),
    "amd-card": Told(
        "amd|radeon|rx|a卡| xt|xtx|zluda",
        r"(?<![a-z])rx ?-?(?:[4-7]\d0|[5-9]\d{3}|vega)(?!\d)|\bradeon (?!(?:\(tm\) )?graphics\b|\d{3}m\b)"
        r"|\b(?:gpu|card) (?:is|comes) from amd\b|\bamd (?:gpu|(?:graphics|video) card|radeon"
        r"|显卡|顯卡)|(?<![a-z])amd(?:的)?显卡|(?<![a-z])a卡"
        r"|(?<![\d.])(?:5[5-7]00|6[4-9][05]0|7[6-9]00|90[67]0) ?(?:xtx?|gre)\b",
    ),
    # A program says that it has found no card.
    "no-gpu-found": Told(
        "gpu|cuda",
        r"\bno (?:supported |nvidia |compatible )?gpus? (?:was |is |were )?(?:detected|found)"
        r"|\bgpu (?:is )?not (?:detected|found|available)"
        r"|\bnot able to use gpu|\bcuda (?:is )?(?:not|un) ?available",
    ),
    # Programs that compute on the card without torch.
    "other-runtime": Told(
        "llama|studio|kobold|vulkan|ncnn|upscayl|tensorflow|keras|opencl|blender|game|fps|minecraft"
        "|onnx|directml|whisper.cpp|ctranslate|faster|游戏|遊戲",
        r"\bollama\b|llama\.?cpp|\blm ?studio\b|\bkobold|\bvulkan\b|\bncnn\b|\bupscayl\b|tensorflow"
        r"|\bkeras\b|\bopencl\b"
        r"|\bblender\b|\bgames?\b|\bfps\b|\bminecraft\b|\bonnx ?runtime\b|directml|whisper\.cpp"
        r"|ctranslate2|faster[- ]whisper"
        r"|游戏|遊戲",
    ),
    "tensorflow": Told("tensorflow|keras", r"tensorflow|\bkeras\b"),
    "shared-memory": Told("shared|共享|共用|共有", r"\bshared (?:gpu )?memory\b|共享|共用|共有 ?gpu"),
    # What was installed has taken the CUDA build of torch away.
    "torch-lost-cuda": Told(
        "torch",
        r"\b(?!uninstalling the )(?!uninstall\w{0,3} (?:py)?torch cpu)"
        rf"{_REPLACES}\b[^\n]{{0,80}}torch[^\n]{{0,60}}{_NO_CUDA}"
        rf"|\b{_REPLACES}\b[^\n]{{0,40}}{_NO_CUDA}[^\n]{{0,30}}torch"
        rf"|torch[^\n]{{0,60}}\b{_REPLACES}\b[^\n]{{0,50}}{_NO_CUDA}"
        rf"|torch[^\n]{{0,60}}{_NO_CUDA}[^\n]{{0,30}}\b{_REPLACES}\b"
        rf"|\b(?:puts?|installs?|installed|pull(?:s|ed)(?: in)?|br(?:ings?|ought)|downloads?"
        rf"|gets?|gave|gives|drags in)\b"
        rf"[^\n.]{{0,30}}{_NO_CUDA}[^\n.]{{0,40}}\b(?:over|in place of|on top of|instead of)\b"
        r"|torch[^\n。]{0,24}(?:换成|換成|替换|替換|覆盖|覆蓋|降级|降級|变成|變成|装成|卸载"
        r"|卸載)[^\n。]{0,16}"
        r"(?:cpu ?版|不带 ?cuda|不帶 ?cuda|没有 ?cuda|非 ?cuda)"
        r"|torch[^\n。]{0,12}cpu版[^\n。]{0,6}(?:置き換|上書き|ダウングレード|変わ|なって)"
        r"|torch[^\n.]{0,40}(?:durch|mit|zu)[^\n.]{0,12}(?:cpu-?(?:version|build)|ohne cuda)"
        r"|torch[^\n.]{0,30}(?:замен|перезапис)"
        r"[^\n.]{0,30}(?:cpu|без cuda)|(?:reemplaz|sobrescrib|substitui"
        r"|sobrescrev)\w{1,6}[^\n.]{0,20}torch[^\n.]{0,24}"
        r"(?:cpu|sin cuda|sem cuda)|(?:remplac|écras)\w{1,5}[^\n.]{0,12}torch[^\n.]{0,20}(?:cpu|sans cuda)"
        r"|torch[^\n.]{0,8}cpu ?버전[^\n.]{0,6}(?:바뀌|바뀐|교체|덮어|변경)",
    ),
    # What was installed has put a CPU build there, or the card is gone since.
    "gpu-lost-by-install": Told(
        "instal|装|裝|установ|インストール|入れ|설치",
        r"\binstall\w{0,4} (?!the (?:cuda|nvidia|driver)|cuda|nvidia|(?:a |the )?(?:new "
        r"|latest )?driver|(?:py)?torch|windows)"
        r"[^\n]{2,90}?\b(?:gpu|cuda|card"
        r"|is_available\S{0,2})\b[^\n.?]{0,24}(?:\bnot? (?:longer )?(?:available|detected|found"
        r"|visible|seen|there|used)\b|\bfalse\b|\bgone\b|\bno more\b|n.t (?:available"
        r"|detected|found|work)|\bdisappear)"
        r"|\binstall\w{0,4} (?!cuda|nvidia|the |a "
        r"|(?:py)?torch)[^\n]{2,60}?"
        r"(?:\b(?:now|then|suddenly|afterwards) (?:\w{1,9} ){0,3}no (?:gpu|cuda)"
        r"|\bno longer (?:a|any) (?:gpu|cuda))\b"
        r"|(?:安装|裝|装)(?:了|完)?(?!驱动| ?cuda| ?torch)[^\n。]{1,24}(?:之?[后後]"
        r"|就)[^\n。]{0,16}(?:gpu|cuda|显卡|顯卡)"
        r"[^\n。]{0,8}(?:不可用|用不了|没了|false|不能用|找不到)"
        r"|(?:nach (?:dem|der) install|nachdem)[^\n.]{2,60}(?:gpu|cuda"
        r"|karte)[^\n.]{0,20}(?:nicht mehr|\bweg\b|false)"
        r"|(?:después de|tras|al) instalar (?!cuda|el driver)[^\n.]{2,60}(?:gpu"
        r"|cuda)[^\n.]{0,20}(?:ya no|no está|false)"
        r"|(?:após|depois de) instalar (?!cuda)[^\n.]{2,60}(?:gpu|cuda)[^\n.]{0,20}(?:não|false|sumiu)"
        r"|(?:après|depuis)[^\n.]{0,20}install[^\n.]{2,60}(?:gpu|cuda"
        r"|carte)[^\n.]{0,24}(?:n.est plus|plus|false)"
        r"|после установки (?!cuda|драйвер)[^\n.]{2,60}(?:cuda|gpu|видеокарт)[^\n.]{0,24}(?:не |пропал|false)"
        r"|(?:インストール|入れ)[^\n。]{0,8}(?:したら|すると|たら|後)[^\n。]{0,30}(?:gpu|cuda)[^\n。]{0,12}(?:なくな|false|使えな"
        r"|認識しな)|설치[^\n.]{0,8}(?:후|하니|하면)[^\n.]{0,30}(?:gpu|cuda)[^\n.]{0,12}(?:안 |못|없|false)",
    ),
    "torch-named": Told("torch", r"torch"),
    # A torch of pip that computes on the processor.
    "pip-torch-on-cpu": Told(
        "torch",
        r"pip[^\n。.]{0,10}(?:装|裝|安装|安裝)[^\n。.]{0,8}torch[^\n。.]{0,12}cpu"
        r"|\btorch (?:that (?:came )?|i (?:installed |got )?)?(?:from|with|by|through"
        r"|via) pip\b[^\n.]{0,40}\bcpu\b"
        r"|\bpip install(?:ed)? (?:py)?torch\b[^\n.]{0,40}\b(?:on|uses?|using) (?:the |my )?cpu\b",
    ),
    # Nobody asked for it.
    "unwanted": Told(
        "br|issue|problem|cause|my |existing|user|time|after|not |can|之后|以后|后|导致|我的|после|nach"
        "|wurde|instal|installation|mon |m"
        "|설치|したら|れたら",
        r"\bbr(?:oke|eaks?|oken|eaking)\b|\bissue\b|\bproblem|\bcaus(?:e|es|ed|ing)\b|\bmy\b"
        r"|\bexisting\b|\buser.s\b|\bevery time\b"
        r"|\bafter (?:i |we )?(?:install|updat|add)|\bnot (?:start|work)|\bcan(?:.?t|not)\b|之后|以后"
        r"|启动不了|我的|后|导致|после|\bnach dem\b"
        r"|\bwhat do i do wrong\b|\bwhy\b|\bmein\b|\bal instalar\b|\bmi torch|l.installation"
        r"|\bmon torch|a instalação|\bmeu torch"
        r"|설치했|したら|れたら",
    ),
    # It was done on purpose, or is a wish.
    "torch-chosen": Told(
        "i |can |how |please |cuda|gpu|to |ci|docker|we |nice",
        r"\bI(?: have|.ve)? (?:replaced|re-?installed|installed|downgraded|switched|forced"
        r"|changed)\b[^\n.]{0,40}torch"
        r"|\bcan (?:we|you) (?:make|release|provide)\b|\bhow (?:do|can|to|should)(?: I| we)? (?:install"
        r"|force|get|change|replace)\b"
        r"|\bplease (?:replace|make|add|provide)\b|\bhow (?:do|can|to|should)(?: I"
        r"| we)? \w{2,12} (?:py)?torch"
        r"|\bto (?:save|make|keep|test|reduce)\b|\bin CI\b|\bdockerfile\b|\bwe (?:force|replace"
        r"|install)|\bno gpu\b|\bnice\b"
        r"|\b(?:with|by|to|for) (?:the |a )?(?:cuda|gpu)[- ](?:version|build|enabled|torch|pytorch)",
    ),
    "rocm": Told("rocm|amd", r"\brocm\b|\bamd (?:gpu|card)|\bmy amd\b"),
    "rtx-50-fails": Told(
        "50|blackwell",
        rf"{_RTX_50}(?:[^\n.。]|\.\d){{0,60}}?{_FAILS}|{_FAILS}(?:[^\n.。]|\.\d){{0,40}}?{_RTX_50}"
        r"|50 ?系[^\n。]{0,6}(?:能用|可用|能跑|适配|支持)的?[^\n。]{0,4}(?:整合包|版本|教程|吗|嗎)",
    ),
    # torch is what somebody blames for it.
    "torch-blamed": Told(
        "torch",
        r"\b(?:due to|because of|old(?:er)?|outdated|newer|updat\w{1,4}|upgrad\w{1,4}|wrong"
        r"|current)\b[^\n.]{0,24}torch"
        r"|torch\b[^\n.]{0,30}\b(?:too old|outdated|needs? (?:an? )?(?:updat|upgrad|newer)"
        r"|does ?n.t support)",
    ),
    # The build that these cards need, as somebody asks for it.
    "cuda-12.8-needed": Told(
        "cu12|cu13|12.8|12.9|cuda",
        r"(?:\bneed|\brequire|\bupdate|\bupgrade|\bplease\b|\buse\b|\bswitch|\bsupport|需要|更新|升级"
        r"|braucht|\bbitte\b|нуж|necesita"
        rf"|precisa|\bfaut\b)[^\n。]{{0,40}}{_CUDA_12_8}|{_CUDA_12_8}[^\n。]{{0,8}}(?:が必要|필요|nötig"
        r"|nécessaire|requis|\bis needed)"
        rf"|(?:torch|pytorch)[^\n]{{0,12}} {_CUDA_12_8}\b[^\n]{{0,12}}\?|\bfaut {_CUDA_12_8}",
    ),
    # A torch that has no code for these cards.
    "torch-before-2.7": Told("torch|sm_", r"\bsm_?90(?!\d)|torch[ =:v]{0,3}(?:2\.[0-6]|1\.\d{1,2})(?!\d)"),
    "torch-after-2.7": Told(
        "torch|+cu",
        r"\b(?:have|has|installed|using|running|with|and|on) (?:py)?torch[ =:v]{0,3}2\.(?:[7-9]|1\d)(?!\d)"
        r"|cu1(?:2[89]|3\d)(?: is)? installed|\d\+cu1(?:2[89]|3\d)",
    ),
    # It is over, or was never there.
    "solved": Told(
        "fix|work|now|added|notes|buy|solved|好了|解决",
        r"\bfixed\b|\bworks? (?:now|fine|great|well|again)\b|\bnow (?:works?|ships|supports)\b|\b(?:was"
        r"|were|support|series) added\b"
        r"|\brelease notes\b|\bshould i buy\b|\bsolved\b|就好了|解决了|已解决",
    ),
    "driver": Told("driver|驱动|驅動", r"\bdrivers?\b|驱动|驅動"),
    "conflict": Told("conflict|冲突|衝突", r"\bconflict|冲突|衝突"),
    # An error is there to be read: then it decides, and not the sentences.
    "error-line": Told(
        "error|traceback|exit|0xc|memory|exception|1455",
        r"\btraceback \(most|\b\w{2,40}(?:error|exception)\b ?:|\berror(?: code)? ?: ?\S"
        r"|\bexit(?:ed)?(?: with)? code|0xc0000"
        r"|\bout of memory\b|\berror \d{2,5}\b|\b1455\b",
    ),
    "comfyui": Told("comfy", r"comfy"),
    "makes-pictures": Told("image|frame|video|picture", r"\bimages?\b|\bframes?\b|\bvideos?\b|\bpictures?\b"),
    "vram-full": Told(
        "显存|顯存|vram|gpu memory",
        r"(?:显存|顯存|\bvram|\bgpu memory)[^\n，。,]{0,8}(?:满|滿|full|maxed)",
    ),
    "gpu-use-low": Told(
        "gpu",
        r"gpu[^\n，。]{0,4}(?:占用|佔用|利用|使用)率?[^\n，。]{0,4}(?:低|不高|上不去)|gpu (?:usage"
        r"|utili[sz]ation)[^\n.]{0,8}\blow",
    ),
    "integrated-used": Told(
        "integrated|igpu|显|顯|内蔵|integriert|встроенн|integrad|intégré|내장",
        r"(?:\b(?:us(?:es?|ing)|runs?|running|runs on|picks?|selects?|selecting|takes?|sets?|prefers?"
        r"|detecting)\b|用的?是|使用"
        rf"|nutzt|использует|\busa\b|utilise)[^\n.:]{{0,40}}{_INTEGRATED}"
        rf"|{_INTEGRATED}[^\n.。]{{0,12}}(?:is used|を使|が使|사용|instead of|statt|вместо)",
    ),
    "directml": Told("directml|dml|olive", r"directml|dmlexecution|(?<![a-z])dml(?![a-z])|\bolive\b"),
    "second-card": Told(
        f"{_NVIDIA_WORDS}|discrete|dedicated|laptop|rx",
        rf"\bdiscrete\b|\bdedicated (?:gpu|graphics)|独显|獨顯|\blaptop\b|{_NVIDIA_CARD}"
        r"|(?<![a-z])rx ?\d{3,4}",
    ),
}
CARD_FACTS: Mapping[str, Told] = MappingProxyType(_FACTS)
