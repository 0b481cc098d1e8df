"""The papers name every table and every kind of move."""

import tomllib
from pathlib import Path

from kalos.core.database import Database
from kalos.wire import languages
from support.papers import first_words


async def test_every_table_has_a_line_on_how_long_it_is_kept(db: Database) -> None:
    rows = await db.rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert {row["tablename"] for row in rows} == first_words("retention.md")


def test_every_kind_of_move_has_a_title_in_every_language() -> None:
    kinds = first_words("money.md", "Kinds of moves")
    for language in languages.LANGUAGES:
        assert [kind for kind in sorted(kinds) if f"kind.{kind}" not in languages.catalogue(language)] == []


def test_the_readme_counts_what_is_built() -> None:
    root = Path(__file__).parents[3]
    calls = tomllib.loads((root / "contract" / "endpoints.toml").read_text())
    routes = (root / "contract" / "routes.txt").read_text().split()
    unbuilt = (root / "web" / "src" / "app" / "unbuilt.ts").read_text().count('"/')
    built = sum(call["built"] for call in calls.values())
    said = f"{built} of {len(calls)} calls and {len(routes) - unbuilt} of {len(routes)} screens"
    assert said in (root / "README.md").read_text()
