"""What the others see of the signer."""

from kalos.app.signer_watch import signer_figures
from kalos.core.database import Database


async def _age(db: Database) -> float:
    return next(
        sample.value
        for metric in await signer_figures(db)
        for sample in metric.samples
        if sample.name == "kalos_signer_age_seconds"
    )


async def test_a_signer_that_never_ran_is_down(database_url: str) -> None:
    db = Database(database_url, size=1)
    before = await db.value("SELECT beat_at FROM signer_state")
    await db.execute("UPDATE signer_state SET beat_at = NULL")
    assert await _age(db) > 60
    await db.execute("UPDATE signer_state SET beat_at = (extract(epoch FROM now()) * 1000)::bigint")
    assert await _age(db) < 60
    await db.execute("UPDATE signer_state SET beat_at = $1", before)
    await db.close()
