"""Where results are read from, recognised by their content."""

import json
import os
import re
from datetime import datetime

from . import buckets, console, figures
from .measured import PERCENTILES, P99_MAX_MICROS, Run, Sweep, Unreadable

EXPECTED = (
    "expected a result JSON of the scripts (format 1), a KvorumLoadTest or a list of them from kubectl -o json, wrk2's"
    " console output, or a directory of loadtest/sweep")
_BYTES_MAX = 64 * 1024 * 1024
RUNS_MAX = 100
_ASKED = ("workload", "connections", "threads", "keys", "valueBytesMin", "valueBytesMax", "ack", "from", "gets",
          "skew", "records")


def read_all(paths, name):
    """The sweeps of one side: single results together are one."""
    sweeps, loose = [], []
    for path in paths:
        found = _read(path)
        if isinstance(found, list):
            loose.extend(found)
        else:
            sweeps.extend(found[0])
    if loose:
        settings = {}
        if loose[0].asked:
            settings["Load"] = list(loose[0].asked.items())
        sweeps.insert(0, Sweep(name or os.path.basename(loose[0].source), loose, settings=settings))
    if sum(len(sweep.runs) for sweep in sweeps) > RUNS_MAX:
        raise Unreadable(f"more than {RUNS_MAX} rates: a page of fewer can be read")
    if name:
        for sweep in sweeps:
            sweep.name = name if len(sweeps) == 1 else f"{name}, {sweep.name}"
    return sweeps


def _read(path):
    """A list of runs, or a tuple of one list of sweeps."""
    offered = None
    if not os.path.exists(path) and (said := re.match(r"([0-9]{1,9}):(.+)$", path)):
        offered, path = int(said[1]), said[2]
    if os.path.isdir(path):
        return ([_directory(path)],)
    text = _text(path)
    if console.looks_like(text) and not text.lstrip().startswith("{"):
        runs = console.read(text, path)
        for run in runs:
            run.offered = run.offered if offered is None else offered
        return runs
    if offered is not None:
        raise Unreadable(f"{path}: a rate before the name is for wrk2's console output, which has none")
    found = _json(text, path)
    if found.get("kind") == "KvorumLoadTest" or isinstance(found.get("items"), list):
        return (_objects(found, path),)
    return [result(found, path)]


def _text(path):
    try:
        with open(path, "rb") as file:
            data = file.read(_BYTES_MAX + 1)
    except OSError as why:
        raise Unreadable(f"{path}: cannot be read ({why.strerror}); {EXPECTED}") from why
    if len(data) > _BYTES_MAX:
        raise Unreadable(f"{path}: larger than {_BYTES_MAX} bytes; {EXPECTED}")
    if not data.strip():
        raise Unreadable(f"{path}: empty; {EXPECTED}")
    return data.decode("utf-8", "replace")


def _json(text, path):
    try:
        found = json.loads(text)
    except ValueError as why:
        raise Unreadable(f"{path}: not readable; {EXPECTED}") from why
    if not isinstance(found, dict):
        raise Unreadable(f"{path}: JSON, but no object; {EXPECTED}")
    return found


def _number(found, name, path, default=...):
    value = found.get(name)
    if value is None and default is not ...:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 2**63:
        raise Unreadable(f"{path}: '{name}' must be a number from 0 on, not {json.dumps(value)[:40]}; {EXPECTED}")
    return value


def result(found, path):
    """A run from a result JSON of the scripts."""
    if found.get("format") != 1:
        kind = f" of format {json.dumps(found['format'])[:20]}" if "format" in found else ""
        raise Unreadable(f"{path}: JSON{kind}, but no result of format 1; {EXPECTED}")
    return _measured(found, path)


def _measured(found, path):
    latency, errors, spectrum = found.get("latencyMicros"), found.get("errors"), found.get("spectrum")
    if not isinstance(latency, dict) or not isinstance(errors, dict) or not isinstance(spectrum, list):
        raise Unreadable(f"{path}: a result without latencyMicros, errors or spectrum; {EXPECTED}")
    names = (*PERCENTILES, "mean", "stdev", "max", "min", "count")
    points = [_point(point, path) for point in spectrum]
    if points != sorted(points):
        raise Unreadable(f"{path}: its spectrum does not ascend; {EXPECTED}")
    offered = _number(found, "offered", path)
    return Run(
        source=path, offered=int(offered), achieved=_number(found, "achieved", path),
        requests=int(_number(found, "requests", path)),
        micros=round(_number(found, "seconds", path) * 1_000_000), bytes=_number(found, "bytes", path),
        latency={name: _number(latency, name, path, None) for name in names},
        spectrum=points, errors=_errors(errors, path), not_found=int(_number(found, "notFound", path, 0)),
        workload=str(found["workload"])[:40] if found.get("workload") else None,
        started=_moment(found.get("startedAt")), ended=_moment(found.get("endedAt")),
        asked={name: str(found[name])[:40] for name in _ASKED if found.get(name) is not None})


def _point(point, path):
    if not isinstance(point, list) or len(point) != 2:
        raise Unreadable(f"{path}: its spectrum must be pairs of a percentile and a latency; {EXPECTED}")
    named = dict(zip(("percentile", "latency"), point))
    return _number(named, "percentile", path), _number(named, "latency", path)


def _errors(found, path):
    by_status = found.get("status") or {}
    if not isinstance(by_status, dict):
        raise Unreadable(f"{path}: 'errors.status' must be an object; {EXPECTED}")
    counts = {str(status)[:20]: _number(by_status, status, path) for status in by_status}
    for kind in ("connect", "read", "write", "timeout"):
        counts[kind] = _number(found, kind, path, 0)
    return {kind: int(count) for kind, count in counts.items() if count}


def _moment(text):
    try:
        return datetime.fromisoformat(str(text).replace("Z", "+00:00")).timestamp() if text else None
    except ValueError:
        return None


def _objects(found, path):
    objects = found.get("items") if found.get("kind") != "KvorumLoadTest" else [found]
    objects = [each for each in objects if isinstance(each, dict)]
    tests = [each for each in objects if each.get("kind") == "KvorumLoadTest"]
    clusters = {_named(each): each for each in objects if each.get("kind") == "KvorumCluster"}
    sweeps = [_object(each, clusters, path) for each in tests if (each.get("status") or {}).get("results")]
    if not tests:
        raise Unreadable(f"{path}: a list without a KvorumLoadTest; {EXPECTED}")
    if not sweeps:
        raise Unreadable(f"{path}: no KvorumLoadTest in it has a result yet (status.results)")
    return sweeps


def _named(found, name=None):
    metadata = found.get("metadata") or {}
    return metadata.get("namespace"), name or metadata.get("name")


def _object(found, clusters, path):
    spec, status, name = found.get("spec") or {}, found["status"], _named(found)[1] or path
    runs = [_measured(each, f"{path} ({name})") for each in status["results"] if isinstance(each, dict)]
    for run in runs:
        run.workload = run.workload or spec.get("workload")
    try:
        bound = figures.read_time(spec["p99Max"]) if "p99Max" in spec else P99_MAX_MICROS
    except (TypeError, ValueError) as why:
        raise Unreadable(f"{path} ({name}): spec.p99Max: {why}") from why
    settings = {"KvorumLoadTest": _flat({key: spec[key] for key in spec if key not in ("pod", "resources")})}
    settings["KvorumLoadTest"] += _flat({key: status[key] for key in ("phase", "startedAt", "endedAt") if key in status})
    if cluster := clusters.get(_named(found, spec.get("cluster"))):
        settings["KvorumCluster"] = _flat(cluster.get("spec") or {})
    phase = status.get("phase")
    notes = [] if phase == "Complete" else [f"It is not complete: its phase is {phase}."]
    where = _named(found)[0]
    return Sweep(name, runs, bound, status.get("knee"), phase == "Complete", settings, spec.get("cluster"), where, notes)


def _flat(value, name=""):
    """Pairs of a dotted name and a text."""
    if isinstance(value, dict):
        return [pair for key, each in value.items() for pair in _flat(each, f"{name}.{key}" if name else str(key))]
    if isinstance(value, list) and not any(isinstance(each, (dict, list)) for each in value):
        value = ", ".join(str(each) for each in value)
    return [(name, value if isinstance(value, str) else json.dumps(value))]


def _directory(path):
    where = os.path.join(path, "settings.json")
    if not os.path.isfile(where):
        raise Unreadable(f"{path}: a directory without settings.json; {EXPECTED}")
    settings = _json(_text(where), where)
    steps = [step for step in settings.get("steps") or [] if isinstance(step, dict)]
    if settings.get("format") != 1 or settings.get("tool") != "loadtest/sweep":
        raise Unreadable(f"{where}: not written by loadtest/sweep in format 1; {EXPECTED}")
    runs, notes = [], []
    for step in steps:
        run = _step(path, step, len(settings.get("management") or []))
        if run:
            runs.append(run)
        else:
            notes.append(f"{step.get('rate')}/s was not measured.")
    if not runs:
        raise Unreadable(f"{path}: a sweep that measured no rate")
    if not settings.get("complete"):
        notes.append("The sweep did not complete.")
    shown = {key: settings[key] for key in settings if key not in ("steps", "nodes", "machine", "format", "complete")}
    headings = {"Sweep": _flat(shown), "Machine": _flat(settings.get("machine") or {})}
    for node in settings.get("nodes") or []:
        headings[f"Node at {node.get('url')}"] = _flat(node.get("report") or {"error": node.get("error")})
    return Sweep(os.path.basename(os.path.normpath(path)), runs, settings=headings, notes=notes)


def _step(path, step, nodes):
    folder = os.path.join(path, os.path.basename(str(step.get("directory"))))
    kept, said = os.path.join(folder, "result.json"), os.path.join(folder, "console.txt")
    if os.path.isfile(kept) and os.path.getsize(kept):
        run = result(_json(_text(kept), kept), kept)
    elif os.path.isfile(said) and os.path.getsize(said) and "Requests/sec" in _text(said):
        run = console.read(_text(said), said)[0]
        run.offered = step.get("rate")
    else:
        return None
    run.started, run.ended = _moment(step.get("startedAt")), _moment(step.get("endedAt"))
    run.cut_short = bool(step.get("interrupted")) or step.get("exit") != 0
    _counted(run, folder, nodes)
    return run


def _counted(run, folder, nodes):
    """Only nodes that answered before and after the rate are counted."""
    grown, reported = {}, 0
    for i in range(nodes):
        pair = [os.path.join(folder, f"{when}-{i}.prom") for when in ("before", "after")]
        if all(map(os.path.isfile, pair)):
            reported += 1
            for key, count in buckets.between(*(buckets.scraped(_text(each)) for each in pair)).items():
                grown[key] = grown.get(key, 0) + count
    run.server = buckets.histograms(grown)
    run.reporters = f"{reported} of {nodes} nodes"
