"""Rows of domains that are written with a batch: one statement part for each table and set of columns."""

from collections.abc import Iterable
from typing import Final

from kalos.core.clock import business_day
from kalos.ledger.postings import Stamp
from kalos.ledger.requests import Change, Row

InsertShape = tuple[str, tuple[str, ...]]
ChangeShape = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]

_ID: Final = Stamp.ID.value
_AT: Final = Stamp.AT.value
_DAY: Final = Stamp.DAY.value


class Stamps:
    """The values that only the writer knows, as JSON."""

    __slots__ = ("at", "day")

    def __init__(self, at: int) -> None:
        self.at = str(at)
        self.day = f'"{business_day(at).isoformat()}"'

    def onto(self, text: str, stamps: Iterable[tuple[str, str]], posting: int) -> str:
        """Add the stamps to a JSON object that lacks its closing brace."""
        for column, stamp in stamps:
            if stamp == _ID:
                value = str(posting)
            elif stamp == _AT:
                value = self.at
            elif stamp == _DAY:
                value = self.day
            else:
                value = str(posting * 8)
            comma = "" if text[-1] == "{" else ","
            text = f'{text}{comma}"{column}":{value}'
        return text


def gather_inserts(rows: Iterable[tuple[int, Row]], stamps: Stamps) -> dict[InsertShape, str]:
    """A JSON list for each table and set of columns."""
    lists: dict[InsertShape, list[str]] = {}
    for posting, row in rows:
        text = stamps.onto(row.text, row.stamps, posting) + "}"
        lists.setdefault((row.table, row.columns), []).append(text)
    return {shape: f"[{','.join(lists[shape])}]" for shape in sorted(lists)}


def gather_changes(changes: Iterable[tuple[int, Change]], stamps: Stamps) -> dict[ChangeShape, str]:
    """A JSON list of {was, new} for each table and sets of columns."""
    lists: dict[ChangeShape, list[str]] = {}
    for posting, change in changes:
        text = stamps.onto(change.text, change.stamps, posting) + "}}"
        lists.setdefault((change.table, change.keys, change.expected, change.columns), []).append(text)
    return {shape: f"[{','.join(lists[shape])}]" for shape in sorted(lists)}


def insert_sql(shape: InsertShape, value: str) -> str:
    """One insert of many rows; names were checked where the request was made and are quoted here again."""
    table, columns = shape
    names = ", ".join(map(_quoted, columns))
    return (
        f"INSERT INTO {_quoted(table)} ({names}) "
        f"SELECT {names} FROM json_populate_recordset(NULL::{_quoted(table)}, {value}::json)"
    )


def change_sql(shape: ChangeShape, value: str) -> str:
    """One update of many rows, each only where it is as expected; `RETURNING` counts those that were."""
    table, keys, expected, columns = shape
    record = f"NULL::{_quoted(table)}"
    sets = ", ".join(f"{_quoted(name)} = fresh.{_quoted(name)}" for name in columns)
    where = [f"t.{_quoted(name)} = was.{_quoted(name)}" for name in keys]
    where += [f"t.{_quoted(name)} IS NOT DISTINCT FROM was.{_quoted(name)}" for name in expected]
    return (
        f"UPDATE {_quoted(table)} t SET {sets} FROM json_array_elements({value}::json) AS one, "
        f"json_populate_record({record}, one -> 'was') AS was, json_populate_record({record}, one -> 'new') AS fresh "
        f"WHERE {' AND '.join(where)} RETURNING 1"
    )


def _quoted(name: str) -> str:
    assert '"' not in name, name
    return f'"{name}"'
