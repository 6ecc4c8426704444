"""Draws the dashboards as SVG from their own expressions: render.py <url of Prometheus> <cluster> <begin, epoch seconds> <directory>

No Grafana: panels stand where the dashboard has them, and show what its queries return, with plain means.
"""

import html
import math
import pathlib
import re
import sys
import time

import promql
from evaluate import filled, get

CELL_WIDTH, CELL_HEIGHT, GAP = 54, 30, 6
POINTS = 90
COLOURS = "#7eb26d #eab839 #6ed0e0 #ef843c #e24d42 #5b8ff9 #ba43a9 #9d8cff #508642 #cca300 #447ebc #c15c17".split()
NAMED = {"green": "#3b8f4a", "orange": "#d9822b", "red": "#c4363f", "blue": "#3a6fb7", "text": "#5c6570", "transparent": "#5c6570"}
STYLE = (
    "text{font:11px 'DejaVu Sans',sans-serif;fill:#30363d}.t{font-weight:bold}.r{font-size:14px;font-weight:bold}.a{font-size:9px;fill:#6a737d}"
    ".l{font-size:9.5px}.b{fill:#fff;font-size:22px}.s{fill:#fff;font-size:11px}.p{fill:#fff;stroke:#d0d7de}.g{stroke:#e6e9ec}path{fill:none;stroke-width:1.3}"
)
PER_SECOND = {"reqps": "req/s", "ops": "ops/s", "recps": "rec/s"}
SCALES = {
    "bytes": (1024, ["B", "KiB", "MiB", "GiB", "TiB"]),
    "Bps": (1000, ["B/s", "kB/s", "MB/s", "GB/s"]),
    "none": (1000, ["", "k", "M", "G"]),
}


def shown(value, unit):
    """A number as a person reads it."""
    if value is None or math.isnan(value):
        return "–"
    if unit == "percentunit":
        return f"{value * 100:.3g} %"
    if unit == "s":
        for size, name in ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"), (1e-3, "ms"), (1e-6, "µs")):
            if abs(value) >= size:
                return f"{value / size:.3g} {name}"
        return "0 s"
    if unit == "d":
        return f"{value:.4g} d" if value < 9999 else "> 9999 d"
    base, names = SCALES.get(unit, (1000, ["", "k", "M"]))
    index = 0
    while abs(value) >= base and index < len(names) - 1:
        value, index = value / base, index + 1
    figure = f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
    if unit in ("none", "bytes", "Bps"):
        return f"{figure} {names[index]}".strip()
    return f"{figure}{names[index]} {PER_SECOND[unit]}"


def escaped(text, limit=200):
    return html.escape(text if len(text) <= limit else text[: limit - 1] + "…")


def label(target, metric):
    return re.sub(r"\{\{(\w+)\}\}", lambda found: metric.get(found.group(1), ""), target["legendFormat"])


class Painter:
    """Turns panels into SVG, with the data of one Prometheus for one span of time."""

    def __init__(self, url, cluster, begin, end):
        self.url, self.cluster, self.begin, self.end = url, cluster, begin, end
        self.step = max(5, round((end - begin) / POINTS))

    def series(self, panel):
        """(legend, [(time, value)], whether it is a bound) of each series of a panel."""
        dashed = {each["matcher"]["options"] for each in panel["fieldConfig"]["overrides"] if "lineStyle" in str(each["properties"])}
        for target in panel["targets"]:
            query = filled(target["expr"], self.cluster)
            name = target["legendFormat"]
            pattern = "/^" + re.sub(r"\{\{\w+\}\}", ".*", name) + "$/"
            for each in get(self.url, "query_range", query=query, start=self.begin, end=self.end, step=self.step)["result"]:
                points = [(float(at), float(value)) for at, value in each["values"]]
                yield label(target, each["metric"]), points, bool({name, pattern} & dashed)

    def x(self, at, width, left=52, right=10):
        return left + (at - self.begin) / (self.end - self.begin) * (width - left - right)

    def stat(self, panel, width, height):
        config = panel["fieldConfig"]["defaults"]
        found = []
        for target in panel["targets"]:
            for each in get(self.url, "query", query=filled(target["expr"], self.cluster), time=self.end)["result"]:
                found.append((label(target, each["metric"]), float(each["value"][1])))
        value = found[0][1] if found else None
        colour = NAMED["text"]
        if panel["options"]["colorMode"] == "background" and value is not None:
            for step in config["thresholds"]["steps"]:
                if step["value"] is None or value >= step["value"]:
                    colour = NAMED[step["color"]]
        texts = []
        for name, number in found:
            text = shown(number, config["unit"])
            for mapping in config["mappings"]:
                chosen = mapping["options"].get(f"{number:g}")
                if chosen:
                    text, colour = chosen["text"], NAMED[chosen["color"]]
            texts.append((f"{name} " if len(found) > 1 else "") + text)
        if not texts:
            texts = [config.get("noValue", "no data")]
        yield f'<rect x="1" y="20" width="{width - 2}" height="{height - 21}" fill="{colour}"/>'
        size = "b" if len(texts) == 1 and len(texts[0]) < 14 else "s"
        for index, text in enumerate(texts):
            yield f'<text class="{size}" x="{width / 2}" y="{20 + (height - 20) * (index + 1) / (len(texts) + 1) + 6:.0f}" text-anchor="middle">{escaped(text)}</text>'

    def timeseries(self, panel, width, height):
        config = panel["fieldConfig"]["defaults"]
        found = [(name, [(at, v) for at, v in points if math.isfinite(v)], bound) for name, points, bound in self.series(panel)]
        rows = min(len(found), 6)
        bottom = height - 20 - 12 * (rows + 1)
        top = max((v for _, points, _ in found for _, v in points), default=0)
        stacked = config["custom"]["stacking"]["mode"] == "normal"
        if stacked:
            sums = {}
            for _, points, bound in found:
                for at, v in points:
                    sums[at] = sums.get(at, 0) + (0 if bound else v)
            top = max([top, *sums.values()])
        low = min([0, *(v for _, points, _ in found for _, v in points)])
        top = top * 1.05 if top > low else low + 1
        y = lambda v: 28 + (bottom - 28) * (1 - (v - low) / (top - low))
        yield from self.axes(width, bottom, [low + (top - low) * part / 3 for part in range(4)], y, config["unit"])
        below = {}
        for index, (name, points, bound) in enumerate(found):
            colour = COLOURS[index % len(COLOURS)]
            if stacked and not bound:
                points = [(at, v + below.get(at, 0)) for at, v in points]
                below |= dict(points)
            path, last = "", None
            for at, v in points:
                gone = last is None or at - last > 1.5 * self.step
                path += f"{'M' if gone else 'L'}{self.x(at, width):.1f} {y(v):.1f}"
                last = at
            dash = ' stroke-dasharray="6 4"' if bound else ""
            yield f'<path d="{path}" stroke="{colour}"{dash}/>'
        yield from self.legend(found, config["unit"], width, bottom + 30, rows)

    def legend(self, found, unit, width, y, rows):
        yield f'<text class="a" x="{width - 78}" y="{y - 2}" text-anchor="end">last</text><text class="a" x="{width - 10}" y="{y - 2}" text-anchor="end">max</text>'
        for index, (name, points, _) in enumerate(found[:rows]):
            at = y + 10 + 12 * index
            more = f" (and {len(found) - rows} more)" if index == rows - 1 and len(found) > rows else ""
            last, most = (points[-1][1], max(v for _, v in points)) if points else (None, None)
            yield f'<rect x="10" y="{at - 7}" width="9" height="7" fill="{COLOURS[index % len(COLOURS)]}"/>'
            yield f'<text class="l" x="24" y="{at}">{escaped(name + more, max(12, (width - 160) // 6))}</text>'
            yield f'<text class="l" x="{width - 78}" y="{at}" text-anchor="end">{shown(last, unit)}</text><text class="l" x="{width - 10}" y="{at}" text-anchor="end">{shown(most, unit)}</text>'
        if not found:
            yield f'<text x="{width / 2}" y="{y - 60}" text-anchor="middle">no data</text>'

    def axes(self, width, bottom, ticks, y, unit):
        for tick in ticks:
            yield f'<line class="g" x1="52" x2="{width - 10}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/><text class="a" x="48" y="{y(tick) + 3:.1f}" text-anchor="end">{shown(tick, unit)}</text>'
        for part in range(4):
            at = self.begin + (self.end - self.begin) * part / 3
            anchor = "start" if part == 0 else "end" if part == 3 else "middle"
            yield f'<text class="a" x="{self.x(at, width):.0f}" y="{bottom + 12}" text-anchor="{anchor}">{time.strftime("%H:%M:%S", time.gmtime(at))}</text>'

    def heatmap(self, panel, width, height):
        columns = {}
        for target in panel["targets"]:
            for each in get(self.url, "query_range", query=filled(target["expr"], self.cluster), start=self.begin, end=self.end, step=self.step)["result"]:
                columns[float(each["metric"]["le"])] = {float(at): float(v) for at, v in each["values"]}
        bounds = sorted(columns)
        bottom = height - 30
        tall = (bottom - 28) / max(1, len(bounds))
        counts = {}
        for index, bound in enumerate(bounds):
            for at, v in columns[bound].items():
                counts[at, index] = max(0, v - (columns[bounds[index - 1]].get(at, 0) if index else 0))
        most = max(counts.values(), default=1) or 1
        wide = self.step / (self.end - self.begin) * (width - 62)
        for (at, index), count in counts.items():
            if count > 0:
                shade = (count / most) ** 0.4
                yield f'<rect x="{self.x(at, width) - wide / 2:.1f}" y="{bottom - (index + 1) * tall:.1f}" width="{wide:.1f}" height="{tall:.1f}" fill="hsl({260 - 220 * shade:.0f},75%,{78 - 25 * shade:.0f}%)"/>'
        place = lambda bound: bottom - (bounds.index(bound) + 1) * tall
        yield from self.axes(width, bottom, [bound for bound in bounds[::2] if math.isfinite(bound)], place, panel["fieldConfig"]["defaults"]["unit"])

    def timeline(self, panel, width, height):
        found = list(self.series(panel))
        chosen = panel["fieldConfig"]["defaults"]["mappings"][0]["options"]
        tall = min(26, (height - 50) / max(1, len(found)))
        for index, (name, points, _) in enumerate(found):
            y = 28 + index * tall
            yield f'<text class="l" x="8" y="{y + tall / 2 + 3:.1f}">{escaped(name, 26)}</text>'
            for at, v in points:
                left = self.x(at, width, left=150)
                wide = min(self.step / (self.end - self.begin) * (width - 160) + 0.5, width - 10 - left)
                colour = NAMED[chosen[f"{v:g}"]["color"]]
                yield f'<rect x="{left:.1f}" y="{y + 2:.1f}" width="{max(0, wide):.1f}" height="{tall - 4:.1f}" fill="{colour}"/>'
        for index, each in enumerate(chosen.values()):
            yield f'<rect x="{10 + index * 110}" y="{height - 16}" width="9" height="9" fill="{NAMED[each["color"]]}"/><text class="l" x="{24 + index * 110}" y="{height - 8}">{escaped(each["text"])}</text>'

    def rows(self, panel):
        """The lines of a table: what the queries have in common and the value of each."""
        lines = {}
        for target in panel["targets"]:
            for each in get(self.url, "query", query=filled(target["expr"], self.cluster), time=self.end)["result"]:
                shared = {name: value for name, value in each["metric"].items() if name in ("loadtest", "step", "member")}
                line = lines.setdefault(tuple(sorted(shared.items())), {})
                line.update(each["metric"])
                line[target["legendFormat"]] = float(each["value"][1])
        return [lines[key] for key in sorted(lines)]

    def table(self, panel, width, height):
        units = {
            each["matcher"]["options"]: field["value"]
            for each in panel["fieldConfig"]["overrides"]
            for field in each["properties"]
            if field["id"] == "unit"
        }
        lines = self.rows(panel)
        names = list(dict.fromkeys(name for line in lines for name in line))
        for column, name in enumerate(names):
            x = 10 + column * (width - 20) / len(names)
            yield f'<text class="t l" x="{x:.0f}" y="40">{escaped(name)}</text>'
            for index, line in enumerate(lines):
                value = line.get(name, "")
                text = shown(value, units.get(name, "none")) if isinstance(value, float) else value
                yield f'<text class="l" x="{x:.0f}" y="{60 + 18 * index}">{escaped(text, 22)}</text>'

    def trend(self, panel, width, height):
        lines = self.rows(panel)
        across = panel["options"]["xField"]
        names = [target["legendFormat"] for target in panel["targets"] if target["legendFormat"] != across]
        values = [line[name] for line in lines for name in names]
        if not values:
            return
        low, top = math.log10(min(values)), math.log10(max(values))
        widest = max(line[across] for line in lines)
        y = lambda v: 28 + (height - 78) * (1 - (math.log10(v) - low) / max(top - low, 1e-9))
        x = lambda v: 52 + (width - 78) * v / widest
        for part in range(4):
            tick = 10 ** (low + (top - low) * part / 3)
            yield f'<line class="g" x1="52" x2="{width - 10}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/><text class="a" x="48" y="{y(tick) + 3:.1f}" text-anchor="end">{shown(tick, "s")}</text>'
        for line in lines:
            yield f'<text class="a" x="{x(line[across]):.0f}" y="{height - 36}" text-anchor="middle">{shown(line[across], "none")}</text>'
        for index, name in enumerate(names):
            points = [f"{x(line[across]):.1f} {y(line[name]):.1f}" for line in lines]
            yield f'<path d="M{"L".join(points)}" stroke="{COLOURS[index]}"/>'
            yield f'<rect x="{60 + index * 80}" y="{height - 20}" width="9" height="7" fill="{COLOURS[index]}"/><text class="l" x="{74 + index * 80}" y="{height - 13}">{name}</text>'


def drawn(painter, dashboard):
    unit_x, unit_y = CELL_WIDTH, CELL_HEIGHT
    tall = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in dashboard["panels"]) * unit_y + 44
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {24 * unit_x} {tall}" font-family="sans-serif"><style>{STYLE}</style><rect width="100%" height="100%" fill="#f6f8fa"/>'
    yield f'<text class="r" x="10" y="26">{escaped(dashboard["title"])}</text>'
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        x, y, width, height = place["x"] * unit_x, place["y"] * unit_y + 40, place["w"] * unit_x - GAP, place["h"] * unit_y - GAP
        if panel["type"] == "row":
            yield f'<text class="r" x="10" y="{y + 18}">{escaped(panel["title"])}</text>'
            continue
        yield f'<g transform="translate({x + GAP / 2} {y})"><rect class="p" width="{width}" height="{height}" rx="2"/><text class="t" x="8" y="14">{escaped(panel["title"], width // 7)}</text>'
        draw = {"state-timeline": painter.timeline}.get(panel["type"]) or getattr(painter, panel["type"])
        yield from draw(panel, width, height)
        yield "</g>"
    yield "</svg>"


def main(url, cluster, begin, directory):
    painter = Painter(url, cluster, int(begin), int(time.time()))
    target = pathlib.Path(directory)
    target.mkdir(parents=True, exist_ok=True)
    for path, dashboard in promql.dashboards().items():
        text = "\n".join(drawn(painter, dashboard)) + "\n"
        (target / f"dashboard-{path.stem}.svg").write_text(text)
        print(f"drew {target}/dashboard-{path.stem}.svg, {len(text) // 1000} kB")


if __name__ == "__main__":
    main(*sys.argv[1:])
