"""Histograms that the nodes keep of requests, between two moments."""

import json
import math
import re
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass

from .measured import Unreadable

METRIC = "kvorum_requests_seconds"
_SAMPLE = re.compile(METRIC + r'_bucket\{(.*)\} ([0-9.eE+]+|NaN)(?: [0-9]+)?$')
_LABEL = re.compile(r'([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"')
_TIMEOUT_SECONDS = 10
ANSWER_BYTES_MAX = 16 * 1024 * 1024


@dataclass
class Histogram:
    """Counts by upper bound in seconds, the last one without a bound (infinity); not cumulative."""

    bounds: list
    counts: list

    @property
    def total(self):
        return sum(self.counts)

    @property
    def shares(self):
        return [count / self.total if self.total else 0 for count in self.counts]

    def quantile(self, wanted):
        """An estimate in microseconds, spread evenly within a bucket, as Prometheus makes it; None without requests."""
        rank, below, least = wanted * self.total, 0, 0.0
        if not self.total:
            return None
        for bound, count in zip(self.bounds, self.counts):
            if below + count >= rank and count:
                if math.isinf(bound):
                    return least * 1e6
                return (least + (bound - least) * (rank - below) / count) * 1e6
            below, least = below + count, bound if not math.isinf(bound) else least
        return least * 1e6


def scraped(text):
    """The buckets in a text of /actuator/prometheus: cumulative counts by all labels."""
    found = {}
    for line in text.splitlines():
        if sample := _SAMPLE.match(line):
            labels = tuple(sorted(_LABEL.findall(sample[1])))
            found[labels] = float(sample[2])
    return found


def between(before, after):
    """Counts between two scrapes of one node, by operation and upper bound, still cumulative."""
    grown = {}
    for labels, count in after.items():
        earlier = before.get(labels, 0)
        by = dict(labels)
        key = by.get("operation", "?"), _bound(by.get("le", "+Inf"))
        # A count that fell was reset by a restart of its node.
        grown[key] = grown.get(key, 0) + (count - earlier if count >= earlier else count)
    return grown


def _bound(text):
    return math.inf if text == "+Inf" else float(text)


def histograms(grown):
    """Histograms by operation, from cumulative counts of all nodes together; without operations that had no requests."""
    found = {}
    for operation in sorted({key[0] for key in grown}):
        bounds = sorted(bound for name, bound in grown if name == operation)
        counts, below = [], 0
        for bound in bounds:
            reached = max(grown[operation, bound], below)
            counts.append(reached - below)
            below = reached
        if below > 0 and math.isinf(bounds[-1]):
            found[operation] = Histogram(bounds, counts)
    return found


def of_client(spectrum, bounds):
    """A client's latencies in the same buckets: shares from the percentiles around each bound."""
    if not spectrum:
        return None
    reached = [_share(spectrum, bound * 1e6) for bound in bounds]
    return [here - before for before, here in zip([0.0] + reached, reached)]


def _share(spectrum, micros):
    if micros >= spectrum[-1][1]:
        return 1.0
    before = (0.0, 0.0)
    for percentile, value in spectrum:
        if value > micros:
            part = (micros - before[1]) / (value - before[1])
            return (before[0] + (percentile - before[0]) * part) / 100
        before = (percentile, value)
    return 1.0


def get(url, accept="*/*"):
    """The text at a URL, with bounds on time and size."""
    request = urllib.request.Request(url, headers={"Accept": accept})
    # Nodes and Prometheus are local: no proxy.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=_TIMEOUT_SECONDS) as answer:
        text = answer.read(ANSWER_BYTES_MAX + 1)
    if len(text) > ANSWER_BYTES_MAX:
        raise OSError(f"an answer of more than {ANSWER_BYTES_MAX} bytes")
    return text.decode("utf-8", "replace")


def ask_prometheus(url, cluster, namespace, run):
    """Sets the nodes' counts in a run's time span."""
    seconds = max(1, math.ceil(run.ended - run.started))
    matchers = [f"kvorum_cluster={json.dumps(cluster)}"] if cluster else []
    if namespace:
        # Or series without it, where scraping uses another name.
        matchers.append(f"namespace=~{json.dumps(namespace + '|')}")
    query = f"sum by (operation, le) (increase({METRIC}_bucket{{{','.join(matchers)}}}[{seconds}s]))"
    where = url.rstrip("/") + "/api/v1/query?" + urllib.parse.urlencode({"query": query, "time": run.ended})
    try:
        answer = json.loads(get(where))
        samples = answer["data"]["result"]
        grown = {
            (each["metric"].get("operation", "?"), _bound(each["metric"]["le"])): float(each["value"][1])
            for each in samples}
    except (OSError, ValueError, KeyError, TypeError) as why:
        raise Unreadable(f"{url}: expected a Prometheus that answers queries; {why}") from why
    run.server = histograms({key: count for key, count in grown.items() if count == count})
    run.reporters = "Prometheus"
