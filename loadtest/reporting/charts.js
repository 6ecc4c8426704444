"use strict";
// Charts of lines and bars in SVG, drawn for the width that there is.

const svgSpace = document.querySelector("svg").namespaceURI;

function shape(name, attributes, text) {
  const made = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Numbers to put at an axis.

function decades(low, high) {
  const found = [], steps = Math.log10(high / low) > 2.5 ? [1] : [1, 2, 5];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const step of steps) {
      const value = step * 10 ** power;
      if (value >= low * 0.999 && value <= high * 1.001) found.push(value);
    }
  }
  return found;
}

function evenly(high, wanted) {
  const rough = high / wanted, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= rough * 0.999);
  const found = [];
  for (let value = 0; value <= high * 1.0001; value += step) found.push(value);
  return found;
}

function duration(micros) {
  if (micros === 0) return "0";
  const [value, unit] = micros < 999.5 ? [micros, "us"] : micros < 999500 ? [micros / 1e3, "ms"] : [micros / 1e6, "s"];
  return `${Number(value.toPrecision(3))} ${unit}`;
}

function amount(value) {
  return value >= 10000 ? `${Number((value / 1000).toPrecision(4))}k` : String(Number(value.toPrecision(4)));
}

// From values to places. `tail` is for 1/(1-percentile), which only makes sense on a logarithmic axis.

function scale(kind, low, high, from, to) {
  const place = kind === "linear" ? value => value : Math.log10;
  const start = place(low), span = place(high) - start || 1;
  const at = value => from + (place(value) - start) / span * (to - from);
  at.back = where => {
    const value = start + (where - from) / (to - from) * span;
    return kind === "linear" ? value : 10 ** value;
  };
  return at;
}

function percentage(oneIn) {
  if (oneIn <= 1) return "0 %";
  const percent = 100 - 100 / oneIn;
  return `${Number(percent.toFixed(Math.max(0, Math.ceil(Math.log10(oneIn)) - 2)))} %`;
}

function extent(chart, log) {
  const values = chart.lines.flatMap(line => line.points.map(point => point[1]));
  values.push(...(chart.levels ?? []).map(level => level.value));
  if (chart.ideal) values.push(chart.xMost / 1.05);
  const low = Math.min(...values), high = Math.max(...values);
  if (!log) return [0, (high || 1) * 1.05];
  const least = Math.max(low, high / 1e6, 1e-9);
  return [least / 1.3, Math.max(high, least * 2) * 1.3];
}

function axes(svg, chart, x, y, box, range) {
  for (const value of chart.yLog ? decades(...range) : evenly(range[1], 6)) {
    const at = y(value);
    svg.append(shape("path", { class: "grid", d: `M${box.left} ${at}H${box.right}` }),
      shape("text", { x: box.left - 6, y: at + 4, "text-anchor": "end" }, chart.yText(value)));
  }
  let free = -Infinity;
  for (const value of chart.xTicks(box.right - box.left)) {
    const at = x(value), text = chart.xText(value), half = text.length * 3.2;
    svg.append(shape("path", { class: "grid", d: `M${at} ${box.top}V${box.bottom}` }));
    if (at - half < free) continue;
    free = at + half + 6;
    svg.append(shape("text", { x: at, y: box.bottom + 16, "text-anchor": "middle" }, text));
  }
  svg.append(shape("text", { x: (box.left + box.right) / 2, y: box.bottom + 33, "text-anchor": "middle" }, chart.xName));
}

// Names at the ends of lines, pushed apart where they would cover each other.
function ends(svg, chart, x, y, box) {
  const texts = chart.lines.filter(line => line.end && line.points.length).map(line => {
    const [lastX, lastY] = line.points.at(-1);
    return { line, x: x(lastX), y: y(lastY) };
  }).sort((a, b) => a.y - b.y);
  for (let i = 1; i < texts.length; i++) texts[i].y = Math.max(texts[i].y, texts[i - 1].y + 12);
  const over = texts.length ? texts.at(-1).y - box.bottom : 0;
  if (over > 0) {
    texts.at(-1).y -= over;
    for (let i = texts.length - 2; i >= 0; i--) texts[i].y = Math.min(texts[i].y, texts[i + 1].y - 12);
  }
  for (const text of texts) {
    svg.append(shape("text", { class: "end", x: box.right + 6, y: text.y + 4, style: `fill:${text.line.color}` }, text.line.end));
  }
}

function marks(svg, chart, x, y, box) {
  for (const level of chart.levels ?? []) {
    const at = y(level.value);
    svg.append(shape("path", { class: "bound", d: `M${box.left} ${at}H${box.right}` }),
      shape("text", { class: "bound", x: box.left + 6, y: at - 5 }, level.name));
  }
  let row = 0;
  for (const knee of chart.knees ?? []) {
    const at = x(knee.value), right = at > (box.left + box.right) / 2;
    svg.append(shape("path", { class: knee.dashed ? "knee dashed" : "knee", d: `M${at} ${box.top}V${box.bottom}` }),
      shape("text", { class: "knee", x: at + (right ? -6 : 6), y: box.top + 12 + 14 * row++, "text-anchor": right ? "end" : "start" },
        knee.name));
  }
  if (chart.ideal) {
    const most = Math.min(chart.xMost, y.back(box.top));
    svg.append(shape("path", { class: "ideal", d: `M${x(0)} ${y(0)}L${x(most)} ${y(most)}` }));
  }
}

function drawLines(figure, chart) {
  const svg = figure.querySelector("svg"), width = figure.clientWidth || 600;
  const height = Math.round(Math.min(420, Math.max(240, width * 0.5)));
  const named = chart.lines.some(line => line.end);
  const box = { left: 56, right: width - (named ? 62 : 18), top: 10, bottom: height - 42 };
  const range = extent(chart, chart.yLog);
  const x = scale(chart.xKind, chart.xLeast, chart.xMost, box.left, box.right);
  const y = scale(chart.yLog ? "log" : "linear", ...range, box.bottom, box.top);
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.style.height = `${height}px`;
  axes(svg, chart, x, y, box, range);
  marks(svg, chart, x, y, box);
  for (const line of chart.lines) {
    const places = line.points.map(([px, py]) => `${x(px).toFixed(1)} ${y(Math.max(py, range[0])).toFixed(1)}`);
    if (places.length) {
      const path = shape("path", { class: line.dashed ? "line dashed" : "line", d: `M${places.join("L")}`, style: `stroke:${line.color}` });
      path.append(shape("title", {}, line.name));
      svg.append(path);
    }
    for (const place of chart.dots ? places : []) {
      const [cx, cy] = place.split(" ");
      svg.append(shape("circle", { cx, cy, r: 3.5, style: `stroke:${line.color};fill:${line.dashed ? "var(--card)" : line.color}` }));
    }
  }
  ends(svg, chart, x, y, box);
  watch(figure, svg, chart, x, box);
}

function between(points, at, log) {
  const next = points.findIndex(point => point[0] >= at);
  if (next < 0 || at < points[0][0]) return undefined;
  if (next === 0 || points[next][0] === at) return points[next][1];
  const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]], place = log ? Math.log10 : value => value;
  return y0 + (y1 - y0) * (place(at) - place(x0)) / (place(x1) - place(x0));
}

// The value of each line at the pointer.
function watch(figure, svg, chart, x, box) {
  const cursor = shape("path", { class: "cursor", d: "" });
  svg.append(cursor);
  figure.querySelector(".tip")?.remove();
  const tip = element("div", { class: "tip", hidden: "" });
  figure.append(tip);
  svg.onpointerleave = () => { tip.hidden = true; cursor.setAttribute("d", ""); };
  svg.onpointermove = event => {
    const where = event.clientX - svg.getBoundingClientRect().left;
    if (where < box.left || where > box.right) return svg.onpointerleave();
    const value = x.back(where);
    const rows = chart.lines.map(line => [line, between(line.points, value, chart.xKind !== "linear")])
      .filter(row => row[1] !== undefined).sort((a, b) => b[1] - a[1]);
    cursor.setAttribute("d", `M${where} ${box.top}V${box.bottom}`);
    tip.replaceChildren(element("b", {}, chart.xText(value)), ...rows.map(([line, micros]) =>
      element("span", {}, element("i", { class: line.dashed ? "dashed" : "", style: `color:${line.color}` }), `${line.name}  ${chart.yText(micros)}`)));
    tip.hidden = rows.length === 0;
    tip.style.left = where > figure.clientWidth / 2 ? "" : `${where + 12}px`;
    tip.style.right = where > figure.clientWidth / 2 ? `${figure.clientWidth - where + 12}px` : "";
    tip.style.top = `${box.top + 8}px`;
  };
}

// Shares by bucket; bars of the same bucket are side by side.
function drawBars(figure, chart) {
  const svg = figure.querySelector("svg"), width = figure.clientWidth || 300, height = 132;
  const box = { left: 30, right: width - 2, top: 6, bottom: height - 18 };
  const most = Math.max(0.01, ...chart.series.flatMap(each => each.shares)) * 1.05;
  const y = scale("linear", 0, most, box.bottom, box.top);
  const room = (box.right - box.left) / chart.labels.length, bar = room * 0.8 / chart.series.length;
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.style.height = `${height}px`;
  for (const value of evenly(most, 3)) {
    svg.append(shape("path", { class: "grid", d: `M${box.left} ${y(value)}H${box.right}` }),
      shape("text", { x: box.left - 4, y: y(value) + 4, "text-anchor": "end", "font-size": 9 }, `${Math.round(value * 100)}%`));
  }
  let free = -Infinity;
  chart.labels.forEach((label, i) => {
    const start = box.left + i * room, half = label.length * 2.55;
    chart.series.forEach((each, turn) => {
      const share = each.shares[i], tall = share > 0 ? Math.max(1, box.bottom - y(share)) : 0;
      const drawn = shape("rect", { x: start + room * 0.1 + turn * bar, y: box.bottom - tall, width: Math.max(1, bar - 1), height: tall,
        style: each.side ? `fill:none;stroke:${each.color};stroke-dasharray:2 1.5` : `fill:${each.color}` });
      drawn.append(shape("title", {}, `${each.label}, to ${label}: ${(share * 100).toFixed(3)} %`));
      svg.append(drawn);
    });
    if (start + room / 2 - half < free) return;
    free = start + room / 2 + half + 1.5;
    svg.append(shape("text", { x: start + room / 2, y: box.bottom + 12, "text-anchor": "middle", "font-size": 8 }, label));
  });
}
