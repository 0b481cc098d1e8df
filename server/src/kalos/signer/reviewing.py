"""A withdrawal that lacks age or reviewers' signatures alone goes back to people; nobody else's waits for that."""

from kalos.core.clock import Clock
from kalos.signer import rules
from kalos.signer.bench import Bench
from kalos.signer.tables import Due, Returned


def unready(bench: Bench, due: Due) -> Returned | None:
    """Why it isn't signed though its rows fit: its address is too new, or too few whom the folder trusts have signed.

    House and signer may differ without anybody's fault: a limit is lower or a wait longer here, a reviewer is trusted
    no longer, an address was listed, KLS counts for its floor. People then sign anew, as many as the signer needs and
    no sooner than it may be signed.

    Raises: Stop where something else of it doesn't fit: neither time nor a signature mends that.
    """
    limits, chain_id = bench.limits, bench.chain.network.chain_id
    value = rules.check_rows(due, limits=limits, chain_id=chain_id)
    until = rules.young_until(due, limits, Clock.wall())
    if until is not None:
        return Returned("young_address", until)
    needed = rules.needed_of(due, value, limits)
    if rules.count_signed(due, bench.trusted()) >= needed:
        return None
    return Returned("not_reviewed", needed=needed)
