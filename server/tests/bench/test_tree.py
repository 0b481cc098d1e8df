"""The benchmark of teams in small: what it builds and plays is counted exactly. The times mean nothing here."""

import asyncio

import asyncpg
import tree as trees

from kalos.app.repeat import repeat
from kalos.core.pages import PageQuery
from kalos.domains.context import Context, House, Member
from kalos.domains.teams import jobs, service
from kalos.ledger.postings import Ledger
from kalos.ledger.purse import owner_of


async def test_every_sum_of_a_small_tree_is_a_recount(house: House, writer: Ledger, database_url: str) -> None:
    tree = trees.grow(10_000, chains=3, length=200)
    owner = await asyncpg.connect(database_url)
    await trees.build(owner, tree)
    worker = asyncio.create_task(repeat("teams", 0.1, lambda: jobs.follow(house)))
    top = Context(house, Member(tree.members[0], trees.account_of(0)))
    asked = []

    async def ask(account: str | None) -> None:
        asked.append(await service.list_team(top, PageQuery(10), account=account))

    delays = await trees.play(house, writer, tree, rate=300, seconds=1.0)
    lists = await trees.look(ask, trees.account_of(tree.ends[0]), seconds=0.2)
    worker.cancel()
    assert (len(delays), len(tree.ends), tree.inviters.count(None)) == (300, 3, 1)
    assert len(lists) == len(asked) > 0
    await jobs.follow(house)
    own, team, first = [0] * 10_000, [0] * 10_000, tree.members[0]
    for move in await owner.fetch(
        "SELECT from_id FROM journal j JOIN kinds k ON k.id = j.kind WHERE name = 'game.lost'"
    ):
        own[owner_of(move["from_id"]) - first] += 1
    users = [0] * 10_000
    for place in range(9_999, 0, -1):
        above = tree.inviters[place]
        assert above is not None
        team[above] += own[place] + team[place]
        users[above] += 1 + users[place]
    rows = await owner.fetch("SELECT member, own_units, team_units, team_users, is_counted FROM teams ORDER BY member")
    await owner.close()
    assert [tuple(row) for row in rows] == [
        (member, own[place], team[place], users[place], True) for place, member in enumerate(tree.members)
    ]
