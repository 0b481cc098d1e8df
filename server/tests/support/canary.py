"""Secrets of tests, and whether one of them stands in what the suite's processes and logs have written.

`python -m support.canary FILES` searches what the parts of `make test` have printed.
"""

import base64
import json
import os
import re
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from kalos.core import tokens
from kalos.domains.factors import service as factors
from kalos.domains.factors.rules import SECRET_BYTES
from support.clusters import PASSWORD as DATABASE_PASSWORD
from support.clusters import SECRET
from support.people import PASSWORD

_TOKEN_BYTES: Final = 32
_PLANTED: Final = {PASSWORD, DATABASE_PASSWORD, SECRET.decode(), SECRET.hex()}
"""Passwords (a wrong one holds the right one), the installation's secret; each token and secret joins when made."""

_FORMS: Final = re.compile(
    r"""
    \$argon2id\$v=  # a password's hash
    | -----BEGIN[A-Z ]*\ PRIVATE\ KEY
    | \bxprv[0-9A-Za-z]{20}
    | ://[^:@/\s"]+:[^@/\s"]+@  # an address with its password
    | \bcode(?:\ is)?\W{1,8}[0-9]{6}\b  # of an e-mail
    | \b(?:password|out_password|email_code|google_code|authorization|token|secret|seed|sign|captcha_text)
      ["']?\s?[:=]\s?["'][^"']  # a field with its value
    """,
    re.VERBOSE | re.IGNORECASE,
)


def plant_tokens() -> None:
    """Remember every token, secret and recovery code that this process makes from now on."""
    make_text, make_hex, make_bytes = secrets.token_urlsafe, secrets.token_hex, os.urandom
    make_recovery_code = tokens.new_recovery_code

    def token_urlsafe(nbytes: int | None = None) -> str:
        made = make_text(nbytes)
        return plant(made) if nbytes == _TOKEN_BYTES else made

    def token_hex(nbytes: int | None = None) -> str:
        made = make_hex(nbytes)
        return plant(made) if nbytes == _TOKEN_BYTES else made

    def urandom(size: int, /) -> bytes:
        made = make_bytes(size)
        if size == SECRET_BYTES:  # an authenticator's, which members see in letters
            plant(base64.b32encode(made).decode())
        return made

    def new_recovery_code() -> str:
        return plant(make_recovery_code())

    secrets.token_urlsafe, secrets.token_hex, os.urandom = token_urlsafe, token_hex, urandom
    # Under both names: whoever makes them has imported it already.
    for module in (tokens, factors):
        vars(module)[make_recovery_code.__name__] = new_recovery_code


def plant(secret: str) -> str:
    assert len(secret) >= 10, "it could stand in a log by chance"
    _PLANTED.add(secret)
    return secret


def found_in(written: str) -> list[str]:
    """The secrets in a text, each with a little of what stands before it; by value or by form."""
    hits = [written.find(secret) for secret in _PLANTED]
    hits += [found.start() for found in _FORMS.finditer(written)]
    return [written[max(0, place - 60) : place + 80] for place in sorted(hits) if place >= 0]


def check_folder(folder: Path) -> None:
    """Assert that no log below `folder` shows a secret, that of the folder's own installation included."""
    kept = folder / "secrets.json"
    if kept.exists():
        plant(json.loads(kept.read_text())["installation"])
    for place in (*folder.rglob("*.log"), *folder.rglob("*.log.1")):
        found = found_in(place.read_text(errors="replace"))
        assert not found, f"{place} shows a secret: {found}"


def check_report(report: pytest.TestReport) -> None:
    """Make a test fail whose output, logs included, shows a secret; "log" is pytest's own copy in a form of its own."""
    for name, written in report.sections:
        if not name.startswith("Captured log") and (found := found_in(written)):
            report.outcome = "failed"
            report.longrepr = f"{name} shows a secret: {found}"


def main(places: Sequence[str]) -> int:
    """Say which of these files show a secret. Returns 1 where one does."""
    leaks = {place: found for place in places if (found := found_in(Path(place).read_text(errors="replace")))}
    for place, found in leaks.items():
        sys.stderr.write(f"what {Path(place).name} has printed shows a secret: {found}\n")
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
