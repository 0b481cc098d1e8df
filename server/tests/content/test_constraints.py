"""What no row of a bulletin or its texts may say, PostgreSQL itself refuses: each constraint, written to by hand."""

from functools import partial
from typing import Any, Final

from support import constraints
from support.constraints import *  # noqa: F403 - pytest finds its tests here

# A row that each table takes: a case changes what its constraint looks at, and nothing else.
ROWS: Final[dict[str, dict[str, Any]]] = {
    "bulletins": {
        "id": 1,
        "name": "welcome-2",
        "kind": "banner",
        "pinned": False,
        "link": "/otc",
        "picture": "x" * 22,
        "width": 12,
        "height": 8,
        "pictures": "{" + "x" * 22 + "}",
        "from_at": 0,
        "until_at": 1,
        "retracted_at": None,
        "changed_at": 1,
    },
    "bulletin_texts": {
        "bulletin": 1,
        "lang": "en",
        "title": "Welcome",
        "summary": "We are open.",
        "source": "We are open.",
        "blocks": "[1]",
    },
}

row, twice = partial(constraints.insert, ROWS), partial(constraints.twice, ROWS)
CASES: Final[dict[str, str]] = {
    "bulletins_pkey": twice("bulletins", name="other"),
    "bulletins_name_key": twice("bulletins", id=2),
    "bulletins_name_check": row("bulletins", name="Welcome"),
    "bulletins_name_check/first": row("bulletins", name="-welcome"),
    "bulletins_name_check/empty": row("bulletins", name=""),
    "bulletins_name_check/long": row("bulletins", name="x" * 65),
    "bulletins_kind_check": row("bulletins", kind="advert"),
    "bulletins_link_check": row("bulletins", link=""),
    "bulletins_link_check/long": row("bulletins", link="x" * 1001),
    "bulletins_width_check": row("bulletins", width=0),
    "bulletins_height_check": row("bulletins", height=0),
    "bulletins_from_at_check": row("bulletins", from_at=-1),
    "bulletins_time": row("bulletins", until_at=0),
    "bulletins_banner": row("bulletins", link=None),
    "bulletins_picture": row("bulletins", picture=None),
    "bulletins_picture/no width": row("bulletins", width=None),
    "bulletins_picture/no height": row("bulletins", height=None),
    "bulletin_texts_pkey": twice("bulletin_texts", title="Again"),
    "bulletin_texts_lang_check": row("bulletin_texts", lang="de"),
    "bulletin_texts_title_check": row("bulletin_texts", title=""),
    "bulletin_texts_title_check/long": row("bulletin_texts", title="x" * 121),
    "bulletin_texts_summary_check": row("bulletin_texts", summary=""),
    "bulletin_texts_summary_check/long": row("bulletin_texts", summary="x" * 201),
    "bulletin_texts_source_check": row("bulletin_texts", source=""),
    "bulletin_texts_source_check/long": row("bulletin_texts", source="x" * 20_001),
    "bulletin_texts_blocks_check": row("bulletin_texts", blocks="[]"),
    "bulletin_texts_blocks_check/long": row("bulletin_texts", blocks="x" * 100_001),
}
