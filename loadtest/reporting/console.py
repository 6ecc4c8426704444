"""wrk2's plain console output, with or without the detailed percentile spectrum."""

import re

from . import figures
from .measured import PERCENTILES, Run, Unreadable

_SPECTRUM = re.compile(r"\s*([0-9.]+)\s+([01]\.[0-9]+)\s+([0-9]+)(?:\s+(?:[0-9.]+|inf))?\s*$")
_PERCENTILE = re.compile(r"\s*([0-9]+\.[0-9]{3})%\s+([0-9.]+[a-z]+)\s*$")
_LATENCY = re.compile(r"\s*Latency\s+([0-9.]+[a-z]+)\s+([0-9.]+[a-z]+)\s+([0-9.]+[a-z]+)\s+[0-9.]+%\s*$")
_REQUESTS = re.compile(r"\s*([0-9]+) requests in ([0-9.]+[a-z]+), ([0-9.]+[A-Z]+) read\s*$")
_SOCKET = re.compile(r"\s*Socket errors: connect ([0-9]+), read ([0-9]+), write ([0-9]+), timeout ([0-9]+)\s*$")
# wrk2 does not print its arguments, but a saved output often includes the command.
_COMMAND = re.compile(r"\bwrk2?\b.*\s(?:-R\s*|--rate[= ]\s*)([0-9]+)([kKM]?)\b")
_METRIC = {"": 1, "k": 1000, "K": 1000, "M": 1_000_000}
_LABELS = {f"{float(name):.3f}": name for name in PERCENTILES}


def looks_like(text):
    """Whether a text is wrk2's, or wrk's: only its beginning is checked."""
    return re.search(r"^\s*Running .* test @ ", text, re.MULTILINE) is not None


def read(text, source):
    """All runs of a text, in their order."""
    parts = re.split(r"^(?=\s*Running .* test @ )", text, flags=re.MULTILINE)
    runs = []
    for before, part in zip(parts, parts[1:]):
        # A split keeps the lines before a run, its command among them, at the end of the part before.
        runs.append(_run(part, _offered(before), source))
    return runs


def _offered(before):
    found = _COMMAND.findall(before)
    return int(found[-1][0]) * _METRIC[found[-1][1]] if found else None


def _run(text, offered, source):
    if "Uncorrected Latency" in text and "Recorded Latency" not in text:
        raise Unreadable(f"{source}: only uncorrected latencies; run wrk2 with -L")
    # With -U there is a second distribution, of what is not corrected for coordinated omission.
    corrected = re.split(r"HdrHistogram - Uncorrected Latency", text)[0]
    shown, latency = _distribution(corrected, source)
    run = Run(
        source=source, offered=offered, achieved=0, requests=0, micros=None, bytes=None,
        latency=latency, spectrum=_spectrum(corrected), errors={}, shown=shown)
    _totals(run, text)
    if not run.spectrum:
        run.spectrum = [(float(name), latency[name]) for name in PERCENTILES if name in latency]
    return run


def _distribution(text, source):
    shown, latency = {}, {}
    for line in text.splitlines():
        if found := _PERCENTILE.match(line):
            if found[1] in _LABELS:
                shown.setdefault(_LABELS[found[1]], found[2])
        elif found := _LATENCY.match(line):
            shown.update(mean=found[1], stdev=found[2])
            # Some builds show the 99th percentile in the place of the maximum.
            shown["max" if re.search(r"Avg\s+Stdev\s+Max", text) else "99"] = found[3]
    if "99" not in shown or "50" not in shown:
        raise Unreadable(
            f"{source}: wrk2's console output without its latency distribution; expected the lines from 50.000% to"
            " 100.000%, which wrk2 prints with -L")
    for name, text_shown in shown.items():
        latency[name] = figures.read_time(text_shown)
    latency.setdefault("max", latency.get("100"))
    if "max" not in shown and "100" in shown:
        shown["max"] = shown["100"]
    if found := re.search(r"Total count\s*=\s*([0-9]+)", text):
        latency["count"] = int(found[1])
    return shown, latency


def _spectrum(text):
    points = []
    for line in text.splitlines():
        if found := _SPECTRUM.match(line):
            points.append((float(found[2]) * 100, float(found[1]) * 1000))
    return points


def _totals(run, text):
    requests = per_second = None
    for line in text.splitlines():
        if found := _REQUESTS.match(line):
            requests = run.requests = int(found[1])
            run.shown.update(seconds=found[2], bytes=found[3])
            run.micros = round(figures.read_time(found[2]))
            run.bytes = figures.read_binary(found[3])
        elif found := _SOCKET.match(line):
            kinds = zip(("connect", "read", "write", "timeout"), found.groups())
            run.errors.update({kind: int(count) for kind, count in kinds if int(count)})
        elif found := re.match(r"\s*Non-2xx or 3xx responses: ([0-9]+)\s*$", line):
            run.errors["non-2xx"] = int(found[1])
        elif found := re.match(r"\s*Requests/sec:\s+([0-9.]+)\s*$", line):
            per_second = run.shown["achieved"] = found[1]
    if requests is None or per_second is None:
        raise Unreadable(
            f"{run.source}: wrk2's console output is cut off; expected '… requests in …' and 'Requests/sec:' at its end")
    run.achieved = float(per_second)
