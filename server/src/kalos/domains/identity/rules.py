"""What a password is, and what each change of an account's security means."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from kalos.core.clock import DAY_MS
from kalos.core.errors import InvalidInput
from kalos.domains.challenges.rules import Limit
from kalos.domains.identity.errors import PasswordCommon, PasswordFormat

_PASSWORD: Final = re.compile(r"(?=.*[A-Za-z])(?=.*[0-9])[A-Za-z0-9]{6,20}", re.ASCII)

FREEZE_HOURS: Final = 72
WORD_LENGTH: Final = 20
_WORDS_A_DAY: Final = 10

# The first sign that is there counts: most browsers also say the names of others.
_BROWSERS: Final = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"), ("Linux", "Linux"),
)  # fmt: skip

Event = Literal[
    "registered", "login", "new_device", "login_locked", "session_ended",
    "password_changed", "password_reset", "email_changed", "anti_phishing_changed",
    "out_password_set", "out_password_changed", "out_password_reset", "out_password_locked",
    "google_bound", "google_unbound", "recovery_code_used", "factor_locked",
    "address_added", "address_removed", "login_wallet_bound", "login_wallet_removed",
    "account_frozen", "frozen_by_support", "opened_by_support", "account_closed",
]  # fmt: skip
"""What the security log tells."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Whether the member is mailed, and whether withdrawals are held for `security_hold`."""

    is_mailed: bool = False
    is_held: bool = False


_QUIET: Final = Meaning()
_TOLD: Final = Meaning(is_mailed=True)
_HELD: Final = Meaning(is_mailed=True, is_held=True)
EVENTS: Final[Mapping[Event, Meaning]] = {
    "registered": _QUIET,
    "login": _QUIET,
    "new_device": _TOLD,
    "login_locked": _TOLD,
    "session_ended": _QUIET,
    "password_changed": _HELD,
    "password_reset": _HELD,
    "email_changed": _HELD,
    "anti_phishing_changed": _TOLD,
    "out_password_set": _TOLD,
    "out_password_changed": _HELD,
    "out_password_reset": _HELD,
    "out_password_locked": _TOLD,
    "google_bound": _TOLD,
    "google_unbound": _HELD,
    "recovery_code_used": _TOLD,
    "factor_locked": _TOLD,
    "address_added": _TOLD,
    "address_removed": _TOLD,
    "login_wallet_bound": _TOLD,
    "login_wallet_removed": _TOLD,
    "account_frozen": _TOLD,
    "frozen_by_support": _TOLD,
    "opened_by_support": _HELD,
    "account_closed": _TOLD,
}
"""The one table of what holds withdrawals. Source: identity.md, "Security centre"; a changed e-mail is decided."""
assert set(EVENTS) == set(get_args(Event))


def check_password(password: str, *, refuse_common: bool) -> None:
    """6 to 20 ASCII letters and digits, at least one of each; not a common one, where those are refused.

    Raises: PasswordFormat, PasswordCommon.
    Source: sections 5 and 9; identity.md, "Security centre".
    """
    if not _PASSWORD.fullmatch(password):
        raise PasswordFormat()
    if refuse_common and password.lower() in COMMON_PASSWORDS:
        raise PasswordCommon()


def check_word(word: str) -> str:
    """The word against phishing as mails show it: 1 to 20 visible signs, blanks only between them.

    Raises: InvalidInput.
    Source: identity.md, "Security centre".
    """
    word = unicodedata.normalize("NFC", word)
    visible = all(sign == " " or unicodedata.category(sign)[0] not in "CZ" for sign in word)
    if not 1 <= len(word) <= WORD_LENGTH or word != word.strip() or not visible:
        raise InvalidInput(errors=[{"field": "word", "reason": "invalid"}])
    return word


def word_limit(member: int) -> Limit:
    """How often a member may change the word against phishing: each change is mailed."""
    return Limit(f"word:{member}", _WORDS_A_DAY, DAY_MS)


def device_name(user_agent: str) -> str:
    """What people call a device, by what its browser says of itself: "Chrome, Android"; "" where that names neither.

    None of its own words: whoever fails a log-in would write a line of the owner's mail.
    """
    found = [next((name for sign, name in known if sign in user_agent), "") for known in (_BROWSERS, _SYSTEMS)]
    return ", ".join(filter(None, found))


# The most used passwords that would otherwise be accepted, in lower case.
COMMON_PASSWORDS: Final = frozenset(
    """
    000000a 0123456789a 111111a 11111a 1111aaaa 112233a 123123a 123123abc 123123qwe 123321a 1234567890a 123456789a
    123456789q 123456789z 12345678a 1234567a 1234567q 123456a 123456aa 123456abc 123456b 123456d 123456g 123456j 123456k
    123456l 123456m 123456q 123456qwe 123456r 123456s 123456t 123456x 123456z 12345a 12345abc 12345q 12345qwe 12345qwert
    12345t 12345z 1234abcd 1234asdf 1234qwer 123a123 123abc 123asd 123qwe 123qwe123 123qweasd 12qwaszx 147258369a
    159753a 1a2b3c 1a2b3c4d 1g2w3e4r 1password 1q1q1q 1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz1qaz 1qaz2wsx
    1qaz2wsx3edc 1qazxsw2 1qwerty 2wsx3edc 3rjs1la7qe 4815162342lost 5201314a a000000 a111111 a1111111 a112233 a123123
    a123321 a12345 a123456 a1234567 a12345678 a123456789 a1b2c3 a1b2c3d4 a1s2d3f4 a5201314 aa1234 aa12345 aa123456
    aa123456789 aaa111 abc123 abc1234 abc12345 abc123456 abc123456789 abc321 abcd123 abcd1234 abcd12345 abcd123456
    abcde12345 abcdef1 access14 admin1 admin12 admin123 admin1234 admin12345 adobe123 alex123 andrew1 angel1 anthony1
    asd123 asd123456 asdf123 asdf1234 asdfgh1 asdfghjkl1 asdqwe123 ashley1 b123456 babygirl1 bailey1 bangkok1 baseball1
    binance123 bitcoin1 blink182 boomer1 brandon1 buster1 charlie1 cheese1 chelsea1 china123 chocolate1 computer1
    cookie1 crypto123 daniel1 dragon1 dubsmash1 eminem1 familia1 flower1 football1 forever1 freedom1 fuckyou1 fuckyou2
    g123456 ginger1 hannah1 hanoi123 hello1 hello123 hongkong1 hunter1 iloveyou1 iloveyou12 iloveyou2 iloveyou3 isabel1
    jackson1 jasmine1 jessica1 jordan1 jordan23 joshua1 justin1 kalos123 kalos1234 killer1 liverpool1 lovely1 loveme1
    m123456 maggie1 mark123 master1 matrix1 matthew1 michael1 michelle1 monkey1 monkey123 mustang1 mynoob1 myspace1
    naruto1 nicole1 number1 oliver1 orange1 p123456 p4ssw0rd p4ssword pa55w0rd pa55word pass12 pass123 pass1234
    pass12345 pass123456 passw0rd password01 password1 password11 password12 password123 password1234 password2
    password3 password7 peanut1 pepper1 pokemon1 princess1 purple1 q123456 q1w2e3 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6
    qaz123 qazwsx1 qazwsx123 qq111111 qq123123 qq123456 qwe123 qwe1234 qwe12345 qwe123456 qweasd123 qweqwe123 qwer123
    qwer1234 qwer12345 qwert1 qwert123 qwert1234 qwert12345 qwerty1 qwerty11 qwerty12 qwerty123 qwerty1234 qwerty12345
    qwerty123456 qwerty7 qwertyuiop1 r123456 rangers1 red123 robert1 rockyou1 root123 s123456 saigon123 samantha1
    samsung1 seoul123 shadow1 soccer1 spiderman1 summer1 sunshine1 superman1 superstar1 t123456 taylor1 test12 test123
    test1234 test12345 thomas1 tigger1 tokyo123 trustno1 u38fa39 user123 vietnam1 w123456 welcome1 welcome123 welcome2
    william1 winner1 woaini123 woaini1314 woaini520 x123456 xbox360 z123456 zaq12wsx zaq1zaq1 zxc123 zxcv1234 zxcvbn1
    zxcvbnm1 zxcvbnm123
    """.split()  # noqa: SIM905 - a list of words is read as one
)
