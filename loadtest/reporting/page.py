"""One HTML page of all that was measured, self-contained."""

import json
import os
from html import escape

from . import buckets, comparison, figures
from .measured import PERCENTILES

_HERE = os.path.dirname(os.path.realpath(__file__))
_CHARTS = (
    ("tail", "Latency by percentile", "wide",
     "Each further nine takes the same room: one request in a hundred was slower than at 99 %. Counted from the moment a"
     " request was due (no coordinated omission)."),
    ("p99", "Rate and p99", "",
     "The knee is the highest rate offered of which 99 % were answered with p99 in bounds, where a higher one was too much."),
    ("achieved", "Rate offered and achieved", "", "What falls below the line queued up, or wrk2 did not send it: see above."),
)


def render(sides, links=(), made=""):
    """The page of one side, or of two to compare: lists of sweeps. `links` are pairs of a name and an address."""
    sweeps = [sweep for side in sides for sweep in side]
    title = " against ".join(", ".join(sweep.name for sweep in side) for side in sides)
    data = json.dumps(_data(sides), separators=(",", ":"), allow_nan=False)
    parts = [_knees(sides), *(_table(sweep, len(sweeps) > 1) for sweep in sweeps)]
    if len(sides) > 1:
        parts.append(_comparison(*sides))
    parts += [_chart(*chart) for chart in _CHARTS]
    parts += [_server(sweeps), _settings(sides), _links(links)]
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{escape(title)}</title>
<style>
{_own('page.css')}</style>
</head>
<body>
<header><h1>{escape(title)}</h1><p>Load test of Kvorum with wrk2{escape(made and ', ' + made)}</p></header>
<main>
{''.join(parts)}</main>
<footer>Figures are written as wrk2's console writes them. wrk2 drops the latencies of its first ten seconds.</footer>
<script type="application/json" id="data">{data.replace('<', chr(92) + 'u003c')}</script>
<script>
{_own('charts.js')}{_own('page.js')}</script>
</body>
</html>
"""


def _own(name):
    with open(os.path.join(_HERE, name), encoding="utf-8") as file:
        return file.read()


def _section(heading, body, kind="wide", note=""):
    note = f'<p class="note">{escape(note)}</p>' if note else ""
    return f'<section class="{kind}"><h2>{escape(heading)}</h2>{note}{body}</section>\n'


def _knees(sides):
    tiles = []
    for at, side in enumerate(sides):
        for sweep in side:
            knee, bound = sweep.knee, figures.time(sweep.p99_max_micros)
            text = f"{knee}/s" if knee is not None else "none"
            notes = [*sweep.notes, *sweep.warnings]
            tiles.append(
                f'<li class="side{at}"><b>{escape(text)}</b><span>knee of {escape(sweep.name)}: the highest rate met with p99'
                f" within {escape(bound)}</span>{''.join(f'<em>{escape(note)}</em>' for note in notes)}</li>")
    return f'<ul class="tiles">{"".join(tiles)}</ul>\n'


def _cells(texts, tag="td"):
    return "".join(f"<{tag}>{escape(text)}</{tag}>" for text in texts)


def _table(sweep, named):
    by_workload = len({run.workload for run in sweep.runs}) > 1
    heads = ["offered", "achieved", "requests", "time", "read", "errors", "avg", "stdev", "max"]
    heads += [f"{name}%" for name in PERCENTILES]
    rows = []
    for run in sweep.runs:
        offered = str(run.offered) if run.offered is not None else figures.NONE
        if by_workload:
            offered += f" {run.workload or ''}"
        texts = [offered, run.text("achieved"), str(run.requests), run.text("seconds"), run.text("bytes"), _errors(run)]
        texts += [run.text(name) for name in ("mean", "stdev", "max", *PERCENTILES)]
        marks = [name for name, is_so in (("knee", run.offered is not None and run.offered == sweep.knee),
                                          ("bad", run.errors), ("cut", run.cut_short)) if is_so]
        rows.append(f'<tr class="{" ".join(marks)}">{_cells(texts)}</tr>')
    table = f'<div class="scroll"><table class="summary"><thead><tr>{_cells(heads, "th")}</tr></thead>'
    table += f'<tbody>{"".join(rows)}</tbody></table></div>'
    if any(run.cut_short for run in sweep.runs):
        table += '<p class="note">Rates in italics were cut short.</p>'
    return _section(f"Summary of {sweep.name}" if named else "Summary", table)


def _errors(run):
    texts = [f"{kind}: {count}" for kind, count in run.errors.items()] or ["0"]
    if run.not_found:
        texts.append(f"(not found: {run.not_found})")
    return ", ".join(texts)


def _comparison(ours, theirs):
    found = comparison.pairs(ours, theirs)
    heads = ["rate"] + [name if name in ("achieved", "max") else f"{name}%" for name in comparison.FIGURES]
    rows = []
    for run, other in found:
        cells = []
        for figure in comparison.FIGURES:
            ratio = comparison.ratio(run, other, figure)
            better = ratio is not None and (ratio > 1.01 if figure == "achieved" else ratio < 0.95)
            worse = ratio is not None and (ratio < 0.99 if figure == "achieved" else ratio > 1.05)
            kind = "good" if better else "worse" if worse else ""
            text = figures.NONE if ratio is None else f"{ratio:.2f}×"
            both = f"{run.text(figure)} / {other.text(figure)}"
            cells.append(f'<td class="{kind}"><b>{text}</b><small>{escape(both)}</small></td>')
        rows.append(f"<tr><td>{escape(run.label)}</td>{''.join(cells)}</tr>")
    if not rows:
        return _section("Comparison", '<p class="note">No rate is in both.</p>')
    table = f'<div class="scroll"><table class="ratios"><thead><tr>{_cells(heads, "th")}</tr></thead>'
    return _section(
        "Comparison", f"{table}<tbody>{''.join(rows)}</tbody></table></div>",
        note=f"{_names(ours)} as a multiple of {_names(theirs)}: at a latency of 0.50× it takes half the time. In charts"
        f" {_names(ours)} is solid, {_names(theirs)} dashed.")


def _names(side):
    return ", ".join(sweep.name for sweep in side)


def _chart(name, heading, kind, note):
    switch = "" if name == "achieved" else (
        '<span class="switch" role="group" aria-label="Scale of the latency">'
        '<button type="button" data-scale="log">log</button><button type="button" data-scale="linear">linear</button></span>')
    figure = f'{switch}<div class="legend"></div><figure data-chart="{name}"><svg role="img" aria-label="{heading}"></svg></figure>'
    return _section(heading, figure, kind, note)


def _server(sweeps):
    if not any(run.server for sweep in sweeps for run in sweep.runs):
        return _section(
            "Beside it, what the nodes counted",
            '<p class="note">Nothing is here: take a directory of loadtest/sweep, or give --prometheus.</p>')
    reporters = sorted({run.reporters for sweep in sweeps for run in sweep.runs if run.server})
    return _section(
        "Beside it, what the nodes counted", '<div class="legend" id="bars-legend"></div><div class="cards" id="bars"></div>',
        note="Shares of the requests by latency. The nodes count from the head of a request to its last byte, per operation"
        " and with the calibration; wrk2 from when it was due, all operations together. The nodes' percentiles are estimates"
        f" from their buckets. Reported by {', '.join(reporters)}.")


def _settings(sides):
    sweeps, blocks = [sweep for side in sides for sweep in side], []
    if len(sides) > 1:
        rows = "".join(f"<tr>{_cells(row)}</tr>" for row in comparison.settings(*sides))
        heads = _cells(["what differs", _names(sides[0]), _names(sides[1])], "th")
        if rows:
            blocks.append(f'<div class="scroll"><table class="differ"><tr>{heads}</tr>{rows}</table></div>')
    for sweep in sweeps:
        for heading, pairs in sweep.settings.items():
            rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in pairs)
            named = f"{heading} ({sweep.name})" if len(sweeps) > 1 else heading
            blocks.append(f"<details><summary>{escape(named)}</summary><dl>{rows}</dl></details>")
    sources = "".join(f"<li>{escape(run.source)}</li>" for sweep in sweeps for run in sweep.runs)
    blocks.append(f"<details><summary>Read from</summary><ul>{sources}</ul></details>")
    return _section("Settings", "".join(blocks))


def _links(links):
    if not links:
        return ""
    items = "".join(f'<li><a href="{escape(address)}">{escape(name)}</a></li>' for name, address in links)
    return _section("Flame graphs", f"<ul>{items}</ul>")


def _data(sides):
    """What the charts draw."""
    return {
        "rates": sorted({run.rate for side in sides for sweep in side for run in sweep.runs}),
        "sweeps": [_sweep(sweep, at) for at, side in enumerate(sides) for sweep in side],
        "bars": _bars(sides),
    }


def _sweep(sweep, side):
    runs = []
    for run in sweep.runs:
        runs.append({
            "label": run.label, "workload": run.workload, "rate": run.rate, "offered": run.offered,
            "achieved": run.achieved, "p99": run.latency.get("99"), "curve": _curve(run)})
    return {"name": sweep.name, "side": side, "bound": sweep.p99_max_micros, "knee": sweep.knee, "runs": runs}


def _curve(run):
    """Points of 1/(1-percentile) and microseconds; the largest is placed where a single request would be."""
    points = [(100 / (100 - percentile), micros) for percentile, micros in run.spectrum if percentile < 99.99999]
    count = run.latency.get("count") or run.requests
    if run.spectrum and run.spectrum[-1][0] >= 99.99999:
        points.append((max(count, points[-1][0] if points else 1), run.spectrum[-1][1]))
    return [[float(f"{x:.6g}"), y] for x, y in points]


def _bars(sides):
    """A card for each rate and operation: shares by bucket, of the clients and of the nodes."""
    cards = {}
    for at, side in enumerate(sides):
        for sweep in side:
            for run in sweep.runs:
                for operation, histogram in run.server.items():
                    key = (run.rate, operation, sweep.name if len(side) > 1 else "")
                    card = cards.setdefault(key, {
                        "title": f"{run.label} · {operation}" + (f" · {key[2]}" if key[2] else ""),
                        "bounds": [bound if bound < 1e9 else None for bound in histogram.bounds], "series": []})
                    _series(card["series"], run, histogram, at, sweep.name if len(sides) > 1 else "")
    return [cards[key] for key in sorted(cards)]


def _series(series, run, histogram, side, name):
    client = buckets.of_client(run.spectrum, histogram.bounds)
    if client:
        series.append({"who": "client", "side": side, "name": name, "shares": client,
                       "p50": run.text("50"), "p99": run.text("99")})
    p50, p99 = (figures.short_time(histogram.quantile(wanted)) for wanted in (0.5, 0.99))
    series.append({"who": "server", "side": side, "name": name, "shares": histogram.shares,
                   "count": round(histogram.total), "p50": "≈ " + p50, "p99": "≈ " + p99})
