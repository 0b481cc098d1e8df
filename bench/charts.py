"""Three charts of results.json: throughput of each round, latencies of a bet, ratios beside their goals."""

import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from slices import PERCENTS

# One set of colours on a panel of its own: it is read on a light page and on a dark one.
_PANEL, _INK, _GRID = "#f7f7f4", "#33373d", "#d9d9d3"
_COLOURS: Final = {"ours": "#0b6e4f", "row lock": "#b3541e", "ORM": "#7a5195"}
_OTHER: Final = "#5b6b7f"
_MOST_OVER: Final = 1_000.0
_STYLE: Final = {
    "figure.facecolor": _PANEL,
    "axes.facecolor": _PANEL,
    "axes.edgecolor": _GRID,
    "axes.labelcolor": _INK,
    "axes.grid": True,
    "grid.color": _GRID,
    "text.color": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 10.5,
    "axes.titlesize": 12,
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "figure.dpi": 144,
}
Results = Mapping[str, Mapping[str, Any]]


def draw(results: Results, folder: Path) -> None:
    """Write the PNG files; without matplotlib it says so in one line."""
    try:
        plt: Any = import_module("matplotlib.pyplot")
    except ImportError:
        print("No charts: matplotlib is not installed (make bench-ledger installs it).")
        return
    folder.mkdir(parents=True, exist_ok=True)
    plt.switch_backend("Agg")
    with plt.rc_context(_STYLE):
        for name, chart in (("throughput", _throughput), ("latency", _latency), ("goals", _goals)):
            chart(plt, results, folder / f"{name}.png")


def _throughput(plt: Any, results: Results, place: Path) -> None:
    """Postings a second in each round: hot, uniform, bare; ours and the peers on one logarithmic axis."""
    figure, panels = plt.subplots(1, 3, figsize=(9.6, 3.6), sharey=True, layout="constrained")
    titles = {"L1": "bets on one house account", "L2": "uniform accounts", "L1 bare": "one bare move"}
    for panel, (begin, title) in zip(panels, titles.items(), strict=True):
        lines = {
            entry["against"]: entry["rounds"]
            for name, entry in results.items()
            if "rounds" in entry and entry["unit"] == "postings/s" and _is_variant(name, begin)
        }
        if lines:
            _line(panel, "ours", next(iter(lines.values()))["ours"])
        for name, rounds in lines.items():
            _line(panel, name, rounds["peer"])
        panel.set(title=title, xlabel="round", yscale="log")
        panel.set_xticks(range(1, 1 + max((len(rounds["ours"]) for rounds in lines.values()), default=1)))
    panels[0].set_ylabel("postings/s")
    _plain(panels[0].yaxis)
    _legend(figure, panels)
    _save(plt, figure, place)


def _latency(plt: Any, results: Results, place: Path) -> None:
    """Which share of the bets was answered within how many milliseconds, 64 in flight."""
    figure, panel = plt.subplots(figsize=(7.2, 3.6), layout="constrained")
    spreads = {
        name: points for part in ("L4 ORM", "L4") for name, points in results.get(part, {}).get("spread", {}).items()
    }
    for name, points in spreads.items():
        panel.plot(points, PERCENTS, marker="o", markersize=3.5, color=_COLOURS.get(name, _OTHER), label=name)
    panel.set(title="Latency of a bet, 64 in flight", xlabel="ms", ylabel="% answered", xscale="log", ylim=(0, 101))
    _plain(panel.xaxis)
    _legend(figure, [panel])
    _save(plt, figure, place)


def _goals(plt: Any, results: Results, place: Path) -> None:
    """How far each benchmark is over its goal: 1 is the goal, to the right is better."""
    judged = {name: factor_of(entry) for name, entry in results.items() if entry["goal"] and "ours" in entry}
    figure, panel = plt.subplots(figsize=(7.2, 0.8 + 0.3 * max(4, len(judged))), layout="constrained")
    colours = [_COLOURS["ours"] if over >= 1 else _COLOURS["row lock"] for over in judged.values()]
    bars = panel.barh([*judged], [over - 1 for over in judged.values()], left=1, color=colours, height=0.62)
    panel.bar_label(bars, [f"{over:.2f}" for over in judged.values()], padding=4)
    panel.axvline(1, color=_INK, linewidth=1)
    panel.invert_yaxis()
    panel.set(title="Reached, as a multiple of the goal (the line is the goal)", xscale="log")
    panel.margins(x=0.18)
    _plain(panel.xaxis)
    panel.xaxis.set_minor_formatter("")
    panel.grid(axis="y", visible=False)
    _save(plt, figure, place)


def factor_of(entry: Mapping[str, Any]) -> float:
    """By what factor a goal is met or, below 1, missed; at most 1,000: where nothing is best it may be nothing."""
    reached: float = entry["ours"] if entry["absolute"] else entry["ratio"]
    goal: float = entry["goal"]
    if entry["bound"] == "at least":
        return reached / goal
    return _MOST_OVER if reached * _MOST_OVER <= goal else goal / reached


def _is_variant(name: str, begin: str) -> bool:
    """`L1 ORM` is one of `L1`; `L1 bare`, a column of its own, is not."""
    return name == begin or (name.startswith(f"{begin} ") and ("bare" in name) == ("bare" in begin))


def _line(panel: Any, name: str, values: list[float]) -> None:
    rounds = range(1, len(values) + 1)
    panel.plot(rounds, values, marker="o", markersize=3.5, color=_COLOURS.get(name, _OTHER), label=name)


def _plain(axis: Any) -> None:
    """Numbers, not powers of ten."""
    axis.set_major_formatter("{x:,g}")


def _legend(figure: Any, panels: Any) -> None:
    entries = {line.get_label(): line for panel in panels for line in panel.get_lines()}
    if entries:
        figure.legend(handles=[*entries.values()], loc="outside lower center", ncols=len(entries))


def _save(plt: Any, figure: Any, place: Path) -> None:
    figure.savefig(place, metadata={"Software": None})
    plt.close(figure)


if __name__ == "__main__":
    here = Path(__file__).parent
    draw(json.loads((here / "results.json").read_text()), here / "charts")
