"""A posting that can't be never travels; one that can loses nothing on its way."""

import asyncio
from datetime import date
from typing import Any

import msgspec
import pytest

from kalos.core.assets import KLS, USDT
from kalos.ledger import purse
from kalos.ledger.checks import BadPosting
from kalos.ledger.frames import Asked, BadFrame, Inbound, Outbound, encode
from kalos.ledger.postings import Close, Fact, Insert, Move, MoveMany, Open, Posting, Resolve, Set, SetMany, Stamp, Take
from kalos.ledger.purse import Purpose
from kalos.ledger.requests import Request, request_of

decode = msgspec.msgpack.Decoder(list[Asked]).decode
A, B = purse.available(1000, USDT), purse.available(1001, USDT)
KEY = bytes(range(32))

WHOLE = Posting(
    key=KEY,
    moves=[Move("a.move", A, B, 2**63 - 1, reference=9)],
    opens=[Open("a.open", A, 5, reference=7)],
    resolves=[Resolve("a.end", 80, B), Resolve("a.part", 81, B, 3)],
    takes=[Take("height 5", (1, -1), first=(10, 10)), Take("left", (1,), returning=True)],
    closes=[Close("left"), Close(account=A), Close(hold=80)],
    many=[MoveMany("a.many", [A, B], [B, A], [1, 2], [0, 7])],
    riders=[
        Insert("bets", {"id": Stamp.ID, "word": 'a "quoted" é', "raw": b"\x00\xff", "note": {"a": [1, None]}}),
        Set("rounds", {"id": 4}, {"state": "open", "day": date(2026, 1, 2)}, {"state": "sealed", "at": Stamp.AT}),
        SetMany("rounds", {"id": [5, 6]}, {}, {"state": ["a", "b"], "at": Stamp.AT}),
    ],
    facts=[Fact("rounds", {"round": "x", "posting": Stamp.ID})],
    fingerprint=b"f" * 32,
    not_after=5,
    member=1000,
)


def test_a_request_comes_out_of_its_frame_as_it_went_in() -> None:
    request = request_of(WHOLE)
    assert msgspec.msgpack.encode(msgspec.msgpack.decode(encode(request), type=Request)) == encode(request)
    assert request.key == KEY[:16]
    assert request.moves == [("a.move", A, B, 2**63 - 1, 9)]
    assert request.many == [("a.many", [A, B], [B, A], [1, 2], [0, 7])]
    assert request.resolves == [("a.end", 80, B, None), ("a.part", 81, B, 3)]
    unit, ten = bytes(11) + b"\1", bytes(11) + b"\n"
    assert request.takes == [("height 5", bytes(12) + b"\xff" * 12, ten * 2), ("left", unit, None)]
    assert request.returning == ["left"]
    assert request.closes == [("left", 0, 0), ("", A, 0), ("", 0, 80)]
    assert (request.inserts[0].shape, request.inserts[0].values) == (
        "bets id:id,word,raw,note",
        ['a "quoted" é', b"\x00\xff", '{"a":[1,null]}'],
    )
    one, many = request.changes
    assert (one.shape, one.keys) == ("rounds id state,day state,at:at", 1)
    assert one.columns == [[4], ["open"], [date(2026, 1, 2)], ["sealed"]]
    assert one.rows == [("rounds", 4)]
    assert (many.shape, many.columns) == ("rounds id  state,at:at", [[5, 6], ["a", "b"]])
    assert many.rows == [("rounds", 5), ("rounds", 6)]


BAD: dict[str, dict[str, Any]] = {
    "a short key": {"key": b"short"},
    "no units": {"moves": [Move("a.b", A, B, 0)]},
    "negative units": {"moves": [Move("a.b", A, B, -1)]},
    "too many units": {"moves": [Move("a.b", A, B, 2**63)]},
    "a kind that is no kind": {"moves": [Move("a b", A, B, 1)]},
    "the same account": {"moves": [Move("a.b", A, A, 1)]},
    "moving what is held": {"moves": [Move("a.b", A + 1, A, 1)]},
    "moving into what is held": {"moves": [Move("a.b", A, A + 1, 1)]},
    "units that are no whole number": {"moves": [Move("a.b", A, B, 5.0)]},  # type: ignore[arg-type]
    "too many rows": {"many": [MoveMany("a.b", [A] * 600, [B] * 600, [1] * 600, [0] * 600)] * 2},
    "too many rows of a table": {"riders": [SetMany("bets", {"id": range(1_001)}, {}, {"a": range(1_001)})]},
    "two assets": {"moves": [Move("a.b", A, purse.available(1001, KLS), 1)]},
    "an account out of range": {"moves": [Move("a.b", A + 2**64, B, 1)]},
    "a hold on what is not available": {"opens": [Open("a.b", purse.house(Purpose.FEES, USDT), 1)]},
    "nine holds": {"opens": [Open("a.b", A, 1)] * 9},
    "resolving nothing": {"resolves": [Resolve("a.b", 8, A, 0)]},
    "an empty vector": {"takes": [Take("q", ())]},
    "seventeen numbers": {"takes": [Take("q", (1,) * 17)]},
    "a start of another length": {"takes": [Take("q", (1, 1), first=(1,))]},
    "a negative start": {"takes": [Take("q", (1,), first=(-1,))]},
    "a start beyond 64 bits": {"takes": [Take("q", (1,), first=(2**63,))]},
    "a take beyond 64 bits": {"takes": [Take("q", (1, -(2**63)))]},
    "a float taken": {"takes": [Take("q", (0.5,))]},  # type: ignore[arg-type]
    "a quota without name": {"closes": [Close("")]},
    "a rider on the ledger": {"riders": [Insert("accounts", {"id": 1})]},
    "a rider on the journal": {"riders": [Set("journal", {"id": 1}, {}, {"amount": 2})]},
    "a table with a quote": {"riders": [Insert('bets"', {"id": 1})]},
    "a column with a quote": {"riders": [Insert("bets", {'id"; --': 1})]},
    "text with a NUL": {"riders": [Insert("bets", {"word": "a\0b"})]},
    "one row twice": {"riders": [Set("bets", {"id": 1}, {}, {"a": 1}), Set("bets", {"id": 1}, {}, {"b": 1})]},
    "one row twice in columns": {"riders": [SetMany("bets", {"id": [1, 1]}, {}, {"a": [1, 2]})]},
    "columns of two lengths": {"riders": [SetMany("bets", {"id": [1, 2]}, {}, {"a": [1]})]},
    "an expectation of its own key": {"riders": [Set("bets", {"id": 1}, {"id": 1}, {"a": 1})]},
    "a float": {"riders": [Insert("bets", {"stake": 0.5})]},
    "moves of two lengths": {"many": [MoveMany("a.b", [A], [B, B], [1], [0])]},
    "many moves, one of nothing": {"many": [MoveMany("a.b", [A, A], [B, B], [1, 0], [0, 0])]},
    "no moves at all": {"many": [MoveMany("a.b", [], [], [], [])]},
    "closing two things at once": {"closes": [Close("left", account=A)]},
    "closing an account below zero": {"closes": [Close(account=-1)]},
    "a rider on the sums": {"riders": [Insert("daily_sums", {"units": 1})]},
    "a rider on the flags": {"riders": [Insert("ledger_flags", {"name": "a"})]},
    "a change of nothing": {"riders": [Set("bets", {"id": 1}, {}, {})]},
    "a topic with a blank": {"facts": [Fact("a b", {})]},
    "too many elements": {"moves": [Move("a.b", A, B, 1)] * 1_001},
}


@pytest.mark.parametrize("fields", BAD.values(), ids=BAD.keys())
def test_a_bad_posting_never_leaves(fields: dict[str, Any]) -> None:
    with pytest.raises(BadPosting):
        request_of(Posting(**({"key": KEY} | fields)))


def test_of_many_bad_elements_the_first_is_named_with_its_place() -> None:
    bad = Move("a.b", A, A, 1)
    with pytest.raises(BadPosting) as found:
        request_of(Posting(KEY, moves=[Move("a.b", A, B, 1), *[bad] * 999]))
    assert str(found.value) == f"element 1 can't be: {bad}"


def test_a_long_bad_element_is_named_by_its_beginning() -> None:
    bad = MoveMany("a.b", [A] * 1_000, [A] * 1_000, [1] * 1_000, [0] * 1_000)
    with pytest.raises(BadPosting) as found:
        request_of(Posting(KEY, many=[bad]))
    assert str(found.value) == f"element 0 can't be: {str(bad)[:300]}"


def test_a_typed_backslash_is_no_nul() -> None:
    assert request_of(Posting(KEY, riders=[Insert("bets", {"word": "\\u0000"})])).inserts[0].shape == "bets word"


class Pipe(asyncio.WriteTransport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return False


async def test_messages_of_one_turn_are_one_frame_and_are_found_wherever_it_breaks() -> None:
    pipe = Pipe()
    outbound = Outbound(pipe)
    asked = [Asked(number, True, request_of(WHOLE)) for number in range(5)]
    for one in asked[:3]:
        outbound.send(encode(one))
    await asyncio.sleep(0)
    for one in asked[3:]:
        outbound.send(encode(one))
    await asyncio.sleep(0)
    assert len(pipe.written) == 2
    stream = b"".join(pipe.written)
    for size in (1, 7, 100, len(stream)):
        inbound, found = Inbound(decode), []
        for start in range(0, len(stream), size):
            found += inbound.messages(stream[start : start + size])
        assert [encode(one) for one in found] == [encode(one) for one in asked]


async def test_many_large_messages_leave_in_frames_that_the_other_side_takes() -> None:
    pipe = Pipe()
    outbound = Outbound(pipe)
    large = encode(Asked(1, True, request_of(Posting(KEY, facts=[Fact("a", {"text": "x" * 900_000})]))))
    for _ in range(40):
        outbound.send(large)
    await asyncio.sleep(0)
    assert len(pipe.written) == 20
    inbound = Inbound(decode)
    assert sum(len(inbound.messages(frame)) for frame in pipe.written) == 40


def test_a_frame_that_is_too_long_ends_the_connection() -> None:
    with pytest.raises(BadFrame):
        Inbound(decode).messages((18 << 20).to_bytes(4, "big"))
