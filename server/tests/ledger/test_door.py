"""A caller that has lost its mind: whatever it sends to the writer's socket, the others are served as before."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from kalos.app.migrate import role_url
from kalos.core.assets import USDT
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.ledger import client as client_of_ledger
from kalos.ledger import purse
from kalos.ledger.audit import audit
from kalos.ledger.client import LedgerClient
from kalos.ledger.frames import Asked, encode
from kalos.ledger.postings import Close, Fact, Insert, Move, MoveMany, Open, Posted, Resolve, Set, Stamp, Take
from kalos.ledger.requests import request_of
from kalos.ledger.server import serve
from kalos.ledger.verdicts import Outcome
from kalos.ledger.writer import Writer
from support.budget import count, seed
from support.clusters import SECRET
from support.ledger import BANKROLL, CHAIN, new_key, new_owner, posting

KEY, MOVES, TAKES, INSERTS, FACTS, OPENS, RESOLVES, CHANGES, CLOSES, MANY, RETURNING = (
    0,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    11,
    12,
    13,
)
"""Places in a request as it travels."""
_AT_ONCE: Final = 20
GONE: Final = None
"""The connection was ended."""
A, B = purse.available(2_000, USDT), purse.available(2_001, USDT)


class Door:
    """The writer's socket, and what it answers to raw messages."""

    def __init__(self, path: Path) -> None:
        self.path = path

    async def ask(self, *raws: Any) -> list[int | None]:
        """The outcomes of requests that are sent at once; those that got none when the connection ended are GONE."""
        reader, writer = await asyncio.open_unix_connection(str(self.path))
        outcomes: dict[int, int] = {}
        try:
            body = msgspec.msgpack.encode([[number, True, raw] for number, raw in enumerate(raws)])
            writer.write(len(body).to_bytes(4, "big") + body)
            async with asyncio.timeout(15):
                with suppress(asyncio.IncompleteReadError, ConnectionError):
                    while len(outcomes) < len(raws):
                        size = int.from_bytes(await reader.readexactly(4), "big")
                        answers = msgspec.msgpack.decode(await reader.readexactly(size))
                        outcomes |= {number: verdict[0] for number, verdict in answers}
            return [outcomes.get(number, GONE) for number in range(len(raws))]
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


@pytest.fixture(scope="module")
async def writer(database_url: str) -> AsyncIterator[Writer]:
    writer = Writer(role_url(database_url, "kalos_writer", SECRET), Clock())
    await writer.start()
    yield writer
    await writer.stop()


@pytest.fixture(scope="module")
async def door(writer: Writer, rows: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Door]:
    assert rows == "test_rows"
    path = tmp_path_factory.mktemp("door") / "writer.sock"
    server = await serve(writer, path)
    yield Door(path)
    server.close()


@pytest.fixture(autouse=True)
async def others_are_served(writer: Writer, door: Door) -> AsyncIterator[None]:
    """Around each test: the same writer, with the same lease, answers a good posting."""
    epoch = writer.epoch
    yield
    client = LedgerClient(door.path)
    try:
        assert isinstance(await client.post(posting(Move("test.fund", CHAIN, BANKROLL, 1))), Posted)
    finally:
        await client.close()
    assert not writer.lost.done()
    assert writer.epoch == epoch, "it had to begin anew"


def raw(**changes: Any) -> list[Any]:
    """A good request as it travels, with other elements at the places that are named."""
    good = posting(
        Move("test.fund", CHAIN, purse.available(new_owner(), USDT), 9),
        takes=[Take(f"door {new_key().hex()}", (1,), first=(9,))],
        riders=[Insert("test_rows", {"id": new_owner(), "member": 1})],
    )
    whole: list[Any] = msgspec.msgpack.decode(encode(Asked(1, True, request_of(good))))[2]
    while len(whole) < 14:
        whole.append(None if len(whole) == 10 else [])
    for place, value in changes.items():
        whole[globals()[place.upper()]] = value
    return whole


async def test_a_good_request_is_posted(door: Door) -> None:
    assert await door.ask(raw()) == [Outcome.POSTED]


REFUSED_BY_THE_DECODER: Final[dict[str, dict[str, Any]]] = {
    "no key": {"key": b""},
    "a negative amount": {"moves": [["test.fund", A, B, -5, 0]]},
    "nothing moved": {"moves": [["test.fund", A, B, 0, 0]]},
    "too much moved": {"moves": [["test.fund", A, B, 2**63, 0]]},
    "a part of a unit": {"moves": [["test.fund", A, B, 1.5, 0]]},
    "an account beyond 64 bits": {"moves": [["test.fund", A, 2**63 + A, 1, 0]]},
    "a reference below zero": {"moves": [["test.fund", A, B, 1, -1]]},
    "a take of nothing": {"takes": [["q", b"", None]]},
    "a take of too many numbers": {"takes": [["q", bytes(12 * 17), None]]},
    "a float taken": {"takes": [["q", [0.5], None]]},
    "more holds than a posting has": {"opens": [["test.open", A, 1, 0]] * 9},
    "a negative hold": {"opens": [["test.open", A, -1, 0]]},
    "a hold's number beyond 64 bits": {"resolves": [["test.end", 2**64 - 1, A, None]]},
    "a negative part of a hold": {"resolves": [["test.end", 80, A, -3]]},
    "a closed account beyond 64 bits": {"closes": [["", 2**63, 0]]},
    "a negative amount among many": {"many": [["test.many", [A], [B], [-1], [0]]]},
    "no list": {"moves": 7},
    "an element that lacks something": {"moves": [["test.fund", A, B]]},
}


@pytest.mark.parametrize("name", REFUSED_BY_THE_DECODER)
async def test_what_has_no_form_ends_the_connection(door: Door, name: str) -> None:
    assert await door.ask(raw(**REFUSED_BY_THE_DECODER[name])) == [GONE]


ANSWERED_AS_BUG: Final[dict[str, dict[str, Any]]] = {
    "a kind that is none": {"moves": [["TEST FUND", CHAIN, A, 1, 0]]},
    "a kind with NUL": {"moves": [["test.\0", CHAIN, A, 1, 0]]},
    "a kind that is too long": {"moves": [["test." + "a" * 100_000, CHAIN, A, 1, 0]]},
    "an empty kind": {"opens": [["", A, 1, 0]]},
    "a kind of many that is none": {"many": [["?", [A], [B], [1], [0]]]},
    "a quota with NUL": {"takes": [["a\0b", bytes(12), None]]},
    "a quota without a name": {"takes": [["", bytes(12), None]]},
    "a quota with too long a name": {"takes": [["q" * 121, bytes(12), None]]},
    "a close of nothing": {"closes": [["", 0, 0]]},
    "a closed quota with NUL": {"closes": [["a\0b", 0, 0]]},
    "a start that is no vector": {"takes": [["door start", bytes(12), b"\xff" * 12]]},
    "a start of another length": {"takes": [["door length", bytes(12), bytes(24)]]},
    "columns of different lengths": {"many": [["test.many", [A, B], [B], [1], [0]]]},
    "a change of different lengths": {"changes": [["test_rows id  state", 1, [[1, 2], ["x"]]]]},
    "a change without columns": {"changes": [["test_rows id  state", 1, []]]},
    "a change with too few columns": {"changes": [["test_rows id  state", 1, [[1]]]]},
    "changes of unlike columns": {
        "changes": [["test_rows id  state", 1, [[1], ["x"]]], ["test_rows id  state", 1, [[2]]]]
    },
    "a change of a list": {"changes": [["test_rows id  state", 1, [[[1]], ["x"]]]]},
    "a table of the ledger": {"inserts": [["accounts id,balance,version", [70_000, 5, 1]]]},
    "a table that doesn't exist": {"inserts": [["nowhere id", [1]]]},
    "a table with NUL": {"inserts": [["test\0rows id", [1]]]},
    "a column that is more": {"inserts": [["test_rows id,member) SELECT 1,2;--", [1, 2]]]},
    "a stamp that is none": {"inserts": [["test_rows id:now", []]]},
    "too few values": {"inserts": [["test_rows id,member", [1]]]},
    "a number that is a list": {"inserts": [["test_rows id,member", [1, [2]]]]},
    "a number that is a text": {"inserts": [["test_rows id,member", [1, "2"]]]},
    "a number beyond 64 bits": {"inserts": [["test_rows id,member", [1, 2**64 - 1]]]},
    "a text with NUL": {"inserts": [["test_rows id,state", [1, "a\0b"]]]},
    "bytes that are a text": {"inserts": [["test_rows id,secret", [1, "abc"]]]},
    "a fact that is no JSON": {"facts": [["bets", '{"a', []]]},
    "a fact that is nothing": {"facts": [["bets", "", [["id", "id"]]]]},
    "a fact with an odd stamp": {"facts": [["bets", '{"a":1', [["\0", "id"]]]]},
    "a topic that is too long": {"facts": [["t" * 41, "{", []]]},
    "a change that is an insert": {"changes": [["test_rows id,state", 1, [[1], ["x"]]]]},
    "an insert that is a change": {"inserts": [["test_rows id  state", [1, "x"]]]},
    "a topic with NUL": {"facts": [["a\0", "{", []]]},
}


@pytest.mark.parametrize("name", ANSWERED_AS_BUG)
async def test_what_cannot_be_is_answered_as_a_bug(door: Door, name: str) -> None:
    assert await door.ask(raw(**ANSWERED_AS_BUG[name])) == [Outcome.BUG]


async def test_a_line_that_met_another_writers_beginning_is_made_anew(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The socket's file changed right before: whose line it is nobody knows, and all who wait on it are cut off."""
    real, seen = client_of_ledger._place, [1]
    monkeypatch.setattr(client_of_ledger, "_place", lambda path: seen.pop() if seen else real(path))
    client = LedgerClient(door.path)
    try:
        assert isinstance(await client.post(posting()), Posted)
        assert client._line is not None
        assert client._line.place == real(str(door.path))
    finally:
        await client.close()


async def test_what_is_left_of_a_quota_that_is_not_taken_is_not_told(door: Door) -> None:
    assert await door.ask(raw(returning=["nowhere"])) == [Outcome.POSTED]


async def test_what_cannot_be_fails_alone(door: Door) -> None:
    """Beside good ones and a change that finds no row, in one batch."""
    bad = [raw(**fields) for fields in ANSWERED_AS_BUG.values()]
    changed = raw(changes=[["test_rows id  state", 1, [[-1], ["x"]]]])
    outcomes = await door.ask(changed, *(one for pair in zip(bad, [raw() for _ in bad], strict=True) for one in pair))
    assert outcomes == [Outcome.CHANGED, *[Outcome.BUG, Outcome.POSTED] * len(bad)]


ODD: Final[list[Any]] = [
    *(-1, 0, 1, 2, 2**31, 2**63 - 1, 2**63, 2**64 - 1, -(2**63), A, B, CHAIN, 0.5, float("nan"), True, None),
    *("", "\0", "q", "test.move", "a.b", "é" * 50, "test_rows id,state", "test_rows id  state", "keys key", "{", "}"),
    *(b"", b"\xff" * 8, [], [[]], {}, {"a": 1}, [1, 2], ["x"], [["x"]]),
]


def distorted(chance: random.Random, value: Any, depth: int = 0) -> Any:
    """The value with something else, more or less somewhere inside."""
    if not isinstance(value, list) or not value or (depth and chance.random() < 0.05):
        alike = [odd for odd in ODD if type(odd) is type(value)]
        return chance.choice(alike if alike and chance.random() < 0.9 else ODD)
    value = list(value)
    place = chance.randrange(len(value))
    match chance.randrange(20):
        case 0:
            del value[place]
        case 1:
            value.insert(place, chance.choice([*ODD, *value]))
        case _:
            value[place] = distorted(chance, value[place], depth + 1)
    return value


async def test_nothing_that_is_distorted_stops_the_writer(
    door: Door, writer: Writer, rows: str, database_url: str
) -> None:
    chance = random.Random(seed())
    fund = [Move("test.fund", CHAIN, account, 10**9) for account in (A, B)]
    assert isinstance(await writer.post(posting(*fund, riders=[Insert(rows, {"id": 77})])), Posted)

    def odd() -> Any:
        whole = posting(
            Move("test.move", A, B, 1),
            opens=[Open("test.open", A, 2)],
            takes=[Take("door", (1, -1), first=(10**6, 0))],
            many=[MoveMany("test.many", [A, B], [B, A], [1, 2], [0, 7])],
            riders=[Insert(rows, {"id": new_owner(), "state": "x"}), Set(rows, {"id": 77}, {}, {"state": "y"})],
            facts=[Fact("bets", {"bet": Stamp.ID})],
            resolves=[Resolve("test.end", chance.randrange(800), B)] if chance.random() < 0.1 else [],
            closes=[Close(quota=f"closed {new_key().hex()}")],
        )
        return distorted(chance, msgspec.msgpack.decode(encode(request_of(whole))))

    outcomes: set[int | None] = set()
    for _ in range(count("ledger.door.requests") // _AT_ONCE):
        for answers in await asyncio.gather(*(door.ask(odd(), odd()) for _ in range(_AT_ONCE // 2))):
            outcomes.update(answers)
    assert outcomes >= {GONE, Outcome.POSTED, Outcome.REFUSED, Outcome.BUG}
    database = Database(role_url(database_url, "kalos_app", SECRET), size=4)
    assert await audit(database) == []
    await database.close()
