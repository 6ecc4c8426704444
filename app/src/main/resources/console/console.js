// The console of one node: asks its management port every two seconds and draws what it says.
"use strict";

const POLL_MILLIS = 2000;
const TIMEOUT_MILLIS = 5000;
// Rates and percentiles are of so many looks back; the curve shows more of them.
const WINDOW = 15;
const CURVE = 150;
const VALUE_SHOWN = 4096;
const COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#ee8866"];
const OPERATIONS = ["get", "head", "put", "delete", "range", "explain"];
const KEYS_LISTED = 50;

const $ = id => document.getElementById(id);
const looks = [];
const rates = [];
let slots = null;

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function row(cells) {
  const line = element("tr");
  for (const [text, className] of cells) line.append(element("td", text, className));
  return line;
}

class Rejection extends Error {}

async function ask(path) {
  const answer = await fetch(path, {
    headers: credentials(), signal: AbortSignal.timeout(TIMEOUT_MILLIS), cache: "no-store",
  });
  if (answer.status === 401 || answer.status === 403) throw new Rejection();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer;
}

// Prometheus' text format, as far as our own histogram of requests needs it.
function readRequests(text) {
  const found = {};
  for (const line of text.split("\n")) {
    const match = /^kvorum_requests_seconds_(bucket|count)\{(.*)\} (\S+)/.exec(line);
    if (!match) continue;
    const labels = Object.fromEntries([...match[2].matchAll(/(\w+)="([^"]*)"/g)].map(l => [l[1], l[2]]));
    const of = found[labels.operation] ??= {count: 0, failed: 0, buckets: new Map()};
    const value = Number(match[3]);
    if (match[1] === "count") {
      of.count += value;
      if (labels.result === "failed") of.failed += value;
    } else {
      of.buckets.set(labels.le, (of.buckets.get(labels.le) ?? 0) + value);
    }
  }
  return found;
}

// What came between two looks; a node that started anew counts from zero.
function between(before, now, operation) {
  const none = {count: 0, failed: 0, buckets: new Map()};
  const b = before[operation] ?? none, n = now[operation] ?? none;
  const base = n.count < b.count ? none : b;
  const buckets = [...n.buckets].map(([le, v]) => [le === "+Inf" ? Infinity : Number(le), v - (base.buckets.get(le) ?? 0)]);
  buckets.sort((x, y) => x[0] - y[0]);
  return {count: n.count - base.count, failed: n.failed - base.failed, buckets};
}

// Linear within the bucket, as histogram_quantile is.
function quantile(buckets, q) {
  const all = buckets.length ? buckets[buckets.length - 1][1] : 0;
  if (all === 0) return "–";
  const wanted = q * all;
  let low = 0, below = 0;
  for (const [le, upTo] of buckets) {
    if (upTo >= wanted) {
      return le === Infinity ? "> " + millis(low) : millis(low + (le - low) * (wanted - below) / Math.max(1, upTo - below));
    }
    low = le;
    below = upTo;
  }
  return "> " + millis(low);
}

const millis = seconds => {
  const value = seconds * 1000;
  return (value >= 100 ? Math.round(value) : value.toPrecision(2)) + " ms";
};
const mebibytes = bytes => Math.round(bytes / 2 ** 20).toLocaleString("en") + " MiB";
const perSecond = value => value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(2);

function showLoad(text) {
  const now = {at: performance.now() / 1000, requests: readRequests(text)};
  looks.push(now);
  if (looks.length > WINDOW + 1) looks.shift();
  if (looks.length > 1) {
    const before = looks[looks.length - 2];
    const came = OPERATIONS.reduce((sum, o) => sum + between(before.requests, now.requests, o).count, 0);
    rates.push(came / (now.at - before.at));
    if (rates.length > CURVE) rates.shift();
  }
  const first = looks[0];
  const seconds = now.at - first.at;
  $("seconds").textContent = Math.round(seconds);
  $("load").replaceChildren(...OPERATIONS.map(operation => {
    const came = between(first.requests, now.requests, operation);
    const failed = seconds ? came.failed / seconds : 0;
    return row([
      [operation],
      [came.count ? perSecond(came.count / seconds) : "0", "number"],
      ...[.5, .9, .99, .999].map(q => [seconds ? quantile(came.buckets, q) : "–", "number"]),
      [failed ? perSecond(failed) : "0", failed ? "number bad" : "number"],
    ]);
  }));
  drawCurve();
}

function drawCurve() {
  const top = Math.max(1, ...rates);
  const points = rates.map((rate, i) => `${600 - (rates.length - 1 - i) * 600 / (CURVE - 1)},${78 - 74 * rate / top}`);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", points.length ? "M" + points.join("L") : "");
  const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
  title.textContent = `at most ${perSecond(top)} requests a second`;
  $("curve").replaceChildren(title, path);
}

// Slots without a majority of live members: by default their keys can be neither read nor written.
function showShortfall(state) {
  const down = state.members.filter(member => member.name !== state.node && !member.connected).map(member => member.name);
  const live = list => list.filter(i => !down.includes(slots.members[i])).length;
  const majority = list => Math.floor(list.length / 2) + 1;
  const lost = slots ? slots.lists.filter(list => live(list) < majority(list)) : [];
  $("shortfall").hidden = !lost.length;
  if (!lost.length) return false;
  const most = Math.max(...lost.map(live));
  $("shortfall").textContent = `${down.length} of ${state.members.length} members ${down.length === 1 ? "is" : "are"} unreachable (${down.join(", ")}); ` +
    `${majority(lost[0])} confirmations needed, ${most} can be had: ` +
    `${lost.length === slots.lists.length ? "all keys" : `keys in ${lost.length} of ${slots.lists.length} slots`} ` +
    "get 504 unless a request asks for fewer (ack).";
  return true;
}

function showState(state) {
  const short = showShortfall(state);
  document.title = `Kvorum ${state.clusterName}`;
  $("cluster").textContent = state.clusterName;
  $("node").textContent = state.node;
  $("readiness").textContent = !state.ready ? "not ready" : short ? "no quorum" : "ready";
  $("readiness").className = "badge " + (state.ready && !short ? "good" : "bad");
  $("epoch").textContent = state.epoch;
  $("phase").textContent = short ? "no quorum" : state.phase.toLowerCase();
  const first = slots ? slots.lists.reduce((sums, list) => (sums[list[0]]++, sums), slots.members.map(() => 0)) : [];
  $("members").replaceChildren(...state.members.map(member => row([
    [member.name],
    [member.zone || "–"],
    [member.state.toLowerCase(), member.state === "ACTIVE" ? "" : "bad"],
    member.name === state.node ? ["this node"] : [member.connected ? "up" : "down", member.connected ? "good" : "bad"],
    [slots ? first[slots.members.indexOf(member.name)] ?? 0 : "–", "number"],
    [member.hints, member.hints ? "number bad" : "number"],
  ])));
  showWork(state);
}

function showWork(state) {
  const pulls = state.repair.peers.filter(peer => peer.pull !== "none").map(peer => `${peer.name}: ${peer.pull}`);
  const transfer = state.transfer;
  const facts = [
    ["hints", `${state.hintsWaiting} waiting, ${state.hintBytes.toLocaleString("en")} bytes`],
    ["on disk", `${mebibytes(state.dataBytes)}, ${mebibytes(state.diskFreeBytes)} free`],
    ["rebuilding", state.rebuilding ? `yes, ${state.slotsBack} of ${state.slots} slots are back` : "no"],
    ["comparing", pulls.join(", ") || "with nobody now"],
    ["oldest comparison", state.repair.oldestComparison],
    ["never compared", `${state.repair.slotsNeverCompared} slots`],
    ["transfer", transfer.state === "NONE" ? "none" :
      `${transfer.state.toLowerCase()} in epoch ${transfer.epoch}: ${transfer.sourcesDone} of ${transfer.sources} members, ` +
      `${transfer.records.toLocaleString("en")} records, ${transfer.bytes.toLocaleString("en")} bytes`],
  ];
  $("work").replaceChildren(...facts.flatMap(([name, text]) => [element("dt", name), element("dd", text)]));
}

function slotSide() {
  const wide = 2 ** Math.ceil(Math.log2(Math.sqrt(2 * slots.lists.length)));
  return [wide, Math.ceil(slots.lists.length / wide)];
}

function drawSlots() {
  const [wide, high] = slotSide();
  const canvas = $("slots");
  canvas.width = wide;
  canvas.height = high;
  const pen = canvas.getContext("2d");
  slots.lists.forEach((list, slot) => {
    pen.fillStyle = COLOURS[list[0] % COLOURS.length];
    pen.fillRect(slot % wide, Math.floor(slot / wide), 1, 1);
  });
  $("legend").replaceChildren(...slots.members.map((name, i) => {
    const item = element("li");
    const colour = element("i");
    colour.style.background = COLOURS[i % COLOURS.length];
    item.append(colour, name);
    return item;
  }));
}

$("slots").addEventListener("pointermove", event => {
  if (!slots) return;
  const [wide, high] = slotSide();
  const box = event.target.getBoundingClientRect();
  const slot = Math.floor((event.clientY - box.top) / box.height * high) * wide + Math.floor((event.clientX - box.left) / box.width * wide);
  const list = slots.lists[slot];
  if (list) $("slot").textContent = `slot ${slot}: ${list.map(i => slots.members[i]).join(", ")}`;
});

async function poll() {
  try {
    const [state, meters] = await Promise.all([ask("actuator/kvorum").then(a => a.json()), ask("actuator/prometheus").then(a => a.text())]);
    if (!slots || slots.epoch !== state.epoch) {
      slots = await ask("console/slots").then(a => a.json());
      drawSlots();
    }
    showState(state);
    showLoad(meters);
    $("trouble").hidden = true;
  } catch (failure) {
    $("trouble").textContent = failure instanceof Rejection
      ? "This node shows its state to observers only: enter the token of one below."
      : `This node does not answer (${failure.message}); what is shown below is old.`;
    $("trouble").hidden = false;
  }
}

// One look after the other, and none while nobody sees them.
async function run() {
  if (!document.hidden) await poll();
  setTimeout(run, POLL_MILLIS);
}

async function describe(answer) {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const etag = answer.headers.get("etag");
  const lines = [`${answer.status}${etag ? " version " + etag : ""}`];
  const text = new TextDecoder().decode(bytes.slice(0, VALUE_SHOWN));
  if ((answer.headers.get("content-type") ?? "").includes("problem+json")) {
    const problem = JSON.parse(new TextDecoder().decode(bytes));
    lines.push(`${problem.title}: ${problem.detail}`);
    for (const [replica, word] of Object.entries(problem.replicas ?? {})) lines.push(`  ${replica}: ${word}`);
  } else if (answer.status === 200) {
    lines.push(text + (bytes.length > VALUE_SHOWN ? `\n… ${bytes.length} bytes in all` : ""));
  }
  return lines.join("\n");
}

function showCopies(replicas) {
  $("copies").hidden = !replicas;
  $("copies").tBodies[0].replaceChildren(...(replicas ?? []).map(copy => row([
    [copy.member + (copy.read ? "" : " (written only)")],
    [copy.record, copy.version || copy.record === "absent" ? "" : "bad"],
    [copy.version ?? "–"],
    [copy.written ?? "–"],
    [copy.bytes ?? "–", "number"],
    [copy.checksum ?? "–"],
  ])));
}

// The form shows what is stored, to be changed and put again; not bytes that text would garble.
async function fillForm(answer) {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (answer.status !== 200) return;
  $("type").value = answer.headers.get("kvorum-value-type") ?? "";
  try {
    $("value").value = new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch {
    $("value").value = "";
  }
}

// Of the user, if one is given; needed where nodes have a file of users.
function credentials() {
  return $("token").value ? {authorization: `Bearer ${$("token").value}`} : {};
}

async function send(method) {
  const query = new URLSearchParams({id: $("key").value});
  for (const name of method === "PUT" ? ["ack", "from", "ttl"] : ["ack", "from"]) {
    if ($(name).value) query.set(name, $(name).value);
  }
  const explains = method === "EXPLAIN";
  const answer = await fetch(`console/${explains ? "explain" : "entity"}?${query}`, {
    method: explains ? "GET" : method, cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MILLIS),
    headers: {...credentials(), ...(method === "PUT" && $("type").value ? {"kvorum-value-type": $("type").value} : {})},
    body: method === "PUT" ? new TextEncoder().encode($("value").value) : undefined,
  });
  if (explains && answer.ok) {
    const report = await answer.json();
    showCopies(report.replicas);
    return `slot ${report.slot}, epoch ${report.epoch}\n${report.explanation}`;
  }
  if (method === "GET") await fillForm(answer.clone());
  return describe(answer);
}

$("form").addEventListener("submit", async event => {
  event.preventDefault();
  const method = event.submitter?.value ?? "GET";
  const key = $("key").value;
  if (method === "PUT" && !$("value").value && !confirm(`Store an empty value under ${key}?`)) return;
  const out = $("answer");
  out.textContent = "…";
  showCopies(null);
  try {
    out.textContent = `${method} ${key}\n${await send(method)}`;
  } catch (failure) {
    out.textContent = `No answer: ${failure.message}. A write may or may not be stored.`;
  }
});

let resume = null;

async function list() {
  const query = new URLSearchParams({prefix: $("prefix").value, format: "ndjson", values: "false", limit: KEYS_LISTED});
  if (resume) query.set("resume", resume);
  const answer = await fetch(`console/entities?${query}`, {
    headers: credentials(), cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MILLIS),
  });
  if (!answer.ok) throw new Error(await describe(answer));
  const records = (await answer.text()).split("\n").filter(line => line).map(line => JSON.parse(line));
  resume = records.length === KEYS_LISTED ? records[KEYS_LISTED - 1].resume : null;
  $("more").disabled = !resume;
  $("keys").append(...records.map(record => {
    const item = element("li"), open = element("button", record.key);
    open.type = "button";
    open.addEventListener("click", () => {
      $("key").value = record.key;
      $("form").requestSubmit($("form").querySelector("button[value=GET]"));
    });
    item.append(open, element("small", ` ${record.bytes.toLocaleString("en")} bytes`));
    return item;
  }));
  const shown = $("keys").childElementCount;
  $("listed").textContent = shown ? `${shown} keys${resume ? ", and more" : ""}` : "no such keys";
}

async function listOrSayWhyNot() {
  try {
    await list();
  } catch (failure) {
    $("listed").textContent = failure.message;
  }
}

$("browse").addEventListener("submit", event => {
  event.preventDefault();
  resume = null;
  $("keys").replaceChildren();
  listOrSayWhyNot();
});
$("more").addEventListener("click", listOrSayWhyNot);

run();
