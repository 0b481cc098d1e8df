"""Rows of domains that are written with a batch: typed columns, one part of the statement for each shape of rows."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import asyncpg

from kalos.core.clock import business_day
from kalos.ledger.checks import is_table

Types = Mapping[str, str]
"""The columns of a table with the names of their types."""

_WORDS: Final = {"bigint": "bigint", "integer": "bigint", "smallint": "bigint", "boolean": "boolean", "bytea": "bytea"}
_OF_ROW: Final = frozenset({"id", "hold"})
_STAMPS: Final = {"id": "r.posting", "hold": "r.posting * 8", "at": "$4", "day": "$7"}  # as in render.py
_NAME: Final = r"[a-z_][a-z0-9_]{0,62}"
_COLUMN: Final = rf"{_NAME}(?::(?:{'|'.join(_STAMPS)}))?"
_GROUP: Final = rf"{_COLUMN}(?:,{_COLUMN})*"
_FORM: Final = re.compile(rf"{_NAME} {_GROUP}(?: (?:{_GROUP})? {_GROUP})?", re.ASCII)
_COLUMNS: Final = """
    SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relname = ANY($1::text[]) AND c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid)
"""


class Shape:
    """Inserts or compare-and-sets of one table and set of columns.

    `kinds` are the types of its columns, of which `given` come with a request; {rows} in `sql` stands for the rows of
    all of them. `problem` is set where the table or a column doesn't exist, or the text is no shape.
    `look_sql` finds the places of those compare-and-sets that would hit their row as it is now; it takes the first
    `looked` columns.
    """

    __slots__ = ("_texts", "given", "is_change", "kinds", "look_sql", "looked", "problem", "sql", "with_posting")

    def __init__(self, text: str, types: Types) -> None:
        table, *groups = text.split(" ")
        self.is_change = len(groups) == 3
        columns = [word.partition(":") for group in groups for word in group.split(",") if word]
        unknown = [name for name, _, _ in columns if name not in types]
        self.problem = f"no table {table}, or it has no {', '.join(unknown)}" if unknown else ""
        if not is_table(table):
            self.problem = f"no rider may write {table}"
        if not _FORM.fullmatch(text):
            self.problem = f"no shape of rows: {text[:100]!r}"
        self._texts: list[bool] = []
        self.kinds: tuple[str, ...] = ()
        self.sql, self.look_sql, self.looked, self.given = "", "", 0, 0
        self.with_posting = not self.is_change or any(stamp in _OF_ROW for _, _, stamp in columns)
        if not self.problem:
            self._write(table, [len([w for w in group.split(",") if w]) for group in groups], columns, types)

    def _write(self, table: str, sizes: list[int], columns: list[tuple[str, str, str]], types: Types) -> None:
        kinds, names, terms = (["bigint"], ["posting"], []) if self.with_posting else ([], [], [])
        for place, (name, _, stamp) in enumerate(columns):
            if stamp:
                terms.append(_STAMPS[stamp] + (f"::{types[name]}" if stamp not in _OF_ROW else ""))
                continue
            kind = _WORDS.get(types[name], "text")
            terms.append(f"r.c{place}" if kind == types[name] else f"r.c{place}::{types[name]}")
            kinds.append(kind)
            names.append(f"c{place}")
            self._texts.append(kind == "text")
        self.kinds = tuple(kinds)
        self.given = len(kinds) - self.with_posting
        source = f"{{rows}} AS r({', '.join(names)})"
        quoted = [f'"{name}"' for name, _, _ in columns]
        if not self.is_change:
            self.sql = f'INSERT INTO "{table}" ({", ".join(quoted)}) SELECT {", ".join(terms)} FROM {source}'
            return
        keys, known = sizes[0], sizes[0] + sizes[1]
        where = [f"t.{name} = {term}" for name, term in zip(quoted[:keys], terms[:keys], strict=True)]
        where += [
            f"t.{name} IS NOT DISTINCT FROM {term}"
            for name, term in zip(quoted[keys:known], terms[keys:known], strict=True)
        ]
        sets = ", ".join(f"{name} = {term}" for name, term in zip(quoted[known:], terms[known:], strict=True))
        self.sql = f'UPDATE "{table}" t SET {sets} FROM {source} WHERE {" AND ".join(where)} RETURNING 1'
        self.looked, first = known, int(self.with_posting)
        look = ", ".join(f"${place + 1}::{kind}[]" for place, kind in enumerate(kinds[first : first + known]))
        rows = f"unnest({look}) WITH ORDINALITY AS r({', '.join(names[first : first + known])}, place)"
        self.look_sql = f'SELECT r.place FROM {rows} JOIN "{table}" t ON {" AND ".join(where)}'

    def fits(self, values: Sequence[Any], *, is_change: bool) -> bool:
        """Whether rows of these values, or these columns, can be written by it."""
        return not self.problem and self.is_change == is_change and len(values) == self.given

    def arrays(self, postings: list[int], columns: Iterable[Sequence[Any]]) -> list[Any]:
        """The values of the statement's arrays; what goes as text is made text."""
        return ([postings] if self.with_posting else []) + self.typed(columns)

    def typed(self, columns: Iterable[Sequence[Any]]) -> list[Any]:
        """The first of these columns, or all; what goes as text is made text."""
        pairs = zip(self._texts, columns, strict=False)
        return [[_text(value) for value in column] if is_text else column for is_text, column in pairs]


async def load_shapes(db: asyncpg.Connection, texts: Iterable[str]) -> dict[str, Shape]:
    """Read the types of the columns that these shapes name."""
    types: dict[str, dict[str, str]] = {text.partition(" ")[0]: {} for text in texts}
    for table, column, kind in await db.fetch(_COLUMNS, list(filter(is_table, types))):
        types[table][column] = kind
    return {text: Shape(text, types[text.partition(" ")[0]]) for text in texts}


def stamped(text: str, stamps: Iterable[tuple[str, str]], posting: int, at: int) -> str:
    """Add stamps to a JSON object that lacks its closing brace, and close it."""
    for name, stamp in stamps:
        if stamp == "id":
            value: int | str = posting
        elif stamp == "day":
            value = f'"{business_day(at).isoformat()}"'
        else:
            value = at if stamp == "at" else posting * 8
        text = f'{text}{"" if text.endswith("{") else ","}"{name}":{value}'
    return text + "}"


def _text(value: Any) -> str | None:
    if value is None or type(value) is str:
        return value
    return str(value).lower() if type(value) is bool else str(value)
