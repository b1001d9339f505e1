"""What a person tells of a program that ends, stands still, runs again or is slow, in several languages."""

from collections.abc import Mapping
from types import MappingProxyType

from torchdoctor.knowledge.told.fact import Told

_FACTS = {
    # The whole program runs once more, or several times.
    "runs-again": Told(
        "restart|again|times|twice|start|重复|多次|次|再",
        r"\btraining (?:re-?starts|starts (?:again|over)|begins again)\b|\brestarts? from epoch\b"
        r"|\b(?:code|script|program|it|everything) (?:\w{1,9} )?(?:runs|executes|starts"
        r"|prints \w{1,10}) (?:\w{1,9} )?"
        r"(?:(?:several|multiple|many|two|three|four|\d{1,2}) times\b"
        r"(?! (?:as (?:slow|fast|long|m)|more |slower|faster|longer|less))"
        r"|again from (?:the |its )?(?:beginning|start|top|first line))\b"
        r"|\b(?:data(?:set)?|code|script|print|line|message|statement|model|everything"
        r"|it)\b[^\n.]{0,40}\b(?:load(?:s|ed)|run"
        r"|runs|executed?|printed"
        r"|imported|created)\b[^\n.]{0,12}\b(?:twice|(?:several|multiple|many|two|three|four|five|six|eight"
        r"|nine|\d{1,2}) times\b(?! (?:as (?:slow|fast|long|m)|more |slower|faster|longer|less)))"
        r"|(?:数据|程序|代码|脚本|主程序|整个|打印)[^\n。]{0,8}(?:load|加载|导入|执行|运行|打印|载入)"
        r"[^\n。]{0,3}(?:多次|[2-9两三四几] ?次|重复)"
        r"|(?:重复|多次)(?:加载|导入|执行|运行|打印)[^\n。]{0,6}(?:数据|程序|代码|脚本)|数据(?:会)?(?:多次|重复)(?:导入|加载)",
    ),
    # The program, or one call, does not get on.
    "hangs": Told(
        "hang|hung|freez|froze|stuck|respond|still|progress|happen|nothing|never|continue|move|sits|卡|没反应|沒反應"
        "|不动|不動|假死|响应|固|止|フリーズ|進|завис|двига|на месте|häng|frier|bleibt|passiert|cuelga"
        "|queda|congela|avanza|bloqu|passe|trava|avança|멈|먹통",
        r"\b(?:hangs|hanging|hung|freez(?:es|ing)|froze(?:n)?|(?:gets?|got|is|was|be|been|just|keeps?) stuck"
        r"|stuck (?:at|on|in|here|there|for ?ever)"
        r"|stops? responding|not responding|stands? still|(?:no|without) (?:any )?progress"
        r"|nothing (?:ever )?happens"
        r"|(?:does|do|doing|did) (?:absolutely |just )?nothing (?:for|more|else|at all)"
        r"|never (?:starts|ends|finishes|returns|continues|begins)"
        r"|(?:does ?n.t|does not|won.t) (?:continue|progress|proceed|move|go on)|just sits)\b"
        r"|卡死|卡住|卡在|一直卡|没反应|沒反應|不动了|不動了|假死|无响应|固まっ|固まり|止まっ|止まり|フリーズ|進まな|進みませ"
        r"|завис|не двига|стоит на месте|\bhängt\b|friert|bleibt (?:\w{1,12} ){0,2}(?:hängen|stehen)"
        r"|passiert nichts"
        r"|se (?:cuelga|queda|congela|bloque)|no avanza|ne se passe rien|\btrava\b|\bcongela|não avança"
        r"|멈[춰추췄춥]|먹통",
    ),
    "loader-workers": Told(
        "worker|loader|воркер|워커",
        r"\bnum_?workers?\b|(?<![a-z])data ?loaders?\b|\bworkers? (?:process|>|=|above|greater|more)|ワーカー"
        r"|воркер|워커",
    ),
    # A program that computes with torch, told by its kind.
    # The training waits before each epoch, and is fast afterwards.
    "epoch-pause": Told(
        "epoch|fit|轮|エポック|эпох|époque|época|에포크",
        r"\b(?:between|before|(?:start|beginning) of)\b(?: (?:each|every|two|the|any|all|a"
        r"|new|next)){0,3} (?:epochs?|fit(?:_one_cycle)?)\b"
        r"[^\n.]{0,60}\b(?:nothing|paus\w{1,3}|waits?|waiting|delays?|idle|hangs?|stalls?|lags?|freez\w{1,3}|minutes?|seconds?)\b"
        r"|\b(?:nothing|paus\w{1,3}|waits?|waiting|delays?|stalls?|lags?|freez\w{1,3}|minutes?|seconds?|gap)\b[^\n.]{0,50}"
        r"\b(?:between|before|(?:start|beginning) of)\b(?: (?:each|every|two|the|any|all|new"
        r"|next)){0,3} (?:epochs?|fit(?:_one_cycle)?)\b"
        r"|\b(?:each|every|per) epoch (?:start(?:up|s)?|begin(?:s|ning)?)\b[^\n.]{0,40}"
        r"\b(?:minutes?|seconds?)\b"
        r"|每(?:个|一个|次|一)? ?(?:epoch|轮|fit)[^\n。]{0,8}(?:之间|开始|前"
        r"|后)[^\n。]{0,24}(?:卡|等|停|没反应|很久|几十秒|分钟)"
        r"|エポック(?:の間|間|ごと|毎|の(?:最初|開始)|の前)[^\n。]{0,30}(?:待|止ま|秒|分|固ま)"
        r"|(?:между|перед|в начале) (?:кажд\w{1,3} )?эпох\w{0,3}[^\n.]{0,60}(?:пауз|жд|ожида"
        r"|зависа|долго|секунд|минут)"
        r"|\b(?:zwischen|vor)\b (?:den |zwei |jeder )?epochen?\b[^\n.]{0,60}(?:pause|warte"
        r"|dauert|hängt|sekunden|minuten)"
        r"|\b(?:entre|avant) (?:les |chaque )?époques?\b[^\n.]{0,50}(?:pause|attend|secondes|minutes)"
        r"|\b(?:entre|antes de) (?:las |cada |as )?épocas?\b[^\n.]{0,50}(?:pausa|espera|segundos|minutos)"
        r"|(?:에포크|epoch) ?(?:사이|마다|시작)[^\n.]{0,24}(?:멈|기다|초|분)",
    ),
    "torch-program": Told(
        "torch|fastai|train|epoch|loader|diffusion|comfy|webui|web-ui|a1111|forge|yolo|ultralytics|lightning|transformers"
        "|jupyter|easyocr|whisper|pyannote|demucs|facefusion|fooocus|invokeai|flux"
        "|ipynb|训练|訓練|学習|обуч|학습|entrena|entraîn|trein",
        r"torch|\bfastai\b|\btrain(?:s|ed|er|ing)?\b|\bepochs?\b|data ?loader|stable ?diffusion"
        r"|comfy|web-?ui|a1111"
        r"|\bsd.?forge|\bforge\b"
        r"|\byolo|ultralytics|\blightning\b|\btransformers\b|jupyter|ipynb|\beasyocr|\bwhisper|\bpyannote|\bdemucs"
        r"|\bfacefusion|\bfooocus|\binvokeai|\bflux|训练|訓練|学習|обуч|학습|entrena|entraîn"
        r"|\btrein",
    ),
    # An installation, a download, the whole computer, or a number that does not change.
    "other-standstill": Told(
        "install|download|pip|conda|loss|accura|map|score|pc|computer|machine|system|screen|laptop|windows"
        "|安装|安裝|下载|下載|电脑|電腦"
        "|インストール|установ|скач|компьютер|rechner|descarg|téléch",
        r"\binstall|\bdownload|\bpip\b|\bconda (?:create|install|update)|\bstuck (?:at|on|around) (?:a "
        r"|an )?(?:loss|acc|map|score|local)"
        r"|\b(?:loss|accuracy) (?:is |gets |stays )?stuck"
        r"|\b(?:pc|computer|machine|laptop|system|screen|windows)\b[^\n.]{0,16}\b(?:freez|froze|hang|hung"
        r"|stuck|locks? up)"
        r"|安装|安裝|下载|下載|电脑|電腦|インストール|установ|скач|компьютер|\brechner|descarg|téléch",
    ),
    # The kernel of a notebook, or of Spyder, has ended.
    "kernel-died": Told(
        "kernel|内核|核心|カーネル|ядро",
        r"\bkernel\b[^\n.]{0,24}\b(?:died|dies|dead|crash(?:es|ed)?|restart(?:s|ed|ing)?)\b"
        r"|\bdead kernel\b|内核[^\n。]{0,8}(?:挂|死|崩溃|重启)|カーネル[^\n。]{0,8}(?:停止|落ち|死|再起動)"
        r"|ядро[^\n.]{0,16}(?:упал|умер|переза)",
    ),
    "trains": Told("train|epoch|训练|訓練|学習|обуч|학습", r"\btrain|\bepochs?\b|训练|訓練|学習|обуч|학습"),
    # The process that served the page, or the program itself, has ended.
    "process-gone": Told(
        "itself|its own|ends|terminat|reconnect|disconnect|pause|any key|any button|without|clos|exit|quit"
        "|dies|disappear|vanish"
        "|crash|shut|stop|重新|断开|斷開|闪退|閃退|退出|关闭|再接続|閉じ|落ち|終了|закрыва|вылета"
        "|schließt|beendet|cierra|ferme|fecha|꺼|튕|종료",
        r"\breconnecting\b|\b(?:gets?|got|gui|ui|server|comfyui|backend"
        r"|it)\b[^\n.]{0,16}\bdisconnect(?:s|ed|ing)?\b"
        r"|>\s?pause\b|\bgoes? (?:into )?pause\b|\b(?:press|click|hit) any (?:key|button)\b"
        r"|\bcrash(?:es|ed)? without (?:any |an? )?(?:\w{1,9} )?(?:message|error|warning|log)"
        r"|\b(?:just|simply|suddenly|instantly|silently) (?:closes?|exits?|quits|dies|disappears"
        r"|vanishes|crashes|shuts down)\b"
        r"|\b(?:python|program|script|app|training|web-?ui|comfyui|process|it) (?:will |always |just ){0,2}"
        r"terminates? (?:after|when|while|during)\b"
        r"|\b(?:window|console|cmd|terminal)\b[^\n.]{0,12}\b(?:closes|disappears|vanishes)\b"
        r"|\b(?:closes?|closed|shuts? down|exits?|quits?|stops?) (?:by |on )?(?:itself|its own)\b"
        r"|\b(?:python|program|script|app|training|web-?ui|it|process|notebook)\b (?:\w{1,9} ){0,2}(?:closes"
        r"|exits|quits|stops"
        r"|terminates|ends|dies)\b[^\n.]{0,30}\b(?:without|no|with no) (?:any |an? )?(?:\w{1,9} )?(?:error"
        r"|message|warning|traceback)"
        # Whatever its name is; to exit without an error is what programs should do.
        r"|\b(?:(?:terminates|dies) without (?:(?:any|an?|showing|giving|printing|throwing|raising) ){0,2}"
        r"|(?:closes|exits|quits|ends) without (?:(?:any|showing|giving|printing|throwing|raising) ){1,2}"
        r"(?:an? )?)(?:error|message|warning|traceback|exception)"
        r"|重新連結|重新连接|重新連接|断开了?连接|断开了|斷開|闪退|閃退|直接退出|自动(?:关闭|退出)"
        r"|再接続|勝手に閉じ|落ちます|落ちる"
        r"|強制終了|закрывается|вылетает|schließt sich|beendet sich|se cierra|se ferme|fecha sozinh"
        r"|꺼집니다|꺼져|튕겨|튕깁",
    ),
    "model-loads": Told(
        "load|加载|加載|載入|モデル|загруз|lade|lädt|carg|charge|carrega|모델",
        r"\bload(?:s|ing|ed)?\b[^\n.]{0,24}\b(?:models?|checkpoints?|unet|vae|clip|text encoders?"
        r"|weights|shards|gguf|safetensors)\b"
        r"|\b(?:models?|checkpoints?) (?:is |are )?load(?:s|ing)\b|加[载載][^\n。]{0,6}(?:模型|unet|vae"
        r"|clip)|模型加[载載]"
        r"|載入[^\n。]{0,4}模型|モデル[^\n。]{0,4}(?:読み?込|ロード)|загруз\w{1,5} модел"
        r"|laden des modells|modell[^\n.]{0,8}lädt"
        r"|carga\w{0,3} el modelo|charge\w{0,4}[^\n.]{0,6}modèle|carrega\w{0,3} o modelo"
        r"|모델[^\n.]{0,4}(?:불러|로드|로딩)",
    ),
    "generation-begun": Told(
        "generat|workflow|ksampler|textencode|工作流|跑到|生成|генерац|generier|génér|gerar|생성",
        r"\bgenerat(?:e|es|ing|ion)\b|\bworkflows?\b|ksampler|textencode|工作流|跑到一半|生成|генерац"
        r"|generier|génér|gerar|생성",
    ),
    "stuck-at-loading": Told(
        "load|卡在|停在",
        r"\b(?:stuck|stops?|hangs?|freez\w{1,4}|not (?:going|getting|go|get) (?:beyond|past"
        r"|further))\b[^\n.]{0,24}\bloading\b"
        r"[^\n.]{0,12}\b(?:checkpoints?|models?|shards)"
        r"|\bloading (?:the )?(?:checkpoints?|models?|shards)\b[^\n.]{0,30}\b(?:stops?|stuck|hangs?"
        r"|freezes?)\b|(?:卡在|停在)[^\n。]{0,8}加载[^\n。]{0,4}模型",
    ),
    "no-message": Told(
        "no |without|nothing|anything|show|print|没|沒|不报",
        r"\b(?:no|without(?: (?:any|an?|showing|giving|printing|throwing"
        r"|raising)){0,2}) (?:error|warning)(?: messages?)?\b|\bno messages?\b"
        r"|\bnothing (?:is )?(?:shown|printed)\b"
        r"|(?:n.t|\bnot) (?:show|print)(?:ing)? (?:me )?(?:anything|(?:an |any )?errors?)\b"
        r"|\b(?:shows?|prints?) nothing\b"
        r"|[没沒]有?(?:任何)?(?:报错|報錯|提示|错误)|不报错",
    ),
    "little-ram": Told(
        "ram|memory|ddr|内存|メモリ|озу",
        r"(?<![\d.])(?:8|12|16|24|32) ?gb? (?:of )?(?:system )?(?:ram|memory|ddr\d?l?|de ram)\b"
        r"|(?<![a-z])ddr\dl?[- ](?:\d{4} ?)?(?:8|12|16|24|32) ?gb?\b"
        r"|(?<![a-z])(?:ram|memory|内存|メモリ)[^\n]{0,30}?(?<![\d.])(?:8|12|16|24|32) ?gb?\b"
        r"|(?<![\d.])(?:8|12|16|24|32) ?(?:gb?的?内存|гб озу)",
    ),
    # The whole computer stands still, and not the program alone.
    "pc-freezes": Told(
        "pc|computer|laptop|system|machine|mouse|电脑|電腦|компьютер|rechner",
        r"\b(?:pc|computer|laptop|system|machine)s?\b (?:\w{1,10} ){0,3}(?:freez\w{1,4}|frozen|froze"
        r"|lock(?:s|ed)? up)\b"
        r"|\b(?:freez(?:es|ing)|froze|frozen|locks? up) (?:my|the|up my|(?:the|my) (?:whole|entire)) "
        r"(?:pc|computer|laptop|system|machine)\b"
        r"|\b(?:mouse|cursor)\b[^\n.]{0,24}\b(?:freez|frozen|stuck|not move|n.t move)"
        r"|(?:电脑|電腦)[^\n。]{0,8}(?:卡死|死机|死機|卡住)|компьютер (?:\w{1,10} )?завис|\brechner friert",
    ),
    # The page of a server elsewhere, or of another system.
    "elsewhere": Told(
        "internet|browser|websocket|nginx|proxy|runpod|colab|docker|cloud|remote|ssh|no longer|mac"
        "|linux|ubuntu",
        r"\binternet\b|\bbrowser\b|\bwebsocket\b|\bnginx\b|\bproxy\b|\brunpod\b|\bcolab\b|\bdocker\b"
        r"|\bcloud\b|\bremote\b|\bssh\b"
        r"|\bno longer appear|\bmac ?os\b|\bmacbook\b"
        r"|\blinux\b|\bubuntu\b",
    ),
    # A little more work takes many times as long.
    "slow-jump": Told(
        "min|sec|hour|s/it|it/s|小时|分",
        r"\d{1,4} ?(?:min\w{0,4}|sec\w{0,4})\b[^\n]{0,160}\b(?:takes?|needs?) (?:\w{1,9} ){0,2}?hours\b"
        r"|\d{1,4} (?:frames|images|pictures|steps)\b[^\n]{0,40}\d ?(?:min"
        r"|sec)\w{0,4}\b[^\n]{0,200}?\b(?:1|one|a single) "
        r"(?:step|iteration|frame|image)\b[^\n]{0,24}\d ?(?:min|hour)"
        r"|(?<![\d.])\d(?:\.\d{1,3})? ?s/it\b[^\n]{0,160}?(?<![\d.])\d{2,4}(?:\.\d{1,3})? ?s/it\b"
        r"|\d ?it/s\b[^\n]{0,160}?(?<![\d.])\d{1,4}(?:\.\d{1,3})? ?s/it\b"
        r"|\bfast\b[^\n.]{0,80}\btakes? (?:about |around |over )?\d{1,3} ?min"
        r"|\b(?:used to|previously|before)\b[^\n.]{0,40}\b\d{1,2} ?(?:min|sec)\w{0,4}\b[^\n.]{0,80}\bnow\b"
        r"[^\n.]{0,30}\b\d{1,3} ?(?:min|hour)"
        r"|\d{1,4} ?[帧张步][^\n。]{0,10}\d ?(?:秒|分)[^\n]{0,40}[帧张步][^\n。]{0,10}小时",
    ),
    "took-minutes": Told("min", r"\b(?:in|took|takes|was) (?:about |only )?\d{1,2}(?:-\d{1,2})? ?min"),
    "takes-hours": Told("hours", r"\btakes (?:\w{1,9} )?hours\b"),
    # Other reasons to become slow, and the line of a progress bar, whose first steps are slow.
    "slow-otherwise": Told(
        "updat|upgrad|install|download|compil|worker|dataloader|<",
        r"\bupdat|\bupgrad|\binstall|\bdownload|\bcompil|\bnum_workers\b|\bworkers\b|\bdataloader"
        r"|\d\d:\d\d<",
    ),
    "slow": Told("慢|耗时|耗時|很久|秒|slow", r"慢|耗[时時]|很久|(?<!\d)\d{3,5} ?秒|\bslow"),
    # How a program with Python in it is started by hand.
    "started-by-hand": Told(
        "click|双击|雙擊|点击|點擊|打开|python|.py|.bat|.exe|script|启动",
        r"\bdouble.?click|双击|雙擊|(?:点击|點擊|打开|启动)[^\n。]{0,12}(?:bat|exe|py)|\bpython|\.py\b|\.bat\b|\.exe\b"
        r"|\bscript\b|\bclick\w{0,3} (?:on )?[\"'`]?[\w-]{1,20}[. ]{1,2}(?:bat|exe|cmd)\b",
    ),
    # An interface says that the work is done, right after its start or with nothing to show for it.
    "done-at-once": Told(
        "complet|done|finish|ended|完成|结束|成功",
        r"\btraining (?:is |has |was )?(?:complete|completed|finished|done|ended)\b[^\n]{0,120}?"
        r"\b(?:immediately|instantly|right away|at once|after (?:only |just )?\d{1,2} ?s(?:ec\w{0,4})?\b"
        r"|(?:did ?n.t|does ?n.t|did not|never) (?:\w{1,9} )?(?:run|train|start)"
        r"|no (?:\w{1,12} ){0,2}(?:files?|lora|safetensors|model)\b)"
        r"|\b(?:says?|saying|shows?|claims?)\b[^\n.]{0,30}\b(?:done|complete|completed|finished|ended)\b"
        r"[^\n.]{0,30}\b(?:after|in|within) (?:about |only |just |like )?"
        r"(?:\d{1,2} ?s(?:ec\w{0,4})?|[12] ?min\w{0,4})\b"
        r"|训练(?:完成|结束|成功)[^\n]{0,40}(?:没有|沒有|无)(?:生成|输出|保存)?[^\n。]{0,8}(?:文件|模型|权重)",
    ),
    # A window of a program that closes before anybody can read it.
    "window-gone": Told(
        "window|console|cmd|terminal|prompt|.bat|bat file|窗口|黑框|命令行|终端",
        r"\b(?:window|console|cmd|terminal|prompt|bat file)\b[^\n.]{0,80}\b(?:flash(?:es|ed)?"
        r"|appears? and (?:then )?(?:dis|clos)\w{4,9}"
        r"|clos\w{1,3} (?:again|immediately|instantly|itself|right|without|before|on its own|automatically)"
        r"|(?:immediately|instantly|just|then|and|before) clos\w{1,3}"
        r"|for a (?:fraction|split|few|brief|moment|second|short))\b"
        r"|(?:窗口|黑框|命令行|终端|cmd|\.bat)[^\n。]{0,20}(?:闪退|一闪|闪一下|自动关闭|自动退出|自己关闭|马上关)",
    ),
}
RUNNING_FACTS: Mapping[str, Told] = MappingProxyType(_FACTS)
