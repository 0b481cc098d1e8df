"""The dashboard shows the last run of each job beside what must keep up."""

from console.conftest import Hire
from console.scene import begin_session
from kalos.app.runs import Runs
from kalos.core.clock import Clock
from kalos.core.errors import Outage
from kalos.domains.context import House
from support.plain import Plain


async def test_the_dashboard_shows_each_jobs_last_start_end_result_and_error(
    api: Plain, house: House, hire: Hire
) -> None:
    token, runs, wall = await begin_session(house.db, await hire("auditor")), Runs(), Clock.wall()
    for name, problem in (("reserves", None), ("mails", Outage("no door is open"))):
        runs.begin(name, 1)
        runs.end(name, problem)
    await runs.tell(house.db)
    jobs = {row["name"]: row for row in (await api.data("/api/operator/dashboard", {}, token=token))["jobs"]}
    mails = jobs["mails"]
    assert (mails["result"], mails["error"], mails["is_late"]) == ("waits", "Outage: no door is open", False)
    assert wall <= mails["started_at"] <= mails["ended_at"] == mails["last_at"]
    assert (jobs["reserves"]["result"], jobs["reserves"]["error"]) == ("done", None)
    assert jobs["reserves"]["is_late"] is True, "it ran and looked at nothing yet: what it keeps up counts"
    assert jobs["midnight"]["started_at"] is None
