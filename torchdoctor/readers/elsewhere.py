"""What makes a card that a clause names none of the writer's: a denial, a wish, a past, another person.

The words are those of the languages in which people ask. A thing that fails is no denial: "my RTX 3060 is
not detected" has one.
"""

from torchdoctor.core.patterns import pattern

_ENGLISH = (
    # Where it is all right, it is another machine than the one that fails.
    r"^\W{0,4}(?:but |and )?(?:on|with|in|under) [^.!?]{0,80}\b(?:it['’]?s (?:ok|okay|fine)|it works"
    r"|works fine)\b|"
    r"\b(?:do(?:es)?n['’]?t|do(?:es)? not|did(?:n['’]?t| not)|never|haven['’]?t|hasn['’]?t|have not"
    r"|no longer)"
    r" (?:even |actually |yet |really )?(?:have|has|had|own|owned|got|possess)\b"
    r"|\b(?:isn['’]?t|is not|not|without|no) (?:an? |on an? |with an? |the )(?=[^,.]{0,24}\d)"
    r"|\bwish\w*\b|\bhop(?:e|ing) to\b|\bplan(?:s|ning)? (?:to|on)\b|\bthink(?:ing)? (?:of|about)\b"
    r"|\bconsider\w*\b"
    r"|\bwant(?:s|ed|ing)? (?:to (?:buy|get|have|own)|an? )|\bwould (?:like|love|be|need|have|do|run"
    r"|work|a|an|the|my)\b"
    r"|\b(?:could|should|shall|might) (?:i|we|buy|get|be|have|use|a|an)\b"
    r"|\b(?:can(?:no|['’])?t|cannot) afford\b|\bsav(?:e|ing) (?:up )?for\b|\bwait(?:ing)? (?:for|on|until)\b"
    r"|\b(?:to|gonna|will|about to) (?:buy|purchase|order|arrive|get (?:an?|the|another|myself))\b"
    r"|\bif (?:i|you|we"
    r"|someone) (?:had|have|buy|bought|get|use)\b"
    r"|\b(?:next|in a) (?:week|month|year)\b|\bworth (?:it|buying|upgrading)\b|\bbuying\b"
    r"|\bupgrading (?:to|from)\b"
    r"|\b(?:friend|brother|sister|dad|son|wife|boss|colleague|cowork\w+|roommate|neighbou?r|classmate"
    r"|customer|client|teacher"
    r"|someone|somebody|people|others?|everyone|users?|owners?|folks|guys|author\w*|maintainers?|dev"
    r"|devs|developers?|team|lab"
    r"|school|university|company|office)(?:['’]?s)?\b(?! (?:gpu|card)\b)"
    r"|\b(?:he|she|they) (?:has|have|had|uses?|used|runs?|ran|got|said|says)\b|\bhis\b|\bher\b|\btheir\b"
    r"|\brent(?:ed|ing|al|s)?\b|\b(?:runpod|vast\.?ai|colab|kaggle|lambda labs|aws|gcp|azure|paperspace"
    r"|cloud|cluster|(?<!windows )(?<!win )servers?)\b"
    r"|\b(?:trained|benchmarked|developed|tested|measured) (?:on|with)\b|\bthe (?:paper|readme|docs"
    r"|guide|tutorial|video)\b"
    r"|\b(?:faster|slower|better|worse|bigger|more|less|older|newer|cheaper) than (?:an? |the |my )?"
    r"|\bcompared? (?:to|with)\b"
    r"|\bunlike\b|\bversus\b|\bvs\b|\bequivalent\b|\be\.g\.|\bfor (?:example|instance)\b|\bsuch as\b"
    r"|\blike (?:an? |the )"
    r"|\b(?:before this|before that|previously|formerly|earlier|used to|back then|in the past|my (?:old"
    r"|previous|last|former))\b"
    r"|\b(?:sold|died|returned|gave away|got rid)\b|\b(?:at least|minimum|requires?|required|recommend\w*)\b"
    r"|\b(?:support|supported|supports|compatible)\b(?! (?:is|my)\b)"
)
# A card stands behind these in the clause.
_BEFORE_CARD = r"(?=[^,.]{0,30}(?:\d{3}|tesla|quadro|titan|rtx))"
_CHINESE = (
    r"没有?(?:一?[张块个] ?)?(?=[^，。,]{0,20}(?:\d{3}|titan))(?!有?(?:识别|检测|使用|用|调用|找|发现|问题"
    r"|反应|报错|驱动))|[想打算准备要]买|想换|打算|考虑|买(?=[^，。]{0,14}(?:还是|哪))|还是 ?(?=\d{4})"
    r"|够不够|够用?吗|至少|最少|需要|建议|推荐|最低|朋友|同学|同事|别人|他人|人家|群友|网友|up主|博主|主播"
    r"|视频里|教程|另一[台张块个]|另外一|服务器|云端?|租的?|作者|[他她](?:们)?的"
    r"|之前|以前|原先|原来|从前|曾经|旧[卡的]|比如|例如|相比|比(?=[^，。]{0,10}[快慢强好])|如果|要是|假如"
    r"|支不支持|是否支持|沒有|請問(?=[^？]{0,20}(?:可以|能)[^我]{0,6}[嗎吗])"
    r"|请问(?![^？]{0,12}我)(?=[^？]{0,20}(?:可以|能|支持)[^我]{0,6}[嗎吗么])"
)
_RUSSIAN = (
    r"\bу (?:друга|брата|знаком\w+|коллег\w+|него|неё|нее|них|других|кого|сына|товарища"
    r"|меня (?:нет|нету|не|была|было|был)\b)"
    r"|\bнет(?:у)?\b(?=[^,.]{0,20}\d)|\bбез (?=[^,.]{0,12}\d)|\bне имею\b|\bсервер\w*|\bколаб\w*|\bоблак\w*"
    r"|\bхоч\w+ (?:куп|взять|постав)|\bхотел\w* бы\b|\bкупить\b|\bкуплю\b|\bпланиру\w+|\bсобираюсь\b"
    r"|\bстоит ли\b|\bхватит\b|\bраньше\b|\bдо этого\b|\bпрежн\w+|\b(?:моя|на) стар(?:ая|ой|ую)\b|\bбыла\b"
    r"|\bесли (?:бы|куп)|\bнапример\b|\bчем на\b"
    rf"|\b(?:нужн\w+|надо|думаю)\b{_BEFORE_CARD}"
)
_OTHER_LANGUAGES = (
    # German
    r"\b(?:freund|kolleg|bruder|bekannt)\w*|\bkein(?:e[nrms]?)?\b(?=[^,.]{0,24}(?:\d|titan))|\bkaufen\b"
    rf"|\b(?:möchte|würde|brauch(?:e|t)|plane|überleg\w+|sollte)\b{_BEFORE_CARD}|\bvorher\b|\bfrüher\b"
    r"|\bmeiner? alten?\b|\bhatte (?=[^,.]{0,12}\d)|(?<!windows )(?<!win )\bserver\b|\bschneller als\b"
    # French
    r"|\b(?:mon|un|une|d['’]un) (?:ami|amie|copain|pote|collègue|frère)\b|\bpas (?:de|d['’])|\bacheter\b"
    rf"|\b(?:sans|voudrais|veux|il faut|besoin|envisage)\b{_BEFORE_CARD}|\bavant\b|\bmon ancienne?\b"
    rf"|\bavais\b"
    r"|\bserveur\b|\bpar exemple\b"
    # Spanish, Portuguese, Italian
    r"|\b(?:amig[oa]|colega|hermano|irmão|amico|fratello)\b|\b(?:no tengo|não tenho|nao tenho|non ho)\b"
    r"|\bsin una?\b|\bsem uma?\b|\bcomprar(?:e|me)?\b"
    rf"|\b(?:quiero|quisiera|necesito|pienso|quero|preciso|pretendo|vorrei|voglio|serve"
    rf"|senza)\b{_BEFORE_CARD}"
    r"|\bantes\b|\banterior\b|\bmi viej[ao]\b|\bminha antiga\b|\bmia vecchia\b|\btenía\b|\btinha\b|\bavevo\b"
    r"|\bservidor\b(?! windows)|\bpor ejemplo\b"
    # Polish, Turkish
    r"|\bnie mam\b|\bkoleg\w*|\bprzyjaci\w+|\bkupić\b|\bchcę (?:mieć|kupić)\b|\bplanuj\w+|\bwcześniej\b"
    r"|\bmiałem\b"
    r"|\barkadaş\w*|\balmak\b|\balsam\b|\böneri\w*"
    # Japanese, Korean
    r"|友達|友人|知人|同僚|サーバ|クラウド|買う|買お|購入(?!し[たま])|欲しい|推奨|検討|持ってい?ませ"
    r"|持ってな|以前"
    r"|昔は|前は|例えば|친구|동료|서버|사고 ?싶|살까|구매(?!했)|추천|\d{3,4}[^.,]{0,12}없(?:습|어|음)"
    r"|예전|이전"
)
# Of who is one of them, the card is the own one.
_OWN_WORDS = (
    r"\b(?:i['’]m|i am) (?:one|an?other) of\b|\bsame (?:as|for) (?:others|everyone)\b|\b(?:other"
    r"|another) (?:issue|problem|error|thing|app)\w*\b"
    r"|\bthe server (?:starts|runs|crashes|process)\b|\bwithout (?:an? )?(?:problem|issue|error|luck"
    r"|success|any)\w*\b"
    r"|\b(?:work|office|school|lab|company|university|client['’]?s?) (?:workstation|pc|laptop|computer"
    r"|machine"
    r"|desktop|workstation)\b"
    r"|\bnot (?:an? )?(?:issue|problem|expert|developer|bug)\b|\bused to (?=run\b)|\bwould (?:like"
    r"|love) to (?:use|run|train|know)\b"
)


def is_elsewhere(clause: str) -> bool:
    """Return whether a clause says that a card it names is not there, or is another person's."""
    plain = pattern(_OWN_WORDS, True).sub(" ", clause)
    return any(
        pattern(words, True).search(plain) is not None
        for words in (_ENGLISH, _CHINESE, _RUSSIAN, _OTHER_LANGUAGES)
    )
