"""What formats, calls and prompts have as a secret where no name tells of it: a cookie, `login("x")`."""

from torchdoctor.redaction.secrets.pattern_rows import Rows

# Words of which the text has one, in lower case, and what stands before and in the place of the secret.
PRIVATE_KEYS: Rows = (
    (
        ("-----begin",),
        r"(?s)(?P<start>-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?:[ ]BLOCK)?-----)"
        r"(?:(?:(?!-----BEGIN).){0,20000}?(?=-----END)"
        # One that is cut off ends before a blank line or a line of words.
        r"|(?:\s{0,4}[\w-]{1,30}:[ ][^\n]{1,80}\n)*\s{0,4}"
        r"(?:(?!\n\s*\n|\n[^\n]{0,200}[ ]\w+[ ]\w|\n[ ]*Traceback).)*)",
    ),
    # The end of one, where only the last lines of an output are kept.
    (
        ("-----end",),
        r"(?m)(?P<start>^)(?:[^\S\n]{0,8}[A-Za-z0-9+/=]{1,80}[^\S\n]{0,8}\n){1,200}"
        r"(?=[^\S\n]{0,8}-----END [A-Z ]{0,30}PRIVATE KEY)",
    ),
)
FORMATS: Rows = (
    *PRIVATE_KEYS,
    (
        ("cookie:",),
        r"(?i)(?P<start>\b(?:set-)?cookie:[ ])(?=[^\s=;,]{1,80}=)(?!<)"
        r"(?:[^\r\n\"']|(?<==)[\"'][^\r\n\"']*[\"'])+",
    ),
    # The key of Artifactory, in a header or an address.
    (
        ("art-api",),
        r"(?i)(?P<start>\bx-jfrog-art-api(?::[ ]?|=|[\"']:[ ]?[\"']))[^\s\"'<&;,]{6,}",
    ),
    (
        ("/t/",),
        r"(?P<start>//[\w.-]+/t/)[\w-]{8,}(?=/)(?!/\d+(?![\w-]))",
    ),
    (
        ("machine ",),
        r"(?i)(?P<start>\bmachine[ ]\S+[ ]login[ ])\S+[ ]password[ ]\S+",
    ),
    (
        ("login",),
        r"(?i)(?P<start>\blogin(?:[ ]|\((?:\w+=)?[\"']))[A-Za-z0-9_-]{20,}(?:[.+/=:]+[A-Za-z0-9_-]+)*={0,2}",
    ),
    (
        ("login",),
        r"(?i)(?P<start>(?:\b|_)login\((?:\w+=)?\")(?![A-Za-z_.]*\"|https?:|<secret>)[^\"\n]{8,}",
    ),
    (
        ("login",),
        r"(?i)(?P<start>(?:\b|_)login\((?:\w+=)?')(?![A-Za-z_.]*'|https?:|<secret>)[^'\n]{8,}",
    ),
    # login("bob", "x"), HfApi("https://a.org", "x")
    (
        ("login(", "hfapi(", "authenticate("),
        r"(?i)(?P<start>\b(?:\w{0,20}login|hfapi|authenticate)\((?:[\"'][^\"'\n]{1,80}[\"'],[ ]?)?\")"
        r"(?![A-Za-z_.]*\"|https?:|<secret>)[^\"\n]{8,}(?=\"[,)])",
    ),
    (
        ("login(", "hfapi(", "authenticate("),
        r"(?i)(?P<start>\b(?:\w{0,20}login|hfapi|authenticate)\((?:[\"'][^\"'\n]{1,80}[\"'],[ ]?)?')"
        r"(?![A-Za-z_.]*'|https?:|<secret>)[^'\n]{8,}(?='[,)])",
    ),
    (
        ("login(",),
        r"(?P<start>\blogin\([^()\n]{1,120}?,[ ]?key=[\"'])(?!<)[^\"'\n]+",
    ),
    # The keys of Comet.
    (
        ("experiment(",),
        r"(?P<start>\bExperiment\([\"'])(?=[A-Za-z]*\d)[A-Za-z0-9]{16,}(?=[\"'])",
    ),
    (
        ("set_credentials(",),
        r"(?P<start>\bset_credentials\([^)\n]{0,200}?\bkey=[\"'])[^\"'\n<]+",
    ),
    (
        ("/bot",),
        r"(?P<start>/bot\d{6,12}:)[\w-]{10,}",
    ),
    (
        ('"key"',),
        r"(?P<start>\"username\":[ ]?\"[^\"\n]{1,60}\",[ ]?\"key\":[ ]?\")[^\"<]+",
    ),
    (
        ("proxy=", "--proxy "),
        r"(?i)(?P<start>proxy=|--proxy[ ])[^\s:/@\"'<]{1,80}:(?!//)[^\s\"'<]{1,200}(?=@\]?[\w\[])",
    ),
    # The token of a channel of conda. A forum has the title of a topic there, and its number behind it.
    (
        ("/t/",),
        r"(?P<start>://[\w.-]{1,200}(?::\d{1,5})?/t/)(?=[^\s/]*[\d+=!])"
        r"(?![^\s/]{1,200}/\d+(?:[/?#\s\"')\]>]|$))[^\s/\"'<>]{6,200}(?=/)",
    ),
    # A password with blanks in what connects to a database.
    (
        (";password=", ";pwd="),
        r"(?i)(?P<start>;(?:password|pwd)=)(?![$%{<\"'])[^;\"'\r\n<]{1,200}(?=;[ ]?[a-z][a-z ]{0,30}=)",
    ),
    # What programs print of a key, and what is given to a function that keeps one.
    (
        ("appending key", "yours was"),
        r"(?i)(?P<start>\b(?:appending[ ]key(?:[ ]for[ ]\S{1,80})?|yours[ ]was[ ]\d{1,4}):?[ ])[\w-]{16,200}",
    ),
    (
        ("token(",),
        r"(?P<start>\b(?:save_token|set_access_token|set_token|add_token)\([\"'])[^\"'\n<]{8,300}(?=[\"'])",
    ),
    (
        ("hook", "with url: /"),
        r"(?P<start>(?:hooks\.slack\.com/(?:services|workflows|triggers)|discord(?:app)?\.com/api(?:/v\d{1,2})?/webhooks"
        r"|webhook\.office\.com/webhookb2"
        r"|(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook"
        # urllib3 names the path apart from the host.
        r"|[ ]with[ ]url:[ ]/(?:services|workflows|triggers|api/webhooks|webhookb?2?|t"
        r"|open-apis/bot/v2/hook))/)[\w/@-]+",
    ),
    # Their paths, where the host is not named or is that of a company.
    (
        ("/webhook",),
        r"(?P<start>/(?:api/(?:v\d{1,2}/)?webhooks/(?=\d{15,21}/)|webhookb?2?/(?=[0-9a-f-]{36}@)))[\w/@-]+",
    ),
    (
        ("/hooks/", "/with/key/", "api.day.app/", "ntfy.sh/"),
        r"(?P<start>/hooks/catch/(?=\d)|/hooks/(?=[a-z0-9]{26}(?!\w))|/with/key/(?=[\w-]{10})|\b(?:api\.day\.app|ntfy\.sh)/)"
        r"[\w/-]{4,200}",
    ),
    # What tells a computer, or an account of a bank, from all others.
    (
        ("serial", "seriennummer", "machineguid", " tag", "iban"),
        r"(?i)(?P<start>(?<![^\W_])(?:serial[ _]?(?:number|no\.?|nr\.?)|seriennummer"
        r"|machineguid|(?:service|asset)[ ]?tag|iban)"
        r"[\"']?[ \t]{0,24}(?:REG_SZ[ \t]{1,8}|[:=][ \t]{0,24}[\"']?|(?<=[ \t])))"
        r"(?=[A-Za-z-]{0,12}\d)[A-Za-z0-9-]{6,60}(?![\w-])",
    ),
    # The scheme of Okta.
    (
        ("ssws ",),
        r"(?P<start>\bSSWS[ ])(?!<)[\w-]{20,200}",
    ),
    (
        ("?", "&"),
        r"(?i)(?P<start>[?&](?:jwt|key|policy|sas|sv|appid|app_id|api|k|auth|ticket|session|sid|otp|pin)=)"
        r"(?!<secret>)(?=[^\s&]{0,200}\d)[^\s&\"'<>)\]]{8,}",
    ),
    (
        ("?", "&"),
        r"(?i)(?P<start>[?&](?:code|state)=)(?!<secret>)(?=[^\s&]{0,200}\d)[^\s&\"'<>)\]]{16,}",
    ),
    # What asks for a passphrase, a key or a password of something, and the answer behind it.
    (
        ("passphrase for", "password for", "pin for", "api key"),
        r"(?im)(?P<start>\b(?:(?:pass(?:word|phrase)|pin)[ ]for[ ](?:key[ ])?[\"'][^\"'\r\n]{1,200}[\"']"
        r"|paste[ ]an[ ]api[ ]key[^:\r\n]{0,120}):[ ])(?!<)[^\s\"'`,;)|*]+(?=[\"'`,;)|*]|\t|[ ]?\||[ ]*\r?$)",
    ),
    # netsh wlan show profile key=clear, in three languages, and a configuration of a wireless network.
    (
        ("key content", "schlüsselinhalt", "contenu de la clé", "contenido de la clave", "psk="),
        r"(?im)(?P<start>\b(?:key[ ]content|schlüsselinhalt|contenu[ ]de[ ]la[ ]clé|contenido[ ]de"
        r"[ ]la[ ]clave)"
        r"[ ]{1,24}:[ ]|\bpsk=[\"'])[^\r\n\"'<]+",
    ),
    (
        ("getpass(",),
        r"(?P<start>\bgetpass\([^()\r\n]{0,80}\)[ ]{0,4}(?:->|→|=)[ ]{0,4}[\"'])[^\"'\r\n<]+",
    ),
    (
        ("login", "zugangsdaten", "credentials", "identifiants", "логин"),
        r"(?i)(?P<start>(?<![^\W_])(?:login|zugangsdaten|credentials|identifiants|логин)[ ]?[:：]"
        r"[ ]?[\w.@-]{1,40}[ ]?/[ ]?)"
        r"(?=\S*\d)[^\s/\\<\"'`,;)|*]{5,}(?![\\/\w])",
    ),
    (
        ("seed", "mnemonic", "recovery phrase"),
        r"(?i)(?P<start>\b(?:seed(?:[ ](?:phrase|words))?|mnemonic|recovery[ ]phrase)\b[\"']?[ ]?[:=]"
        r"[ ]?[\"']?)"
        r"[a-z]{3,8}(?:[ ][a-z]{3,8}){11,23}",
    ),
    # Keys of storage accounts of Azure.
    (
        ("key:", 'key":'),
        r"(?i)(?P<start>\b(?:(?:primary|secondary|account"
        r"|access)[ ])?key[\"']?:\s{1,8}[\"']?)[A-Za-z0-9+/]{86}==",
    ),
    (
        ("instrumentationkey",),
        r"(?i)(?P<start>\binstrumentationkey[\"']?[=:][ ]?[\"']?)[0-9a-f-]{36}",
    ),
    (
        ("wandb", "kaggle", "comet", "clearml"),
        r"(?i)(?P<start>\b(?:wandb|kaggle|comet|clearml)(?:[ ](?:api[ ])?key)?(?:[ ]is)?[:=]?"
        r"[ ])(?:[0-9a-f]{40}|[0-9a-f]{32})(?!\w)",
    ),
    (
        ("jdbc:oracle",),
        r"(?P<start>\bjdbc:oracle:\w{1,10}:[\w.-]{1,60}/)[^\s@/\"'<]+(?=@)",
    ),
    # A line of .pgpass: host, port, database, user and password.
    (
        (":543", ":6432:", ":*:"),
        r"(?P<start>(?<![^\s\"'])[\w.*-]{1,80}:(?:543\d|6432|\*):[\w.*-]{1,80}:[\w.*-]{1,80}:)(?!<)"
        r"(?=\S*\w)[^\s\"'<]+",
    ),
    # Resources of Android, property lists of Apple, properties of Java.
    (
        ("</",),
        r"(?i)(?P<start><\w{1,20}[ ](?:name|key|id)=[\"'](?:[\w.-]{0,40}[._-])?"
        r"(?:pass(?:word|wd|phrase)?|pwd|secret|\w{0,20}token|(?:api|(?<=[._-]))[_.-]?key)[\"']>"
        r"|<key>[\w.-]{0,40}(?:pass(?:word|wd|phrase)?|secret|token)</key>\s{0,9}<string>)"
        r"(?!<)[^<\n]{1,200}(?=</)",
    ),
    (
        ("using password",),
        r"(?i)(?P<start>\b(?:access[ ]denied|login[ ]failed)\b[^\r\n<]{0,120}?using[ ]password:[ ])"
        r"(?!yes|no\b)[^\s<)]+",
    ),
    (
        ("::add-mask::",),
        r"(?P<start>::add-mask::)(?!<)[^\r\n]+",
    ),
    (
        ("auth(",),
        r"(?P<start>\bHTTP(?:Basic|Digest|Proxy)\w{0,8}Auth\()(?![\w.]+[,)]|<)[^)\r\n]+",
    ),
    # A login by position: connect("host", 22, "user", "password")
    (
        (".connect(",),
        r"(?P<start>\.connect\([\"'][^\"'\r\n]{1,100}[\"'],[ ]?(?:\d{1,5},[ ]?)?)"
        r"[\"'][^\"'\r\n]{1,64}[\"'],[ ]?[\"'](?=[^\"'\r\n]*\d)[^\"'\r\n]{5,}[\"']",
    ),
    # A section of a service, whose key is called so alone.
    (
        ("key:",),
        r"(?im)(?P<start>(?:^|(?<=[\"'`]))[ \t]*(?:wandb|comet\w*|neptune|clearml|openai|kaggle"
        r"|huggingface|hf|civitai"
        r"|replicate)"
        r"\w{0,20}:[ \t]*\r?\n(?:[ \t]+[^\n]{0,200}\n){0,6}?[ \t]+key:[ ][\"']?)(?!<)[^\s\"'#]{12,}",
    ),
    (
        ("key=", "key'", 'key"'),
        r"(?P<start>\b(?:S3FileSystem|Minio|filesystem)\([^)\r\n]{0,200}?\b(?:access_)?key=[\"'])[^\"'\r\n<]+",
    ),
    (
        ("secret",),
        r"(?P<start>[\"']key[\"']:[ ]?[\"'])[^\"'\r\n<]{8,}(?=[\"'],[ ]?[\"']secret[\"'])",
    ),
    (
        ("sctapi.ftqq.com/",),
        r"(?P<start>\bsctapi\.ftqq\.com/)\w+",
    ),
    (
        ("zugangsdaten", "credentials"),
        r"(?i)(?P<start>\b(?:zugangsdaten|credentials)(?:[ ]are|[ ]sind|:)[ ])[\w.@-]{1,40}:(?=\S*\d)"
        r"[^\s/\\\"'`,;)]{6,}(?![\\/\w])",
    ),
    (
        ("пароль",),
        r"(?i)(?P<start>(?<!\w)пароль[ ](?:от|для|к|на)[ ][\w.-]{1,30}[ ]?[:—-]?[ ]?)(?=\S*\d)(?=\S*[A-Za-z])"
        r"[^\s\"',;]{6,}",
    ),
    # In words: user bob, pass x; login bob pw x
    (
        ("pass ", "pw ", "pwd ", "password "),
        r"(?i)(?P<start>(?<![\w-])(?:user(?:name)?|login|account|benutzer|usuario|utilisateur)[ :=]{1,2}"
        r"[\w.@+-]{2,40}[,;/]?[ ](?:and[ ]|und[ ]|y[ ]|et[ ])?(?:with[ ])?(?:pass(?:word)?|pwd?)[ ])"
        r"(?!(?:is|was|are|in|to|for|the|with|of|on|and|or|by|from|not|it)\b)[^\s,;\"'`)<]{4,200}",
    ),
    # In Chinese, Japanese and Korean without anything between: 密码x
    (
        ("密码", "密碼", "口令", "パスワード", "비밀번호"),
        r"(?P<start>(?:密码|密碼|口令|パスワード|비밀번호)(?:是|为|為|は|는|은)?[ ]?)"
        r"(?=[!-~]{0,40}[\dA-Z!#%&*+@^~-])(?![A-Z_]{2,20}[=:])[A-Za-z0-9][A-Za-z0-9!#%&*+@^~_-]{4,63}(?![\w(.])",
    ),
    # A key in the name of a run or of a file: lr=0.1_key=x
    (
        ("key=",),
        r"(?P<start>(?<![A-Za-z])key=)(?=[A-Z0-9]*[a-z])(?=[a-z0-9]*[A-Z])(?=[A-Za-z]*\d+[A-Za-z]+\d)"
        r"[A-Za-z0-9]{10,200}(?:[+/][A-Za-z0-9+/]{0,200})?={0,2}",
    ),
    (
        ("「", "『", "“"),
        r"(?P<start>(?:パスワード|密码|密碼|비밀번호)(?:は|是|为|為|는|은|[:：])?[「『“])(?!<)[^」』”\r\n]+",
    ),
)
