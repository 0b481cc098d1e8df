"""The papers name every table and every kind of move."""

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
