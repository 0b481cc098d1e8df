"""Every built call against its entry in the OpenAPI document: bodies that fit it and others, plain and sealed."""

import itertools
import json
import secrets
import time
import uuid
from base64 import b32decode, b32encode, b64decode
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import pytest
import requests
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode, Response, openapi
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from console.scene import begin_session as begin_staff_session
from console.scene import make_worker
from contract.doors import sealed_door
from contract.house import ADDRESS, SECRET, TWO_WAYS, WALLETS, Helper
from contract.turns import (
    BIND_LOGIN,
    BOOK,
    FACTORS,
    FREEZE,
    RENEWALS,
    STAFF_LOGIN,
    WITHDRAW,
    Console,
    Members,
)
from kalos.app.demo_data import OUT_PASSWORD
from kalos.app.settings import Settings, load_settings
from kalos.core.assets import USDT
from kalos.core.database import Database
from kalos.core.passwords import hash_password
from kalos.core.tokens import digest
from kalos.domains.context import Member
from kalos.domains.factors.queries import insert_out_password
from kalos.domains.identity.queries import insert_freeze_token
from kalos.domains.wallets.queries import insert_address, insert_login_wallet
from kalos.ledger import purse
from kalos.ledger.client import LedgerClient
from kalos.ledger.postings import Insert, Move, Posting, Stamp
from kalos.ledger.purse import Purpose
from kalos.operator.rules import ROLES
from kalos.wire.errors import BadSignature, UnknownChannel
from kalos.wire.strict_json import MAX_BYTES, NotStrict, bad_texts, parse_object
from support.budget import SOAK, count, figures
from support.group import FirstStart, RunningGroup, running_group, until_audited, wait_until_ready
from support.loopback import loopback_client
from support.members import begin_session, fund, give_google, hand_out, make_member
from wire.support import ORIGIN, hello_to

AnyCase = Case[Any]
pytestmark = pytest.mark.group
CONTRACT: Final = Path(__file__).parents[3] / "contract" / "openapi.json"
DOCUMENT: Final = json.loads(CONTRACT.read_text())
SCHEMA: Final = openapi.from_path(CONTRACT)
OPEN: Final = "/api/wire/open"
"""Made plainly alone: the proxy opens its channel with it, and what is sealed for nobody isn't sealed again."""
KEYS: Final = "/.well-known/wire-keys"
OPERATIONS: Final = {path: SCHEMA[path]["POST"] for path in DOCUMENT["paths"] if path != KEYS}
LAST: Final = ("/api/demo/mine", "/api/demo/reorg", "/api/demo/clock")
"""These change the house for everybody: they come when the other calls are through."""
PATHS: Final = sorted(OPERATIONS, key=lambda path: LAST.index(path) if path in LAST else -1)
MADE: Final = [(form, path) for form in ("plain", "sealed") for path in PATHS if (form, path) != ("sealed", OPEN)]
MEMBERS: Final = 20
BRAKED: Final = 4
SESSION_SECONDS: Final = 7_200
SHAPE: Final = frozenset(("missing", "unknown", "type", "form", "length", "range", "choice"))
"""Reasons that are the document's to state: a body that fits it is not refused for one of them."""
CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@cache
def body_validator(path: str) -> jsonschema_rs.Draft202012Validator:
    schema = DOCUMENT["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return jsonschema_rs.Draft202012Validator(schema | {"components": DOCUMENT["components"]}, validate_formats=True)


@dataclass
class Door:
    """One way to the house; `codes` counts what it answered."""

    url: str
    sealed: bool
    members: Members
    http: requests.Session = field(default_factory=requests.Session)
    codes: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.http.trust_env = False

    def send(self, case: AnyCase, token: str | None, *, own: bool = False) -> Response:
        """Send it; who came too often comes again when the house says so, as another member if it isn't one's `own`."""
        path, headers = case.operation.path, {"Origin": ORIGIN} if case.operation.path == OPEN else {}
        while True:
            if token is not None:
                headers = {"Authorization": token}
            answer = case.call(self.url, self.http, headers)
            whole: dict[str, Any] = {"code": answer.status_code, "data": {}}
            if answer.status_code == 200:
                whole = answer.json()
            if whole["data"].get("retry_after") != 1:
                self.codes[whole["code"]] += 1
                return answer
            time.sleep(1 - time.time() % 1)
            token = token if own or token is None else self.members.token(path)


@pytest.fixture(scope="module")
def group(first_start: FirstStart) -> Iterator[RunningGroup]:
    with running_group(first_start) as running:
        yield running


@pytest.fixture(scope="module")
async def members(group: RunningGroup) -> AsyncIterator[Members]:
    settings = load_settings(group.environment)
    db, ledger = Database(settings.app_url, size=3), LedgerClient(settings.writer_socket)
    await until_audited(db)
    made = [await make_member(settings.owner_url) for _ in range(MEMBERS)]
    for member in made:
        await fund(ledger, member, usdt="1000")
        await hand_out(ledger, member, "1000")
        await give_income(ledger, member)
    sessions = [await begin_session(db, member, seconds=SESSION_SECONDS) for member in made]
    tokens, braked = sessions[BRAKED:], sessions[:BRAKED]
    spare = [await begin_session(db, made[-1], seconds=SESSION_SECONDS) for _ in range(5 * count("api.contract.cases"))]
    fresh = {path: [await make_member(settings.owner_url) for _ in range(6)] for path in FACTORS}
    for member in fresh["/api/user/unbindGoogle"]:
        await give_google(db, settings.factor_keys[0], member, b32decode(SECRET))
    out_password = await hash_password(OUT_PASSWORD)
    for member in (one for path in BOOK for one in fresh[path]):
        await give_book(db, member, out_password)
    for member in fresh[WITHDRAW]:
        await fund(ledger, member, usdt="100")
        await hand_out(ledger, member, "10")
    payers = [await make_member(settings.owner_url) for _ in range(6)]
    for member in payers:
        await give_book(db, member, out_password)
        await fund(ledger, member, usdt="10100")
        await hand_out(ledger, member, "200")
        await give_waiting(db, ledger, member)
    entered = {
        path: [await begin_session(db, one, seconds=SESSION_SECONDS) for one in those] for path, those in fresh.items()
    }
    paying = iter([await begin_session(db, one, seconds=SESSION_SECONDS) for one in payers])
    bound = {f"0x{one.id:040d}": one for one in fresh[BIND_LOGIN]} | {
        wallet.address: await make_member(settings.owner_url) for wallet in WALLETS
    }
    async with db.transaction() as step:
        for one, token in zip(fresh[FREEZE], entered[FREEZE], strict=True):
            await insert_freeze_token(step, token_hash=digest(token), member=one.id, until_at=2**62)
        for address, one in bound.items():
            assert await insert_login_wallet(step, member=one.id, address=address, bound_block=0, bound_at=1)
    yield Members(tokens, spare, braked, entered, await make_console(settings, db), paying)
    await ledger.close()
    await db.close()


async def make_console(settings: Settings, db: Database) -> Console:
    """Some who read and sign, one who makes, who logs in and who renews: each authenticator's code is right once."""
    key = settings.factor_keys[0]
    staff = [await make_worker(settings.owner_url, key, *ROLES) for _ in range(12 + 4 * len(RENEWALS))]
    maker, entering, signing, renewing = staff[0], staff[1:7], staff[7:12], staff[12:]
    renewers = {await begin_staff_session(db, one): (one.name, b32encode(one.secret).decode()) for one in renewing}
    return Console(
        itertools.cycle([await begin_staff_session(db, one) for one in signing]),
        await begin_staff_session(db, maker),
        itertools.cycle([await begin_staff_session(db, maker) for _ in range(5 * count("api.contract.cases"))]),
        itertools.cycle([f"{one.name} {b32encode(one.secret).decode()}" for one in entering]),
        renewers,
        iter(renewers),
    )


async def give_book(db: Database, member: Member, out_password: str) -> None:
    """A withdrawal password, by its hash, and an address to withdraw to."""
    async with db.transaction() as step:
        await insert_out_password(step, member.id, out_password, at=1)
        await insert_address(
            step, member=member.id, chain=31337, address=ADDRESS, label="x", is_listed=False, created_at=1, usable_at=1
        )


async def give_waiting(db: Database, ledger: LedgerClient, member: Member) -> None:
    """A top-up that waits for a person, of which nothing moves when it is refused: the chain has it twice; and a token
    that the house doesn't know."""
    address = f"0x{secrets.token_hex(20)}"
    await db.execute("INSERT INTO deposit_addresses (owner, address, made_at) VALUES ($1, $2, 1)", member.id, address)
    row = {
        "id": Stamp.ID,
        "revision": 1,
        "chain_id": 31337,
        "transaction": f"0x{secrets.token_hex(32)}",
        "log_index": 0,
        "block": 1,
        "block_hash": f"0x{secrets.token_hex(32)}",
        "asset": USDT.code,
        "sender": ADDRESS,
        "recipient": address,
        "owner": member.id,
        "units": 20 * 10**USDT.scale,
        "required": 3,
        "status": "pending_review",
        "reason": "repeated",
        "seen_at": Stamp.AT,
        "changed_at": Stamp.AT,
        "credited_at": None,
    }
    await ledger.post(Posting(key=uuid.uuid4().bytes * 2, riders=[Insert("deposits", row)]))
    await db.execute(
        """
        INSERT INTO strays (chain_id, transaction, log_index, block, contract, sender, recipient, owner, units, seen_at)
        VALUES (31337, $1, 0, 1, $2, $2, $3, $4, 5, 1)
        """,
        f"0x{secrets.token_hex(32)}",
        ADDRESS,
        address,
        member.id,
    )


async def give_income(ledger: LedgerClient, member: Member) -> None:
    """A USDT that can be claimed."""
    claimable = purse.account(member.id, USDT, Purpose.CLAIMABLE)
    move = Move("test.fund", purse.outside(Purpose.CHAIN, USDT), claimable, 10**USDT.scale)
    await ledger.post(Posting(key=uuid.uuid4().bytes * 2, moves=[move]))


@pytest.fixture(scope="module")
def helper(group: RunningGroup, members: Members) -> Iterator[Helper]:
    askers = iter(lambda: members.token("/api/support/open"), "")
    made = Helper(f"http://127.0.0.1:{group.port}", members.console, members.payers, askers)
    yield made
    made.close()


@pytest.fixture(scope="module")
async def doors(group: RunningGroup, members: Members) -> AsyncIterator[dict[str, Door]]:
    with sealed_door(group) as (own, address):
        async with loopback_client(f"http://127.0.0.1:{own.port}") as http:
            await wait_until_ready(http)
        plain = Door(f"http://127.0.0.1:{group.port}", False, members)
        sealed = Door(address, True, members)
        yield {"plain": plain, "sealed": sealed}
        for form, door in (("plain", plain), ("sealed", sealed)):
            figures(f"codes of {form} calls", **{str(code): seen for code, seen in sorted(door.codes.items())})


def check(door: Door, answer: Response, case: AnyCase, *, known: bool = True) -> int:
    """What every answer must be, given the body that was sent. Returns its code, or HTTP's for what can't be sealed."""
    path = case.operation.path
    raw = answer.request.body or b""
    assert isinstance(raw, bytes | str)
    raw = raw.encode() if isinstance(raw, str) else raw
    try:
        fields = parse_object(raw)
    except NotStrict:
        fields = None
    fits = fields is not None and body_validator(path).is_valid(fields)
    if answer.status_code == 400:
        assert door.sealed, "only the proxy refuses by HTTP what it can't seal"
        assert not fits
        return 400
    if answer.status_code == 413:
        assert len(raw) * 2 > MAX_BYTES, "sealed, a body is longer by a third"
        return 413
    case.validate_response(answer, CHECKS)
    whole = answer.json()
    assert answer.status_code == 200
    assert answer.headers["content-type"] == ["application/json"]
    assert whole.keys() == {"code", "msg", "data"}
    code: int = whole["code"]
    assert not 460 <= code <= 464 or (path == OPEN and code in (BadSignature.code, UnknownChannel.code)), whole
    if not fits:
        assert code in (400, 406, 429), whole
    elif code == 400:
        assert not [fault for fault in whole["data"].get("errors", ()) if fault["reason"] in SHAPE], whole
    if not known and fields is not None and not bad_texts(fields):
        assert code == 406, whole
    return code


def tame(value: Any) -> Any:
    """Without what strict JSON refuses anyway: whole numbers as 1.0, characters that can't be printed."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        return "".join(character for character in value if character.isprintable())
    if isinstance(value, dict):
        return {tame(key): tame(item) for key, item in value.items()}
    return [tame(item) for item in value] if isinstance(value, list) else value


@st.composite
def bodies(draw: st.DrawFn, drawn: Any, good: dict[str, Any]) -> Any:
    """A drawn body as it is, or tamed and with some fields of one that is good: so it comes further in."""
    if not isinstance(drawn, dict) or draw(st.booleans()):
        return drawn
    kept = draw(st.sets(st.sampled_from(sorted(good)))) if good else ()
    return tame(drawn) | {name: good[name] for name in kept}


def distorted(good: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Bodies that differ from a good one in one field: unknown, missing, or of a type that no field has."""
    yield good | {"unknown": "x"}
    for name in good:
        yield {other: value for other, value in good.items() if other != name}
        yield good | {name: [[]]}


def hello(door: Door) -> dict[str, Any]:
    """What opens a channel, with the newest key."""
    key = door.http.get(door.url + KEYS).json()["keys"][0]
    sealed = hello_to(key["kid"], b64decode(key["pk"]), secrets.token_bytes(32))
    return {"v": 1, "kid": key["kid"], "hello": sealed}


def test_the_wires_keys_are_as_the_document_says(doors: dict[str, Door]) -> None:
    door, case = doors["plain"], SCHEMA[KEYS]["GET"].Case()
    answer = case.call(door.url, door.http)
    assert answer.status_code == 200
    case.validate_response(answer, CHECKS)
    begins = [key["nbf"] for key in answer.json()["keys"]]
    assert begins == sorted(begins, reverse=True)


@pytest.mark.parametrize(("form", "path"), MADE)
def test_call_answers_as_the_document_says(
    doors: dict[str, Door], helper: Helper, members: Members, form: str, path: str
) -> None:
    door, operation = doors[form], OPERATIONS[path]
    protected = "security" in DOCUMENT["paths"][path]["post"]
    for _ in range(2):  # the round of a bet may have closed meanwhile
        token = members.whose(path)
        good = hello(door) if path == OPEN else helper.good(path, token)
        code = 400 if "image_sha256" in good else 200  # a file doesn't come with a body
        case = operation.Case(body=good, media_type="application/json")
        if (found := check(door, door.send(case, token if protected else None, own=True), case)) == code:
            break
    assert found == code
    goods = [good]
    if path in TWO_WAYS:
        token = members.whose(path)
        goods.append(helper.another(path, token))
        case = operation.Case(body=goods[1], media_type="application/json")
        assert check(door, door.send(case, token if protected else None, own=True), case) == 200
    for body in itertools.chain(*map(distorted, goods)):
        case = operation.Case(body=body, media_type="application/json")
        check(door, door.send(case, members.token(path) if protected else None), case)

    def run(mode: GenerationMode) -> None:
        cases = operation.as_strategy(generation_mode=mode)

        @hypothesis(
            max_examples=count("api.contract.cases") if SOAK else 1,
            derandomize=not SOAK,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
        )
        @given(data=st.data())
        def each(data: st.DataObject) -> None:
            case = data.draw(cases)
            case.body = data.draw(bodies(case.body, data.draw(st.sampled_from(goods))))
            known = not protected or data.draw(st.integers(0, 7)) != 7
            answer = door.send(case, members.token(path) if protected and known else None)
            check(door, answer, case, known=known)

        each()

    before = door.codes.copy()
    run(GenerationMode.POSITIVE)
    run(GenerationMode.NEGATIVE)
    seen = door.codes - before
    if path not in FACTORS | {STAFF_LOGIN, *RENEWALS}:  # which are told to wait after a few tries
        assert seen[429] * 4 <= seen.total(), "most calls must have been answered"
