// What the page's charts show, and its switches.

const data = JSON.parse(document.getElementById("data").textContent);
const sideColors = ["var(--accent)", "var(--accent)"];
const hidden = new Set();
let log = true;

// From the least rate to the highest, from blue to red: neighbours differ, and more is warmer.
function colorOf(rate) {
  const last = data.rates.length - 1, part = last > 0 ? data.rates.indexOf(rate) / last : 0, hue = 262 - 237 * part;
  return `light-dark(oklch(0.55 0.17 ${hue}), oklch(0.78 0.14 ${hue}))`;
}

function nameOf(sweep, run) {
  const parts = [run.label];
  if (new Set(sweep.runs.map(each => each.workload)).size > 1 && run.workload) parts.push(run.workload);
  if (data.sweeps.length > 1) parts.push(sweep.name);
  return parts.join(", ");
}

function tailChart() {
  const lines = data.sweeps.flatMap(sweep => sweep.runs.map((run, i) => ({
    key: `${sweep.name} ${i}`, name: nameOf(sweep, run), color: colorOf(run.rate), dashed: sweep.side === 1, points: run.curve,
    end: sweep.side === 0 ? run.label : "",
  })));
  const shown = lines.filter(line => !hidden.has(line.key));
  const most = Math.max(100, ...lines.flatMap(line => line.points.map(point => point[0])));
  return { all: lines, lines: shown, xKind: "tail", xLeast: 1, xMost: most, xText: percentage, xName: "percentile",
    xTicks: room => [1, ...(room > 500 ? [2] : []), ...decades(10, most).filter(each => Number.isInteger(Math.log10(each)))],
    yLog: log, yText: duration };
}

function rateChart(value, yLog, yText) {
  const lines = data.sweeps.map((sweep, i) => ({
    key: `rates ${sweep.name} ${i}`, name: sweep.name, color: data.sweeps.length > 2 ? colorOf(data.rates[i % data.rates.length]) : sideColors[sweep.side],
    dashed: sweep.side === 1,
    points: sweep.runs.filter(run => run.offered !== null && run[value] !== null).map(run => [run.offered, run[value]]),
  }));
  const most = Math.max(1, ...lines.flatMap(line => line.points.map(point => point[0]))) * 1.05;
  return { all: lines, lines: lines.filter(line => !hidden.has(line.key)), xKind: "linear", xLeast: 0, xMost: most, xText: amount,
    xName: "requests a second offered", xTicks: room => evenly(most, room > 500 ? 8 : 5), dots: true, yLog, yText,
    knees: data.sweeps.filter(sweep => sweep.knee !== null).map(sweep =>
      ({ value: sweep.knee, dashed: sweep.side === 1, name: `knee ${sweep.knee}/s${data.sweeps.length > 1 ? " " + sweep.name : ""}` })) };
}

const charts = {
  tail: tailChart,
  p99: () => {
    const bounds = [...new Set(data.sweeps.map(sweep => sweep.bound))];
    return { ...rateChart("p99", log, duration), levels: bounds.map(value => ({ value, name: `p99 within ${duration(value)}` })) };
  },
  achieved: () => ({ ...rateChart("achieved", false, amount), ideal: true }),
};

function legend(host, chart) {
  host.replaceChildren();
  if (chart.all.length < 2) return;
  for (const line of chart.all) {
    const button = element("button", { type: "button", "aria-pressed": String(!hidden.has(line.key)) },
      element("i", { class: line.dashed ? "dashed" : "", style: `color:${line.color}` }), line.name);
    button.onclick = () => {
      if (!hidden.delete(line.key)) hidden.add(line.key);
      drawAll();
    };
    host.append(button);
  }
}

function drawAll() {
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    const chart = charts[figure.dataset.chart]();
    legend(figure.parentElement.querySelector(".legend"), chart);
    if (chart.all.every(line => line.points.length === 0)) {
      figure.replaceChildren(element("p", { class: "note" }, "wrk2's console does not show the offered rate."));
      delete figure.dataset.chart;
    } else if (chart.lines.length) {
      drawLines(figure, chart);
    }
  }
  for (const button of document.querySelectorAll(".switch button")) {
    button.setAttribute("aria-pressed", String((button.dataset.scale === "log") === log));
  }
  for (const [figure, chart] of bars) drawBars(figure, chart);
}

// Empty buckets are left out at both ends, the same ones in all cards.
const bars = [];
const who = { client: ["wrk2", "var(--client)"], server: ["nodes", "var(--accent)"] };

function bucketName(bound) {
  if (bound === null) return ">";
  return bound < 1 ? String(Number((bound * 1000).toPrecision(3))) : `${bound}s`;
}

function cards() {
  const host = document.getElementById("bars");
  if (!host) return;
  const used = data.bars.flatMap(card => card.series.flatMap(each => each.shares.map((share, i) => share > 0 ? i : -1).filter(i => i >= 0)));
  const from = Math.min(...used), to = Math.max(...used) + 1, sides = new Set();
  for (const card of data.bars) {
    const series = card.series.map(each => ({ ...each, shares: each.shares.slice(from, to), color: who[each.who][1],
      label: [who[each.who][0], each.name].filter(Boolean).join(" ") }));
    series.forEach(each => sides.add(JSON.stringify([each.label, each.color, each.side])));
    const figure = element("figure", {});
    figure.append(shape("svg", { role: "img", "aria-label": card.title }));
    host.append(element("div", {}, element("h3", {}, card.title), figure, ...series.map(each => element("p", {},
      element("i", { class: each.side ? "box" : "", style: `color:${each.color}` }), `${each.label}: p50 ${each.p50}, p99 ${each.p99}`
        + (each.count === undefined ? "" : ` (${each.count})`)))));
    bars.push([figure, { labels: card.bounds.slice(from, to).map(bucketName), series }]);
  }
  document.getElementById("bars-legend").append(...[...sides].map(text => JSON.parse(text)).sort((a, b) => a[2] - b[2]).map(([label, color, side]) =>
    element("span", {}, element("i", { class: side ? "box" : "", style: `color:${color}` }), label)),
    element("span", {}, "buckets: up to so many ms"));
}

for (const button of document.querySelectorAll(".switch button")) {
  button.onclick = () => { log = button.dataset.scale === "log"; drawAll(); };
}
cards();
let width = 0;
new ResizeObserver(() => {
  if (document.body.clientWidth !== width) { width = document.body.clientWidth; drawAll(); }
}).observe(document.body);
width = document.body.clientWidth;
drawAll();
