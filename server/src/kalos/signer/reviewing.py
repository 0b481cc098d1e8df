"""A withdrawal that lacks reviewers' signatures alone goes back to people; nobody else's waits for that."""

from kalos.core.clock import Clock
from kalos.signer import rules
from kalos.signer.bench import Bench
from kalos.signer.tables import Due, Returned


def unreviewed(bench: Bench, due: Due) -> Returned | None:
    """Why it isn't signed where too few whom the folder trusts have signed it; None where they are enough.

    House and signer may differ without anybody's fault: a limit is lower here, a reviewer is trusted no longer, an
    address was listed, KLS counts for its floor. People then sign anew, as many as the signer needs.

    Raises: Stop where something else of it doesn't fit: no signature mends that.
    """
    limits, chain_id = bench.limits, bench.chain.network.chain_id
    value = rules.check_rows(due, limits=limits, chain_id=chain_id, wall=Clock.wall())
    needed = rules.needed_of(due, value, limits)
    if rules.count_signed(due, bench.trusted()) >= needed:
        return None
    return Returned("not_reviewed", needed=needed)
