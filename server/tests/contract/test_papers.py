"""The papers name every account, kind of move, quota and table."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

from kalos.app.auditing import UNBUILT
from kalos.core.database import Database
from kalos.domains.entry.rules import TERMS_VERSION
from kalos.domains.overview.rules import INCOME
from kalos.domains.protection.rules import LOSSES
from kalos.ledger.kinds import MONEY_OUT
from kalos.ledger.purse import Purpose
from kalos.wire import languages
from support import papers
from support.papers import first_words

ROOT = Path(__file__).parents[3]
SOURCES = sorted((ROOT / "server" / "src").rglob("*.py"))
OWNERS = {"member": range(1, 32), "house": range(32, 96), "outside": range(96, 128)}
"""The numbers of each owner's purposes."""


async def test_every_table_has_a_line_on_how_long_it_is_kept(db: Database) -> None:
    found = await db.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert {row["tablename"] for row in found} == first_words("retention.md")


def test_every_purpose_has_a_row_under_its_owner() -> None:
    told = {(row["owner"], word) for row in rows("Accounts") for word in words(row["purpose"])}
    owners = {number: owner for owner, numbers in OWNERS.items() for number in numbers}
    assert told == {(owners[purpose], purpose.name.lower()) for purpose in Purpose}


def test_what_must_be_empty_is_used_by_nothing_that_is_built() -> None:
    """Such purposes have a star behind their names."""
    starred = {word for row in rows("Accounts") if row["purpose"].endswith("*") for word in words(row["purpose"])}
    assert {purpose.name.lower() for purpose in UNBUILT} <= starred


def test_every_kind_of_move_has_a_title_in_every_language() -> None:
    kinds = first_words("money.md", "Kinds of moves")
    for language in languages.LANGUAGES:
        assert [kind for kind in sorted(kinds) if f"kind.{kind}" not in languages.catalogue(language)] == []


def test_every_kind_of_move_that_has_a_row_stands_in_the_code() -> None:
    constants = {node.value for tree in trees() for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert first_words("money.md", "Kinds of moves") - constants == set()


def test_kinds_marked_as_money_out_are_those_that_the_writer_stops() -> None:
    kinds = rows("Kinds of moves")
    assert {row["money out"] for row in kinds} <= {"yes", "–"}
    marked = {word for row in kinds if row["money out"] == "yes" for word in words(row["kind"])}
    assert marked == {kind for kind in MONEY_OUT if not kind.startswith("test.")}


def test_every_kind_that_brings_a_member_something_is_income_or_none() -> None:
    """A new one must say which."""
    no_income = {
        "chain.deposit",  # their own, from outside
        "withdrawal.buy_fee",  # bought
        "withdrawal.returned",
        "income.claimed",  # counted when it came
        "treasury.correction",
        "treasury.transfer",
        "game.stake_back",
        "game.refund",
    }
    ends = {word: row["from → to"].split("→") for row in rows("Kinds of moves") for word in words(row["kind"])}
    theirs = re.compile("member (available|claimable)|one of these")
    coming = {kind for kind, (_, *targets) in ends.items() if any(map(theirs.search, targets))}
    assert coming | set(LOSSES) == no_income | INCOME.keys()


def test_nothing_makes_income_claimable_while_no_screen_shows_it() -> None:
    """The kind that first brings a member something to claim brings the card of /node4 and the row of /node along."""
    targets = [row["from → to"].rpartition("→")[2] for row in rows("Kinds of moves")]
    feeds = any("member claimable" in target for target in targets)
    absent = "the card of claimable USDT on `/node4`" in (ROOT / "docs" / "not-built.md").read_text()
    assert feeds != absent


def test_every_quota_has_a_row() -> None:
    """A quota's name is given to `Take` or made by a function `quota_of…`; what follows its first part is left out."""
    names = set[str]()
    for tree in trees():
        constants = {node.target: node.value for node in tree.body if isinstance(node, ast.AnnAssign)}
        named = {target.id: value for target, value in constants.items() if isinstance(target, ast.Name)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Take":
                first = node.args[0]
                names.add(beginning(named.get(first.id) if isinstance(first, ast.Name) else first))
            elif isinstance(node, ast.FunctionDef) and node.name.startswith("quota_of"):
                names.update(beginning(inner.value) for inner in ast.walk(node) if isinstance(inner, ast.Return))
    assert names - {""} == first_words("money.md", "Quotas")


def rows(heading: str) -> list[dict[str, str]]:
    return papers.rows("money.md", heading)


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@cache
def trees() -> list[ast.Module]:
    return [ast.parse(source.read_text()) for source in SOURCES]


def beginning(node: ast.expr | None) -> str:
    """What a text begins with before anything is put into it; empty for what is no text."""
    first = node.values[0] if isinstance(node, ast.JoinedStr) else node
    return first.value.rstrip(".:") if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def test_the_readme_counts_what_is_built() -> None:
    calls = tomllib.loads((ROOT / "contract" / "endpoints.toml").read_text())
    routes = (ROOT / "contract" / "routes.txt").read_text().split()
    unbuilt = (ROOT / "web" / "src" / "lib" / "unbuilt.ts").read_text().count('"/')
    members = [call for call in calls.values() if call["domain"] != "operator"]
    built = sum(call["built"] for call in members)
    said = f"{built} of {len(members)} calls and {len(routes) - unbuilt} of {len(routes)} screens"
    assert said in (ROOT / "README.md").read_text()


def test_the_page_shows_the_terms_that_registering_agrees_to() -> None:
    page = (ROOT / "web" / "src" / "features" / "identity" / "terms.ts").read_text()
    assert re.findall(r'TERMS_VERSION = "(\w+)"', page) == [TERMS_VERSION]
