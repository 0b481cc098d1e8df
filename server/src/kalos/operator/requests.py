"""Requests of staff that are sent again: answered once, the same for ever."""

from kalos.core.database import Connection
from kalos.core.errors import RequestConflict
from kalos.operator import request_queries
from kalos.operator.context import Desk


async def find_answered(desk: Desk, request_id: str) -> str | None:
    """What this request was answered before. Raises: RequestConflict (another body)."""
    found = await request_queries.find_answer(desk.db, desk.key(request_id))
    if found is None:
        return None
    fingerprint, answer = found
    if fingerprint != desk.fingerprint:
        raise RequestConflict()
    return answer


async def note_answered(desk: Desk, db: Connection, request_id: str, answer: str) -> None:
    """Keep what a request is answered, in the commit that does it.

    Raises: StateChanged (the same request was done a moment ago: run once more, it finds that).
    """
    await request_queries.insert_answer(
        db, desk.key(request_id), fingerprint=desk.fingerprint, answer=answer, at=desk.wall
    )
