"""Measurements: runs of one rate each, and sweeps of them."""

from dataclasses import dataclass, field
from typing import Optional

from . import figures

# The percentiles that wrk2's console shows.
PERCENTILES = ("50", "75", "90", "99", "99.9", "99.99", "99.999", "100")
P99_MAX_MICROS = 50_000.0
# A rate is met when this share of it is answered: the operator's rule.
MET = 0.99


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
        p99 = self.latency.get("99")
        return (
            self.offered is not None
            and not self.cut_short
            and p99 is not None
            and self.achieved >= MET * self.offered
            and p99 <= p99_max_micros
        )


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
        """The highest rate offered that was met; None where there is none."""
        if self.knee_reported:
            return self.told_knee
        return max((run.offered for run in self.runs if run.met(self.p99_max_micros)), default=None)
