"""The alarms that are the scrape's own: a process that answers none, and a house of which nothing does."""

import re
from collections.abc import Callable
from pathlib import Path

from faults.station import ALARMS
from kalos.app.kept import free_port
from kalos.app.metrics import serve_metrics
from kalos.app.settings import Settings
from support.deployment import OPERATIONS
from support.loopback import loopback_client
from support.promql import Scrape, fires


def expect(name: str) -> Callable[[str], bool]:
    """Whether the alarm fires over what was scraped."""
    absent = re.fullmatch(r"absent\((\w+)\)", ALARMS[name])

    def fired(text: str) -> bool:
        scrape = Scrape.of(text, 0.0)
        return absent[1] not in scrape.series if absent else fires(ALARMS[name], scrape, scrape)

    return fired


def test_a_process_that_answers_no_scrape() -> None:
    assert "job is\ncalled `kalos`" in OPERATIONS
    others = 'up{job="kalos",instance="1"} 1\nup{job="node",instance="2"} 0\n'
    fired = expect("ProcessSilent")
    assert not fired(others)
    assert fired(others + 'up{job="kalos",instance="3"} 0\n')


async def test_a_house_of_which_nothing_answers(tmp_path: Path) -> None:
    """The figure is there as long as one API process answers, also without a writer and a database."""
    lost = f"postgresql://nobody@127.0.0.1:{free_port()}/none"
    settings = Settings(data_dir=tmp_path, database_url=lost, installation_secret="5" * 64, metrics_port=free_port())
    async with serve_metrics(settings), loopback_client() as http:
        answer = await http.get(f"http://127.0.0.1:{settings.metrics_port}/metrics")
    fired = expect("HouseSilent")
    assert not fired(answer.text)
    assert fired('up{job="kalos"} 0\n')
