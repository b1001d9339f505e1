"""What commands take as a secret where no name tells of it: `curl -u`, `docker login -p`."""

from torchdoctor.redaction.secrets.pattern_rows import Rows

# What may stand between a command and its password: no other one, which is hidden already.
_GAP = r"(?:(?!<secret>)[^\r\n]){0,200}?"
# An argument, in whatever quotes.
_ARGUMENT = r"(?:\"[^\"\r\n<]{1,200}\"|'[^'\r\n<]{1,200}'|[^\s<]+)"
# Commands that read a password from their input.
_READERS = (
    r"(?:sudo[ ]-S|kinit|vncpasswd|passwd|chpasswd|smbpasswd|cryptsetup|keyring[ ]set|gpg|openssl"
    r"|docker[ ]secret|(?:hf|huggingface-cli|wandb)[ ](?:auth[ ])?login)"
)
# Words of which the text has one, in lower case, and what stands before and in the place of the secret.
COMMANDS: Rows = (
    # An argument in a list, of whatever command: a port has digits only, and a folder mostly a separator.
    (
        ("'-p', '", '"-p", "'),
        r"(?P<start>[\"']-p[\"'],[ ][\"'])(?=\S*\d)(?=\S*?[a-z])(?=\S*?[A-Z])[^\s\"'<\\/:]{8,}",
    ),
    (
        ("keymaterial=",),
        r"(?i)(?P<start>\bkeymaterial=[\"']?)[^\s\"'<]+",
    ),
    (
        ("identified",),
        r"(?i)(?P<start>\bidentified[ ](?:with[ ]\S{1,40}[ ])?(?:by|as)[ ](?:password[ ])?[\"'])[^\"'\n<]+",
    ),
    (
        ("curl",),
        r"(?P<start>\bcurl\b(?:\.exe)?"
        rf"{_GAP}[ ](?:-b|--cookie)[ =]?[\"']?[\w.-]{{1,80}}=)(?!<secret>)"
        r"[^\s\"']+(?:;[ ][\w.-]{1,80}=[^\s\"']+)*",
    ),
    # What is read from a pipe, or from a string behind the command.
    (
        ("|",),
        r"(?i)(?P<start>\b(?:echo|printf)[ ](?:-\w{1,4}[ ])?(?:[\"']?%s(?:\\n)?[\"']?"
        r"[ ])?[\"']?(?:\w{1,20}:)?)(?![$-])[^\s|<\"']+"
        rf"(?=[\"']?[ ]?\|[ ]?(?:[^\r\n|]{{1,60}}[ ]--?(?:password-stdin|with-token|stdin"
        rf"|passphrase-fd)\b|{_READERS}\b))",
    ),
    (
        ("<<<",),
        rf"(?i)(?P<start>\b(?:{_READERS}|login)\b{_GAP}<<<[ ]?[\"']?)(?![$<])[^\s\"'<]+",
    ),
    (
        (" -u ",),
        r"(?P<start>[ ]-u[ ][\"']?)[^\s:\"'<]+:[^\s]+?(?=[\"']?[ ][\"']?https?:/)",
    ),
    # An option of the same name has the numbers of a user and a group: --user 1000:1000
    (
        ("user", "-u"),
        r"(?P<start>(?:--(?:proxy-)?user[ =][\"']?|[\"']-u[\"'],[ ]?[\"'])[^\s:/\\\"'<]{1,64}:)"
        r"(?![<$%{/\\])(?=[^\s\"']{0,80}[A-Za-z])(?=[^\s\"']{0,80}[\dA-Z])[^\s\"'<]{4,80}",
    ),
    (
        (
            "curl",
            "wget",
            "http",
            "xh ",
        ),
        r"(?P<start>\b(?:curl|wget|http|https|xh)\b(?:\.exe)?[\"']?"
        rf"{_GAP}[ \"'](?:-u[\"']?,?[ ]?[\"']?"
        r"|(?:--user|--proxy-user|-U|-a)[\"']?,?[ =][\"']?[^\s:\"'<]+:(?!<)))"
        r"(?:(?<=[\"'])[^\"']+|[^\s\"']+)",
    ),
    (
        (
            "sshpass",
            "docker login",
        ),
        r"(?P<start>\b(?:sshpass|docker[ ]login)\b"
        rf"{_GAP}[ ]-p[ ]?){_ARGUMENT}",
    ),
    (
        (" login",),
        r"(?P<start>\b(?:az|podman|nerdctl|oras|skopeo)[ ]login\b"
        rf"{_GAP}[ ]-p[ ]?){_ARGUMENT}",
    ),
    (
        (
            "twine upload",
            "psexec",
        ),
        r"(?P<start>\b(?:twine[ ]upload|psexec(?:64)?(?:\.exe)?)\b"
        rf"{_GAP}[ ]-p[ ]){_ARGUMENT}",
    ),
    # These ask for it where it does not follow at once.
    (
        (
            "mysql",
            "mariadb",
        ),
        r"(?P<start>\b(?:mysql(?:dump|admin|import)?|mariadb)\b"
        rf"{_GAP}[ ]-p){_ARGUMENT}",
    ),
    (
        (" -pw ",),
        r"(?i)(?P<start>\b(?:plink|pscp|psftp|putty)(?:\.exe)?\b"
        rf"{_GAP}[ ]-pw[ ]){_ARGUMENT}",
    ),
    (
        ("net user",),
        r"(?im)(?P<start>\bnet[ ]user[ ](?:/\w+[ ])*[^\s/]\S*[ ])(?![/*<])(?=\S*[^A-Za-z\s])"
        r"[^\s\"'`]+(?=[ ]/|[\"'`]|[ ]*\r?$)",
    ),
    (
        ("kaggle config",),
        r"(?i)(?P<start>\bkaggle[ ]config[ ]set[ ]-n[ ](?:key|password|username)[ ]-v[ ])[^\s<]+",
    ),
    (
        ("+login",),
        r"(?i)(?P<start>[ ]\+login[ ])(?!anonymous\b)[^\s<]+(?:[ ][^\s<+]+)?",
    ),
    (
        ("cmdkey",),
        r"(?i)(?P<start>\bcmdkey\b"
        rf"{_GAP}[ ]/pass:){_ARGUMENT}",
    ),
    (
        ("schtasks",),
        r"(?i)(?P<start>\bschtasks\b"
        rf"{_GAP}[ ]/rp[ ]){_ARGUMENT}",
    ),
    (
        ("net use",),
        r"(?i)(?P<start>\bnet[ ]use[ ]"
        rf"{_GAP}[ ]/user:\S+[ ]){_ARGUMENT}",
    ),
    (
        ("net use",),
        r"(?i)(?P<start>\bnet[ ]use[ ](?:(?:\w:|\*)[ ])?\\\\\S+[ ])(?![/<])\S+",
    ),
    (
        ("securestring",),
        r"(?i)(?P<start>\bconvertto-securestring[ ](?:-(?:asplaintext|force)[ ]){0,2}(?:-string"
        r"[ ])?[\"']?)(?![-<$(])[^\s\"'<]+",
    ),
    (
        ("login",),
        r"(?i)(?P<start>\b(?:wandb|hf|huggingface-cli|huggingface_hub)[ .]login"
        r"\(?(?:(?:[ ]--?[\w-]{2,20}(?:[ =]https?:\S{1,80})?){0,3}[ ][\"']?|(?:\w+=)?[\"']))"
        r"(?!-|https?:|<secret>)[^\s\"']{8,}",
    ),
    (
        (
            "7z",
            "zip ",
            "rar ",
        ),
        r"(?P<start>\b(?:7z|7za|7zz|zip|unzip|rar|unrar)(?:\.exe)?(?=[ ])"
        rf"{_GAP}[ ]-[pP][ ]?)(?=[^\s<]*\d){_ARGUMENT}",
    ),
    (
        ("redis-cli", "valkey-cli"),
        r"(?P<start>\b(?:redis|valkey)-cli\b(?:\.exe)?"
        rf"{_GAP}[ ](?:-a|--pass)[ =][\"']?)[^\s\"'<]+",
    ),
    # The options of SQL Server have their value with or without a space.
    (
        ("sqlcmd", "bcp ", "osql", "bcp.exe"),
        r"(?i)(?P<start>\b(?:sqlcmd|bcp|osql)\b(?:\.exe)?"
        rf"{_GAP}[ ](?-i:-P)[ ]?[\"']?)(?![-/][a-zA-Z](?:[ ]|$))[^\s\"'<]+",
    ),
    (
        ("lftp",),
        rf"(?P<start>\blftp\b{_GAP}[ ](?:-u[ ]?|--user[ =])[\"']?[^\s,\"'<]{{1,80}},)[^\s\"'<]+",
    ),
    (
        ("openssl",),
        rf"(?P<start>\bopenssl(?:\.exe)?[ ]enc\b{_GAP}[ ]-[kK][ ][\"']?)[^\s\"'<]+",
    ),
    # What logs in somewhere, or uploads: an option of one letter and a word with a digit.
    (
        ("login ", "publish ", "upload ", "auth ", "signin "),
        rf"(?i)(?P<start>(?<![\w-])(?:login|publish|upload|auth|signin)\b{_GAP}[ ]-(?:p|t|k|w)[ ][\"']?)"
        r"(?=[^\s\"'<>]*\d)(?=[^\s\"'<>]*[A-Za-z])[^\s\"'<>:\\/]{8,}",
    ),
    # Commands whose option of one letter is a password; it has a digit.
    (
        (
            "mongo",
            "ldap",
            "xfreerdp",
            "rdesktop",
            "yt-dlp",
            "htpasswd",
            "ncftp",
            "crane ",
            "anaconda",
            "certutil",
            "signtool",
            "doctl",
            "useradd",
            "isql",
            "cqlsh",
            "snowsql",
            "restic",
        ),
        r"(?i)(?P<start>\b(?:mongo\w{0,8}|ldap(?:search|modify|add|delete|whoami)|xfreerdp|rdesktop|yt-dlp|htpasswd|ncftp\w{0,4}"
        rf"|crane|anaconda|certutil|signtool|doctl|user(?:add|mod)|isql|cqlsh|snowsql"
        rf"|restic)\b(?:\.exe)?{_GAP}[ ][-/](?:p|w|t|b)[ :][\"']?)"
        r"(?=[^\s\"'<>]*\d)(?=[^\s\"'<>]*[A-Za-z])[^\s\"'<>:\\/]{6,}",
    ),
    # Samba's commands: a name, or a domain and a name, and the password.
    (
        ("%",),
        r"(?P<start>\b(?:smb\w{2,9}|rpcclient|winexe|wmic|net)\b"
        rf"{_GAP}[ ](?:-U|--user)[ =]?[\"']?[\w.\\/-]{{1,80}}%)[^\s\"'<]+",
    ),
    (
        ("sqlplus", "sqlldr", "expdp", "impdp", "rman "),
        r"(?P<start>\b(?:sqlplus|sqlldr|expdp|impdp|rman)\b"
        rf"{_GAP}[ ][\"']?\w{{1,60}}/)(?=[^\s@\"'<]*\d)[^\s@\"'<]+",
    ),
    (
        ("requirepass", "masterauth", "bindpw", "rootpw", "auth-pass", "tls-key-file-pass"),
        r"(?P<start>(?<![\w-])(?:requirepass|masterauth|bindpw|rootpw|(?:tls-key-file|auth)-pass)"
        r"[ ]{1,20}[\"']?)"
        r"(?![=:<])(?=[^\s\"']*[^a-z\s\"'])[^\s\"'<]{4,}",
    ),
    (
        ("rar ", "rar.exe"),
        rf"(?P<start>\brar(?:\.exe)?\b{_GAP}[ ]-hp){_ARGUMENT}",
    ),
    (
        ("htpasswd",),
        r"(?P<start>\bhtpasswd\b(?=[^\r\n]{0,40}[ ]-\w{0,4}b)(?:[ ]-\w{1,5}){1,4}[ ]\S{1,80}[ ]\S{1,60}"
        r"[ ])[^\s<]+",
    ),
    (
        ("rclone",),
        rf"(?P<start>\brclone[ ]{_GAP}[ ](?:pass|password|key|secret_access_key|token)[ =]){_ARGUMENT}",
    ),
    (
        ("docker secret", "kv put", "vault write"),
        r"(?P<start>\b(?:docker[ ]secret[ ]create[ ]\S{1,60}[ ]|vault[ ](?:kv[ ]put|write)[ ]\S{1,80}[ ]"
        r"[\w.-]{1,40}=))(?![-@<])(?=[^\s<]*\d)[^\s<\\/]+(?![\\/])",
    ),
    (
        (" -e ", "--cert"),
        rf"(?P<start>\bcurl\b{_GAP}[ ](?:-E|--cert)[ =][\"']?[^\s:\"'<]{{2,200}}:)(?![\\/])[^\s\"'<]+",
    ),
    (
        ("proxy-user",),
        r"(?P<start>[ ]--proxy-user[ =][\"']?[^\s:\"'<]{1,60}:)[^\s\"'<]+",
    ),
    (
        (" /p ", " /pass "),
        r"(?i)(?P<start>[ ]/(?:p"
        r"|pass)[ ][\"']?)(?=[^\s\"']*\d)(?=[^\s\"']*[a-z])(?![a-z]:)[^\s\"'<\\/]{6,}(?![\\/])",
    ),
    (
        ("net use",),
        r"(?i)(?P<start>\bnet[ ]use[ ](?:(?:\w:|\*)[ ])?https?:\S+[ ])(?![/<])\S+",
    ),
    (
        ("poetry config",),
        r"(?P<start>\bpoetry[ ]config[ ](?:http-basic\.\S{1,60}[ ]\S{1,80}|pypi-token\.\S{1,60})[ ])"
        r"(?!<|-)\S+",
    ),
    (
        ("vault login",),
        r"(?P<start>\bvault[ ]login[ ](?:token=)?)(?![-<]|[a-z]+(?:[ \r\n]|$))\S{6,}",
    ),
    (
        ("gh secret",),
        rf"(?P<start>\bgh[ ]secret[ ]set[ ]{_GAP}(?:-b|--body)[ =][\"']?)[^\s\"'<]+",
    ),
    (
        ("rabbitmqctl",),
        r"(?P<start>\brabbitmqctl[ ](?:add_user|change_password)[ ]\S{1,80}[ ])(?!<)\S+",
    ),
    (
        ("ssh-keygen",),
        rf"(?P<start>\bssh-keygen(?:\.exe)?\b{_GAP}[ ]-[NP][ ][\"']?)[^\s\"'<]+",
    ),
    (
        (" -pass",),
        r"(?P<start>[ ]-pass(?:in|out|word)?[ ]pass:)[^\s<]+",
    ),
    (
        ("authtoken",),
        r"(?i)(?P<start>\b(?:ngrok|jupyter|tunnel)[ ](?:config[ ]add-)?authtoken[ ])[^\s<]{8,}",
    ),
    (
        ("openai -k", "openai api -k", "zrok enable"),
        r"(?i)(?P<start>(?<![\w-])(?:openai(?:[ ]api)?[ ]-k|zrok[ ]enable)[ ])(?=[^\s<]*\d)[^\s<]{8,}",
    ),
    (
        (
            "auth ",
            "auth=",
            "--login",
        ),
        r"(?i)(?P<start>[ ](?:--?(?:gradio-)?auth|--login)[ =][^\s:<>]{1,40}:)[^\s<]+",
    ),
    (
        ("winrs",),
        rf"(?i)(?P<start>\bwinrs\b{_GAP}[ ]-p(?:assword)?:){_ARGUMENT}",
    ),
    (
        ("mc alias", "mc config"),
        r"(?P<start>\bmc[ ](?:alias[ ]set|config[ ]host[ ]add)[ ]\S{1,60}[ ]https?://\S{1,200}"
        r"[ ])(?!<)\S+[ ]\S+",
    ),
    (
        ("--ngrok",),
        r"(?P<start>(?<![\w-])--ngrok[ =][\"']?)[A-Za-z0-9_]{16,}",
    ),
)
