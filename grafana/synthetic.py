"""Made-up series of an operator and a load test, for where there is none: synthetic.py <port>

They have the names and labels of docs/metrics.md, for a cluster kvorum in the namespace default, and grow as time passes.
"""

import http.server
import math
import sys
import time

STARTED = time.monotonic()
BEGAN = time.time()
CLUSTER = 'namespace="default",kvorum_cluster="kvorum"'
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1)
STEP_SECONDS = 10
STEPS = 5
BEFORE_SECONDS = 5
# Kinds of steps by the seconds after which each is taken again.
OPERATOR_STEPS = {"PutObject": 50, "NextEpoch": 30, "ScaleStatefulSet": 80, "RestartPod": 100}


def operator(seconds):
    looks = 10 + seconds / 2
    for bucket in BUCKETS:
        yield f'kvorum_operator_reconciliations_seconds_bucket{{le="{bucket}"}}', looks * (1 - math.exp(-bucket / 0.03))
    yield 'kvorum_operator_reconciliations_seconds_bucket{le="+Inf"}', looks
    yield "kvorum_operator_reconciliations_seconds_count", looks
    yield "kvorum_operator_reconciliations_seconds_sum", looks * 0.03
    yield "kvorum_operator_failures_total", seconds // 60
    yield "kvorum_operator_conflicts_total", seconds // 45
    yield "kvorum_operator_leader", 1
    changing = 60 < seconds < 120
    for step, every in OPERATOR_STEPS.items():
        yield f'kvorum_operator_steps_total{{step="{step}"}}', 3 + seconds // every
    yield f"kvorum_operator_cluster_members{{{CLUSTER}}}", 3 if seconds < 70 else 4
    yield f"kvorum_operator_cluster_members_wanted{{{CLUSTER}}}", 3 if seconds < 60 else 4
    yield f"kvorum_operator_cluster_epoch{{{CLUSTER}}}", 1 + min(3, max(0, (seconds - 60) // 20))
    yield f"kvorum_operator_cluster_left_volumes{{{CLUSTER}}}", 1 if seconds < 70 else 0
    yield f"kvorum_operator_cluster_left_bytes{{{CLUSTER}}}", 10 * 2**30 if seconds < 70 else 0
    yield f"kvorum_operator_cluster_ready{{{CLUSTER}}}", 0 if changing else 1
    yield f"kvorum_operator_cluster_degraded{{{CLUSTER}}}", 1 if 125 < seconds < 140 else 0
    yield f"kvorum_operator_cluster_progressing{{{CLUSTER}}}", 1 if changing else 0
    schedule = f'{CLUSTER},schedule="nightly"'
    yield f"kvorum_operator_backup_completed_timestamp_seconds{{{schedule}}}", BEGAN - 3600
    yield f"kvorum_operator_backup_overdue{{{schedule}}}", 0
    yield f"kvorum_operator_backup_verified_timestamp_seconds{{{schedule}}}", BEGAN - 86400
    yield f"kvorum_operator_backup_verification_failed{{{schedule}}}", 0


def loadtest(seconds):
    test = f'namespace="default",loadtest="sweep",kvorum_cluster="kvorum"'
    done = min(STEPS, int(max(0, seconds + STEP_SECONDS - BEFORE_SECONDS) // STEP_SECONDS))
    yield f"kvorum_loadtest_running{{{test}}}", 1 if done < STEPS else 0
    for step in range(done):
        labels = f'{test},step="{step}"'
        offered = 200 * (step + 1)
        achieved = min(offered, 880)
        late = 1 if achieved == offered else 40
        yield f"kvorum_loadtest_offered_rate{{{labels}}}", offered
        yield f"kvorum_loadtest_achieved_rate{{{labels}}}", achieved * 0.998
        yield f"kvorum_loadtest_requests{{{labels}}}", achieved * STEP_SECONDS
        yield f"kvorum_loadtest_errors{{{labels}}}", 0 if late == 1 else 37
        for quantile, times in ((0.5, 1), (0.9, 2.2), (0.99, 6), (0.999, 15), (0.9999, 24), (0.99999, 31)):
            latency = 0.002 * times * (1 + step * 0.3) * late
            yield f'kvorum_loadtest_latency_seconds{{{labels},quantile="{quantile}"}}', latency
    if done == STEPS:
        yield f"kvorum_loadtest_knee_rate{{{test}}}", 800


class Metrics(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        seconds = time.monotonic() - STARTED
        lines = [f"{series} {value:.12g}" for made in (operator, loadtest) for series, value in made(seconds)]
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.end_headers()
        self.wfile.write(("\n".join(lines) + "\n").encode())

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Metrics).serve_forever()
