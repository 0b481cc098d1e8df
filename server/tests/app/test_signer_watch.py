"""What the others see of the signer."""

from pathlib import Path

from kalos.app.settings import Settings
from kalos.app.signer_watch import signer_figures, tell_of_orders
from kalos.core.clock import Clock
from kalos.core.database import Database
from kalos.ledger.flags import clear_money_out, stop_money_out
from kalos.operator.queries import last_audit, list_audit, verify_audit
from kalos.signer.queries import find_state, pause, unpause


async def _figure(db: Database, name: str) -> float:
    return next(sample.value for metric in await signer_figures(db) for sample in metric.samples if sample.name == name)


async def _age(db: Database) -> float:
    return await _figure(db, "kalos_signer_age_seconds")


async def test_a_signer_that_never_ran_is_down(database_url: str) -> None:
    db = Database(database_url, size=1)
    before = await db.value("SELECT beat_at FROM signer_state")
    await db.execute("UPDATE signer_state SET beat_at = NULL")
    assert await _age(db) > 60
    await db.execute("UPDATE signer_state SET beat_at = (extract(epoch FROM now()) * 1000)::bigint")
    assert await _age(db) < 60
    await db.execute("UPDATE signer_state SET beat_at = $1", before)
    await db.close()


async def test_a_signer_waits_while_it_says_for_what_and_nobody_has_stopped_it(database_url: str) -> None:
    """While money out is stopped it says that it waits for that: nobody has to be told twice."""
    db = Database(database_url, size=1)

    async def waits() -> float:
        return await _figure(db, "kalos_signer_waiting")

    assert await waits() == 0
    await db.execute("UPDATE signer_state SET waiting = 'the signer''s clock is 2000 ms off the database''s'")
    assert await waits() == 1
    async with db.transaction() as step:
        await stop_money_out(step, reason="a test", by="tests", wall=Clock.wall())
    assert await waits() == 0
    async with db.transaction() as step:
        await clear_money_out(step, reason="a test", by="tests", wall=Clock.wall())
    assert await waits() == 1
    await db.execute("UPDATE signer_state SET paused = true, reason = 'a test'")
    assert await waits() == 0
    await db.execute("UPDATE signer_state SET paused = false, waiting = NULL")
    assert await waits() == 0
    await db.close()


async def test_pauses_and_orders_to_go_on_stand_in_the_consoles_log_once_each(
    db: Database, database_url: str, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, operator_mail="operator@kalos.example")
    owner = Database(database_url, size=1)
    before = await last_audit(db)
    assert await pause(owner, reason="who paid that?", by="eve", wall=Clock.wall())
    assert [await tell_of_orders(db, settings) for _ in range(2)] == [True, False]
    stood = (await find_state(owner)).at
    async with owner.transaction() as step:
        await unpause(step, reason="it was me", by="ann", wall=Clock.wall(), stood=stood)
    assert [await tell_of_orders(db, settings) for _ in range(2)] == [False, False]
    assert await last_audit(db) - before == 2
    resumed, paused = await list_audit(db, before=None, most=2)
    assert [(row.act, row.object, row.staff, row.name) for row in (paused, resumed)] == [
        ("machine.order", "signer", None, "eve"),
        ("machine.order", "signer", None, "ann"),
    ]
    assert (paused.after["is_paused"], paused.after["reason"]) == (True, "who paid that?")
    assert (resumed.after["is_paused"], resumed.after["reason"]) == (False, "it was me")
    assert resumed.after["at"] > paused.after["at"] > 0
    assert await verify_audit(db) == []
    assert await db.value("SELECT count(*) FROM domain_outbox WHERE body ->> 'mail' = 'signer_paused'") == 1
    await owner.close()
