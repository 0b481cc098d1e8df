"""Writes siwe.json: sign-in messages that another implementation composes, and signatures that it takes.

Run in an environment of its own: pip install siwe==4.4.0 abnf==2.2.0, then python make_siwe.py. Nothing is drawn by
chance, so that it writes the same file each time. `--check` compares instead.
"""

import json
import sys
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from itertools import cycle
from pathlib import Path
from typing import Any

from eth_account import Account
from eth_account.messages import encode_defunct
from siwe import ISO8601Datetime, SiweMessage  # type: ignore[import-not-found]

PLACE = Path(__file__).with_name("siwe.json")
CASES = 24
LASTS_MS = 300_000
PAGES = (
    "https://kalos.example",
    "http://localhost:8000",
    "https://app.kalos.example:8443",
    "http://127.0.0.1:8123",
    "https://k-a.los.example",
)
CHAINS = (1, 10, 56, 137, 31337, 11155111)
FIRST_MS, SPAN_MS = 1_700_000_000_000, 100_000_000_000


def drawn(what: str, number: int) -> bytes:
    return sha256(f"siwe {what} {number}".encode()).digest()


def statement(account: str | None) -> str:
    """As domains/wallets/rules.py has it, written once more."""
    what = "Log in to Kalos." if account is None else f"Let this wallet log in to the Kalos account {account}."
    return f"{what} This moves no coins and costs nothing."


def moment(at_ms: int) -> ISO8601Datetime:
    return ISO8601Datetime(datetime.fromtimestamp(at_ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))


def case(number: int, page_url: str, chain_id: int) -> dict[str, Any]:
    owner = Account.from_key(drawn("key", number))
    account = None if number % 3 == 0 else str(10_000_000 + int.from_bytes(drawn("account", number)[:4]) % 90_000_000)
    nonce = drawn("nonce", number)[:16].hex()
    issued_at = FIRST_MS + int.from_bytes(drawn("time", number)[:6]) % SPAN_MS
    scheme, _, host = page_url.partition("://")
    message = SiweMessage(
        domain=host,
        address=owner.address,
        statement=statement(account),
        uri=f"{scheme}://{host}/login",
        version="1",
        chain_id=chain_id,
        nonce=nonce,
        issued_at=moment(issued_at),
        expiration_time=moment(issued_at + LASTS_MS),
    )
    text = message.prepare_message()
    signature = owner.sign_message(encode_defunct(text=text)).signature.hex()
    signature = "0x" + signature.removeprefix("0x")
    message.verify(signature, timestamp=datetime.fromtimestamp(issued_at // 1000 + 1, UTC))
    return {
        "page_url": page_url,
        "chain_id": chain_id,
        "account": account,
        "address": owner.address,
        "nonce": nonce,
        "issued_at": issued_at,
        "expires_at": issued_at + LASTS_MS,
        "text": text,
        "signature": signature,
    }


def content() -> str:
    about = (
        f"Messages composed and signatures accepted by the PyPI package siwe {version('siwe')} "
        f"(abnf {version('abnf')}), keys of this file alone; statements are those of domains/wallets/rules.py. "
        "Written by make_siwe.py."
    )
    rows = [case(*one) for one in zip(range(CASES), cycle(PAGES), cycle(CHAINS), strict=False)]
    listed = ",\n".join(json.dumps(row) for row in rows)
    return f'{{"about": {json.dumps(about)}, "cases": [\n{listed}\n]}}\n'


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        sys.exit(content() != PLACE.read_text())
    PLACE.write_text(content())
