"""Measurements: runs of one rate each, and sweeps of them."""

from dataclasses import dataclass, field
from typing import Optional

from . import figures

# The percentiles that wrk2's console shows.
PERCENTILES = ("50", "75", "90", "99", "99.9", "99.99", "99.999", "100")
P99_MAX_MICROS = 50_000.0
# A rate is met when this share of it is answered: the operator's rule.
MET = 0.99
# The longest wait in a queue that leaves out a share of the requests is about that share of the run's time. Below this
# part of it there was no queue.
QUEUED = 0.5
# wrk2 calibrates for ten seconds, whose latencies it drops; its connections and threads start meanwhile.
SHORT_SECONDS = 60


class Unreadable(Exception):
    """An invalid input; the text is for the user."""


@dataclass
class Run:
    """The result of one rate."""

    source: str
    offered: Optional[int]
    achieved: float
    requests: int
    micros: Optional[int]
    bytes: Optional[float]
    # By percentile, and `mean stdev max count`; None where nothing was answered.
    latency: dict
    # Pairs of a percentile and its latency in microseconds, ascending.
    spectrum: list
    # By kind: a status, or `connect read write timeout`; what is 0 is left out.
    errors: dict
    not_found: int = 0
    workload: Optional[str] = None
    # The console's text, if this was read from one.
    shown: dict = field(default_factory=dict)
    # Seconds since 1970.
    started: Optional[float] = None
    ended: Optional[float] = None
    # Ended before its time: it does not count for the knee.
    cut_short: bool = False
    # The nodes' counts during the run, by operation; and which nodes reported.
    server: dict = field(default_factory=dict)
    reporters: str = ""
    asked: dict = field(default_factory=dict)

    def text(self, name):
        """A figure as wrk2's console shows it."""
        if name in self.shown:
            return self.shown[name]
        if name == "achieved":
            return figures.rate(self.requests, self.micros)
        if name == "seconds":
            return figures.time(self.micros)
        if name == "bytes":
            return figures.binary(self.bytes)
        return figures.time(self.latency.get(name))

    @property
    def label(self):
        """The rate in a word; wrk2's console does not show the offered rate."""
        return f"{self.offered}/s" if self.offered is not None else f"≈{self.achieved:.0f}/s"

    @property
    def rate(self):
        """What to sort and to compare by."""
        return self.offered if self.offered is not None else round(self.achieved)

    def met(self, p99_max_micros):
        """Whether the rate was answered with p99 in bounds."""
        return self._judged and self._in_time(p99_max_micros) and self.achieved >= MET * self.offered

    def missed(self, p99_max_micros):
        """Whether the rate was too much: answers came too late, or requests queued up."""
        return self._judged and not self.met(p99_max_micros) and not self.unsent(p99_max_micros)

    def unsent(self, p99_max_micros):
        """Whether wrk2 did not send the whole rate, while what it sent was answered in time: that is no queue of the nodes,
        since the largest latency, which counts from when a request was due, has no room for one."""
        largest = self.latency.get("max") or self.latency.get("100")
        if not self._judged or not self._in_time(p99_max_micros) or self.achieved >= MET * self.offered:
            return False
        if largest is None or not self.micros or any(kind in self.errors for kind in ("connect", "read", "write", "timeout")):
            return False
        return largest < QUEUED * self.micros * (1 - self.achieved / self.offered)

    @property
    def _judged(self):
        return bool(self.offered) and not self.cut_short

    def _in_time(self, p99_max_micros):
        p99 = self.latency.get("99")
        return p99 is not None and p99 <= p99_max_micros


@dataclass
class Sweep:
    """Runs that belong together, by ascending rate."""

    name: str
    runs: list
    p99_max_micros: float = P99_MAX_MICROS
    # The operator's own, if it has reported one; whether it has.
    told_knee: Optional[int] = None
    knee_reported: bool = False
    # Pairs of a name and a text, by heading.
    settings: dict = field(default_factory=dict)
    # The nodes' name for their cluster, and the namespace that it is in.
    cluster: Optional[str] = None
    namespace: Optional[str] = None
    notes: list = field(default_factory=list)

    def __post_init__(self):
        self.runs = sorted(self.runs, key=lambda run: run.rate)

    def bound(self, p99_max_micros):
        """Sets another bound than the sweep's own."""
        self.p99_max_micros = p99_max_micros
        self.knee_reported = False

    @property
    def knee(self):
        """The highest rate offered that was met below one that was missed; None where there is none."""
        if self.knee_reported:
            return self.told_knee
        highest = self.highest_met
        above = highest is not None and any(
            run.missed(self.p99_max_micros) for run in self.runs if run.offered is not None and run.offered > highest)
        return highest if above else None

    @property
    def highest_met(self):
        """The highest rate offered that was met, whether or not there was more to be had; None where there is none."""
        return max((run.offered for run in self.runs if run.met(self.p99_max_micros)), default=None)

    @property
    def warnings(self):
        """What a reader of the knee has to know, in sentences."""
        found = []
        if self.knee is None and not self.knee_reported:
            if self.highest_met is not None:
                found.append(f"No knee was found: {self.highest_met}/s was met and no higher rate was too much. Offer more.")
            elif any(run.offered is None for run in self.runs):
                found.append("Without the offered rates there is no knee: give them as in 2000:FILE.")
        for run in self.runs:
            if run.unsent(self.p99_max_micros):
                found.append(
                    f"wrk2 did not send all of {run.label}: {run.achieved:.0f}/s were answered, the slowest in"
                    f" {figures.short_time(run.latency.get('max') or run.latency.get('100'))}, so nothing queued. Measure longer"
                    " or with more threads.")
        short = [run for run in self.runs if run.micros and run.micros < 0.99 * SHORT_SECONDS * 1_000_000 and not run.cut_short]
        if short:
            seconds = min(run.micros for run in short) / 1_000_000
            found.append(f"Runs of {seconds:.0f} s are short: wrk2 drops what it measures in its first 10 s. Take {SHORT_SECONDS} s.")
        return found
