"""What an e-mail address, a name and a password are, and how often a thing may be tried."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from typing import Final

import idna

from kalos.core.errors import Fault, InvalidInput
from kalos.core.terms import Terms
from kalos.domains.identity.errors import PasswordCommon, PasswordFormat

_LOCAL: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*", re.ASCII)
_ENCODED_WORD: Final = "=?"
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN: Final = re.compile(rf"(?:{_LABEL}\.)+(?=[a-z0-9-]*[a-z]){_LABEL}", re.ASCII)
_LONGEST_EMAIL: Final = 254
_LONGEST_LOCAL: Final = 64
_PASSWORD: Final = re.compile(r"(?=.*[A-Za-z])(?=.*[0-9])[A-Za-z0-9]{6,20}", re.ASCII)

TERMS_VERSION: Final = "2"
"""The terms that whoever registers agrees to: those that the page shows."""

_OLDEST: Final = date(1900, 1, 1)

SECOND_MS: Final = 1_000
MINUTE_MS: Final = 60 * SECOND_MS
HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` tries of `subject` within any `window_ms`."""

    subject: str
    most: int
    window_ms: int


def canonical_email(text: str) -> str:
    """Bring an address to its one form: NFKC, ASCII local part, domain in lower case and in its ASCII form.

    A local part that holds an encoded word ("=?") is refused: in a mail's header it would be read as other text.

    Raises: InvalidInput.
    Source: identity.md, "Registering and logging in"; wire.md, "Numbers, time, text".
    """
    local, at, domain = unicodedata.normalize("NFKC", text).rpartition("@")
    domain = domain.lower() if domain.isascii() else _ascii_domain(domain)
    address = f"{local}{at}{domain}"
    if (
        len(address) > _LONGEST_EMAIL
        or len(local) > _LONGEST_LOCAL
        or not _LOCAL.fullmatch(local)
        or _ENCODED_WORD in local
        or not _DOMAIN.fullmatch(domain)
    ):
        raise InvalidInput(errors=[{"field": "email", "reason": "invalid"}])
    return address


def login_name(text: str) -> str:
    """The form in which a name is looked up and counted: an address in its one form, all else as it is."""
    try:
        return canonical_email(text)
    except InvalidInput:
        return text


def masked_email(address: str) -> str:
    """Show enough of an address for its owner to know it: alice@example.com is a***e@example.com."""
    local, _, domain = address.rpartition("@")
    return f"{local[0]}***{local[-1] if len(local) > 2 else ''}@{domain}"


def check_password(password: str) -> None:
    """6 to 20 ASCII letters and digits, at least one of each, and not one of the common ones.

    Raises: PasswordFormat, PasswordCommon.
    Source: sections 5 and 9; identity.md, "Security centre".
    """
    if not _PASSWORD.fullmatch(password):
        raise PasswordFormat()
    if password.lower() in COMMON_PASSWORDS:
        raise PasswordCommon()


def check_profile(
    *, country: str | None, birth_date: date | None, terms_version: str | None, today: date, needed: bool
) -> None:
    """Country, birth date and the present terms: all where they are `needed`, else right as far as they are given.

    Raises: InvalidInput.
    Source: principles.md, "Features, countries, disclosures".
    """
    given = {"country": country, "birth_date": birth_date, "terms_version": terms_version}
    errors: list[Fault] = [{"field": name, "reason": "missing"} for name, value in given.items() if value is None]
    if not needed:
        errors = []
    if birth_date is not None and not _OLDEST < birth_date <= today:
        errors.append({"field": "birth_date", "reason": "range"})
    if terms_version is not None and terms_version != TERMS_VERSION:
        errors.append({"field": "terms_version", "reason": "outdated"})
    if errors:
        raise InvalidInput(errors=errors)


def same_picture_text(answer: str, given: str) -> bool:
    """Whether someone read the captcha; capitals, full-width letters and blanks don't matter."""
    return unicodedata.normalize("NFKC", given).replace(" ", "").upper() == answer


def code_limits(terms: Terms, *, email: str, network: str) -> list[Limit]:
    """How often a code may be sent to an address and asked for from a network."""
    return [
        Limit(f"code-gap:{email}", 1, terms.code_gap * SECOND_MS),
        Limit(f"code-day:{email}", terms.code_daily, DAY_MS),
        *_network("code-network", network, terms.code_network, HOUR_MS),
    ]


def login_limits(terms: Terms, *, name: str, network: str) -> list[Limit]:
    """How often logging in may fail for a name and from a network."""
    window_ms = terms.login_window * MINUTE_MS
    return [
        Limit(f"login:{name}", terms.login_tries, window_ms),
        *_network("login-network", network, terms.login_tries, window_ms),
    ]


def seconds_until(at_ms: int, now_ms: int) -> int:
    """Whole seconds to wait, at least one."""
    return max(1, -((now_ms - at_ms) // SECOND_MS))


def _network(kind: str, network: str, most: int, window_ms: int) -> list[Limit]:
    """None for a caller whose network isn't counted (demo.md: loopback addresses)."""
    return [Limit(f"{kind}:{network}", most, window_ms)] if network else []


def _ascii_domain(domain: str) -> str:
    try:
        return idna.encode(domain, uts46=True).decode()
    except idna.IDNAError:
        return ""


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
