"""Bulletins from files: what an operator publishes and retracts, and those that demo mode begins with."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from kalos.app.login import login
from kalos.core.clock import Clock
from kalos.core.database import Connection, Database
from kalos.core.errors import NotFound
from kalos.domains.content import queries, service
from kalos.domains.content.errors import BadBulletin
from kalos.domains.content.rules import Draft, read_draft, state_of
from kalos.domains.content.tables import BulletinRow
from kalos.domains.context import House
from kalos.domains.identity.queries import find_by_name
from kalos.domains.uploads import service as uploads
from kalos.operator.bulletins import drafted, told
from kalos.operator.queries import append_audit
from kalos.operator.tables import Act

FIRST: Final = Path(__file__).with_name("first_bulletins")
"""A TOML file for each, in the order in which they are published; a picture beside it is shown with it."""

_MOST_BYTES: Final = 1_000_000

USAGE: Final = """\
bulletins publish FILE [ACCOUNT] | bulletins retract NAME | bulletins list
FILE is TOML: name, kind (notice, news, banner), pinned, from, until, link, picture, and for each language
[texts.en] (vi, th, ja, ko, zh_CN, tw) title and text, which is Markdown. Pictures are ids of ACCOUNT's uploads."""


async def obey(db: Database, arguments: Sequence[str]) -> tuple[int, str]:
    """What an operator orders. Returns exit code and text."""
    try:
        match list(arguments):
            case ["publish", file]:
                return 0, await _publish(db, Path(file), None)
            case ["publish", file, account]:
                return 0, await _publish(db, Path(file), account)
            case ["retract", name]:
                return 0, await _retract(db, name)
            case ["list"]:
                return 0, "\n".join(_line(row, Clock.wall()) for row in await queries.list_all(db)) or "none"
    except (BadBulletin, OSError, UnicodeDecodeError) as problem:
        return 1, str(problem)
    except NotFound:
        return 1, "there is no such bulletin, account, or unused picture of that account"
    return 2, USAGE


async def publish_first(house: House, by: int) -> None:
    """Publish those of demo mode whose names never stood for anything; their pictures are member `by`'s uploads."""
    known = await queries.list_names(house.db)
    for draft, picture in first_drafts():
        if draft.name not in known:
            own = draft if picture is None else replace(draft, picture=await _keep(house, by, picture))
            await service.publish(house.db, own, by=by)


async def _keep(house: House, by: int, picture: bytes) -> str:
    return (await uploads.keep(house, owner=by, purpose="picture", kind="image/webp", content=picture)).id


def first_drafts() -> Iterator[tuple[Draft, bytes | None]]:
    """Each with its picture."""
    for file in sorted(FIRST.glob("*.toml")):
        picture = file.with_suffix(".webp")
        yield _read(file), picture.read_bytes() if picture.exists() else None


def _read(file: Path) -> Draft:
    """Raises: BadBulletin, OSError, UnicodeDecodeError."""
    with file.open("rb") as opened:
        source = opened.read(_MOST_BYTES + 1)
    if len(source) > _MOST_BYTES:
        raise BadBulletin(f"the file has more than {_MOST_BYTES} bytes")
    return read_draft(source.decode())


async def _publish(db: Database, file: Path, account: str | None) -> str:
    """Raises: BadBulletin, NotFound, OSError, UnicodeDecodeError."""
    draft = _read(file)
    member = None if account is None else await find_by_name(db, account)
    if account is not None and member is None:
        raise NotFound
    wall = Clock.wall()
    async with db.transaction() as step:
        before = await queries.lock(step, draft.name)
        number = await service.write(step, draft, before, wall=wall, by=None if member is None else member.id)
        await _record(step, "bulletin.publish", draft.name, told(before), drafted(draft), wall)
    return f"{draft.name} is published as {draft.kind} {number} in {', '.join(draft.texts)}"


async def _retract(db: Database, name: str) -> str:
    """Raises: NotFound."""
    wall = Clock.wall()
    async with db.transaction() as step:
        before = await service.retract(step, name, wall=wall)
        if before.retracted_at is None:
            await _record(step, "bulletin.retract", name, told(before), {"retracted_at": wall}, wall)
    return f"{name} is retracted"


async def _record(
    db: Connection, act: Act, name: str, before: Mapping[str, object], after: Mapping[str, object], wall: int
) -> None:
    """What is told from the machine stands in the console's log, too."""
    who, about = login(), f"bulletin {name}"
    await append_audit(db, at=wall, staff=None, name=who, act=act, about=about, before=before, after=after)


def _line(row: BulletinRow, wall: int) -> str:
    state = state_of(from_at=row.from_at, until_at=row.until_at, retracted_at=row.retracted_at, wall=wall)
    return f"{row.id:>6}  {row.kind:<6}  {state:<9}  {row.name}"
