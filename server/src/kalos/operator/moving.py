"""What a signed command moves in the ledger, once, with the two people and the reason beside it."""

from collections.abc import Sequence

from kalos.core.errors import PASSING, Refusal, TooMany, WrongState
from kalos.core.money import Amount
from kalos.ledger.postings import Insert, Move, Posting, Stamp, Take, key_of
from kalos.operator import command_queries as queries
from kalos.operator.context import Desk
from kalos.operator.tables import CORRECTIONS, CommandRow


async def move_once(desk: Desk, command: CommandRow, amount: Amount, move: Move, *, takes: Sequence[Take] = ()) -> None:
    """Post a command's move, any number of times with one effect. A refusal uses the key up, too: no later try moves.

    Raises: the ledger's refusal, WrongState (it was refused before), Outage, Busy.
    """
    row = {
        "command": command.id, "asset": amount.asset.code, "units": amount.units, "source": move.source,
        "target": move.target, "maker": command.maker_name, "checker": command.checker_name, "reason": command.reason,
        "at": Stamp.AT, "id": Stamp.ID,
    }  # fmt: skip
    key, problem = key_of("operator command", command.id), None
    try:
        await desk.ledger.post(
            Posting(key, moves=[move], takes=takes, riders=[Insert(CORRECTIONS, row | {"outcome": "moved"})])
        )
    except (*PASSING, TooMany):
        raise
    except Refusal as refusal:
        problem = refusal
        await desk.ledger.post(Posting(key, riders=[Insert(CORRECTIONS, row | {"outcome": "refused"})]))
    if await queries.find_outcome(desk.db, command.id) != "moved":
        raise problem or WrongState()
