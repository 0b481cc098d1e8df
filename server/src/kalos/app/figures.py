"""The writer's figures as metrics, told on a Unix socket of their own: a scrape costs it less than a millisecond."""

import asyncio
from collections.abc import Iterable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Final

from prometheus_client import ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from kalos.ledger.figures import COMMIT_BOUNDS
from kalos.ledger.line import MOST
from kalos.ledger.verdicts import Element, Outcome
from kalos.ledger.writer import Writer

_PATIENCE_SECONDS: Final = 1.0
_process: Final = ProcessCollector(namespace="kalos_writer", registry=None)


class WriterFigures(Collector):
    """What one writer counts, read at the moment of asking."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def collect(self) -> Iterable[Metric]:
        writer, figures = self._writer, self._writer.figures
        live, bulk = writer.queued
        yield gauge("kalos_writer_leads", "1 while this writer has the lease and serves", writer.leads)
        yield _each(
            GaugeMetricFamily("kalos_writer_queue", "Postings that wait to be taken", labels=("line",)),
            {"live": live, "bulk": bulk},
        )
        yield gauge("kalos_writer_unanswered", "Postings that have no answer yet", writer.waiting)
        yield gauge("kalos_writer_unanswered_limit", "At so many, further postings are refused", MOST)
        yield _counter("kalos_writer_batches", "Batches answered", figures.batches)
        yield _counter("kalos_writer_posted", "Postings accepted and committed", figures.posted)
        yield _counter("kalos_writer_halvings", "Batches whose commit failed and that were halved", figures.halvings)
        yield _counter("kalos_writer_questions", "Times that it was asked whether a key was used", figures.questions)
        outcomes = {one.name.lower(): figures.outcomes.get(one, 0) for one in Outcome if one != Outcome.POSTED}
        yield _each(
            CounterMetricFamily(
                "kalos_writer_outcomes", "Postings not accepted as new, by how they ended", labels=("outcome",)
            ),
            outcomes,
        )
        refusals = {one.name.lower(): figures.refusals.get(one, 0) for one in Element if one != Element.NONE}
        yield _each(
            CounterMetricFamily(
                "kalos_writer_refusals", "Refused postings, by the element that refused", labels=("reason",)
            ),
            refusals,
        )
        looks = {"all": figures.cache_looks, "miss": figures.cache_misses}
        yield _each(
            CounterMetricFamily(
                "kalos_writer_cache",
                "Copies that batches touched; of them those read from tables",
                labels=("look",),
            ),
            looks,
        )
        yield _commits(figures.commits, figures.commit_seconds)
        yield from _process.collect()


async def serve_figures(writer: Writer, path: Path) -> asyncio.Server:
    """Tell whoever connects to `path` the figures in Prometheus' text form. A dead writer's socket is replaced."""
    source = WriterFigures(writer)

    async def tell(_: asyncio.StreamReader, stream: asyncio.StreamWriter) -> None:
        stream.write(generate_latest(source))
        stream.close()

    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    server = await asyncio.start_unix_server(tell, str(fresh))
    fresh.chmod(0o600)
    fresh.replace(path)
    return server


async def read_figures(path: Path) -> list[Metric]:
    """Ask the writer at `path`. An empty list: it is dead, or hangs."""
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            reader, stream = await asyncio.open_unix_connection(str(path))
            try:
                text = (await reader.read()).decode()
            finally:
                stream.close()
    except (OSError, TimeoutError):
        return []
    return list(text_string_to_metric_families(text))


def gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(name, about, value=value)


def _counter(name: str, about: str, value: float) -> Metric:
    return CounterMetricFamily(name, about, value=value)


def _each(family: GaugeMetricFamily | CounterMetricFamily, values: Mapping[str, float]) -> Metric:
    for label, value in values.items():
        family.add_metric((label,), value)
    return family


def _commits(counts: list[int], seconds: float) -> Metric:
    names = [*map(str, COMMIT_BOUNDS), "+Inf"]
    buckets = list(zip(names, map(float, accumulate(counts)), strict=True))
    return HistogramMetricFamily("kalos_writer_commit_seconds", "Time of a commit", buckets=buckets, sum_value=seconds)
