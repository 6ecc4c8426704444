"""Two sides of a page: which of their rates correspond, and by how much they differ."""

from .figures import NONE

# Differ between any two.
_TIMES = ("startedAt", "endedAt", "loadAverage")
# The compared figures; for latencies, the suffixes of wrk2's names.
FIGURES = ("achieved", "50", "90", "99", "99.9", "99.99", "max")


def pairs(ours, theirs):
    """Pairs of runs of two sides that had the same rate, and the same workload where both state theirs."""
    left = [run for sweep in theirs for run in sweep.runs]
    found = []
    for run in (run for sweep in ours for run in sweep.runs):
        other = next((each for each in left if _alike(run, each)), None)
        if other:
            left.remove(other)
            found.append((run, other))
    return found


def _alike(run, other):
    if run.workload and other.workload and run.workload != other.workload:
        return False
    if run.offered is None or other.offered is None:
        # wrk2's console does not show the offered rate: the achieved one has to be close.
        return abs(run.achieved - other.achieved) <= 0.02 * max(run.achieved, other.achieved)
    return run.offered == other.offered


def ratio(run, other, figure):
    """The first's figure as a multiple of the second's; None where there is none."""
    values = [each.achieved if figure == "achieved" else each.latency.get(figure) for each in (run, other)]
    if values[0] is None or not values[1]:
        return None
    return values[0] / values[1]


def settings(ours, theirs):
    """Rows of settings that differ, if each side is one sweep: its name and both texts."""
    if len(ours) != 1 or len(theirs) != 1:
        return []
    one, other = ({(heading, name): text for heading, pairs in side[0].settings.items() for name, text in pairs}
                  for side in (ours, theirs))
    return [(f"{key[0]}: {key[1]}", one.get(key, NONE), other.get(key, NONE))
            for key in dict.fromkeys([*one, *other])
            if one.get(key) != other.get(key) and key[1] not in _TIMES and not key[0].startswith("Node at")]
