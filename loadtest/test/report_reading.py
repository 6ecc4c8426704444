"""Tests of the report's inputs and number formats: python3 loadtest/test/report_reading.py."""

import copy
import importlib.machinery
import importlib.util
import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.dont_write_bytecode = True
from reporting import buckets, figures, inputs  # noqa: E402
from reporting.measured import Unreadable  # noqa: E402

FIXTURES = os.path.join(HERE, "fixtures")
# File: achieved, requests, time, read, avg, stdev, max, 50 %, 99 %, 99.999 %, 100 %, points of the spectrum, errors.
CONSOLES = {
    "spectrum": ("10000.68", 1200024, "2.00m", "76.68MB", "0.85ms", "0.98ms", "52.70ms", "782.00us", "3.10ms",
                 "44.03ms", "52.74ms", {}),
    "timeouts": ("976.58", 117190, "2.00m", "9.27MB", "1.01ms", "563.34us", "19.73ms", "0.96ms", "2.26ms", "19.30ms",
                 "19.74ms", {"timeout": 83}),
    "non-2xx": ("999.92", 119992, "2.00m", "9.46MB", "1.27ms", "493.58us", "14.74ms", "1.26ms", "2.38ms", "14.53ms",
                "14.74ms", {"non-2xx": 4569}),
    "gigabytes": ("5000.36", 299989, "1.00m", "1.55GB", "3.07ms", "756.91us", "20.77ms", "3.02ms", "4.82ms",
                  "20.16ms", "20.78ms", {}),
    # Its Thread Stats have the 99th percentile in the place of the maximum.
    "no-spectrum": ("11447.64", 686838, "1.00m", "43.89MB", "70.03ms", "251.92ms", "41.39s", "10.13ms", "370.94ms",
                    "21.69s", "41.39s", {"write": 1, "timeout": 46}),
    "minutes": ("5589.85", 335391, "1.00m", "52.45MB", "30.72s", "12.51s", "0.89m", "30.29s", "0.88m", "0.89m",
                "0.89m", {"timeout": 5, "non-2xx": 60}),
}
RESULT = {
    "format": 1, "tool": "wrk2", "workload": "mixed", "offered": 2000, "achieved": 1998.0, "seconds": 60.0,
    "connections": 64, "threads": 2, "keys": 1000, "valueBytesMin": 100, "valueBytesMax": 100, "ack": None, "from": None,
    "gets": 50, "skew": None, "records": None, "requests": 119880, "bytes": 9720299, "notFound": 7,
    "latencyMicros": {"count": 100000, "50": 849, "75": 850, "90": 1125, "99": 62515, "99.9": 94545, "99.99": 949725,
                      "99.999": 1000000, "100": 53400000, "min": 90, "max": 53399999, "mean": 820.27, "stdev": 627.35},
    "errors": {"status": {"503": 12, "other": 2}, "connect": 0, "read": 0, "write": 1, "timeout": 83},
    "spectrum": [[0, 90], [50, 849], [75, 850], [99, 62515], [100, 53400000]],
}


def changed(**changes):
    return {**copy.deepcopy(RESULT), **changes}


def load_test(runs, phase="Complete", **status):
    return {
        "kind": "KvorumLoadTest", "metadata": {"namespace": "here", "name": "sweep"},
        "spec": {"cluster": "one", "workload": "put", "rates": [run["offered"] for run in runs], "p99Max": "70ms",
                 "valueBytes": "100-200"},
        "status": {"phase": phase, "results": runs, **status}}


class Reading(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def keep(self, found, name="input"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(found if isinstance(found, str) else json.dumps(found))
        return path

    def read(self, found):
        return inputs.read_all([self.keep(found)], None)

    def fixture(self, name):
        with open(os.path.join(FIXTURES, name + ".txt"), encoding="utf-8") as file:
            return file.read()


class Consoles(Reading):
    def test_every_figure_is_the_console_s(self):
        for name, wanted in CONSOLES.items():
            with self.subTest(name):
                [sweep] = inputs.read_all([os.path.join(FIXTURES, name + ".txt")], None)
                [run] = sweep.runs
                texts = [run.text(each) for each in ("seconds", "bytes", "mean", "stdev", "max", "50", "99", "99.999", "100")]
                self.assertEqual((run.text("achieved"), run.requests, *texts, run.errors), wanted)
                self.assertIsNone(run.offered)
                self.assertIsNone(sweep.knee)

    def test_the_spectrum_is_read_where_there_is_one(self):
        [run] = self.read(self.fixture("spectrum"))[0].runs
        self.assertEqual(run.spectrum[0], (0.0, 50.0))
        self.assertEqual(run.spectrum[-1][0], 100.0)
        self.assertIn((50.0, 782.0), run.spectrum)
        self.assertEqual(run.latency["count"], 1099866)
        self.assertGreater(len(run.spectrum), 100)
        [run] = self.read(self.fixture("no-spectrum"))[0].runs
        self.assertEqual(run.spectrum[3:5], [(99.0, 370940.0), (99.9, 439040.0)])

    def test_the_uncorrected_latencies_of_u_are_left_alone(self):
        text = self.fixture("spectrum")
        second = text[text.index("  Latency Distribution"):text.index("-----")]
        second = second.replace("Recorded Latency", "Uncorrected Latency (measured)").replace("782.00us", "111.00us")
        at = text.index("  1200024 requests")
        [run] = self.read(text[:at] + "\n" + second + "----\n" + text[at:])[0].runs
        self.assertEqual(run.text("50"), "782.00us")
        self.assertEqual(len(run.spectrum), len(self.read(text)[0].runs[0].spectrum))

    def test_several_runs_in_one_file_have_their_commands(self):
        text = "$ wrk2 -t4 -c64 -d1m -R12k -L http://localhost/\n" + self.fixture("no-spectrum")
        text += "$ wrk -t4 -c64 -d2m --rate 1000 -L http://localhost/\n" + self.fixture("timeouts")
        [sweep] = self.read(text)
        self.assertEqual([run.offered for run in sweep.runs], [1000, 12000])
        self.assertEqual([run.text("99") for run in sweep.runs], ["2.26ms", "370.94ms"])

    def test_a_rate_can_be_given(self):
        path = self.keep(self.fixture("spectrum"))
        [sweep] = inputs.read_all([f"10000:{path}"], "A")
        self.assertEqual((sweep.name, sweep.runs[0].offered, sweep.highest_met, sweep.knee), ("A", 10000, 10000, None))


class Results(Reading):
    def test_figures_are_written_as_wrk2_writes_them(self):
        [run] = self.read(RESULT)[0].runs
        # A double would make 62.52ms, 94.55ms and 949.73ms of three of these.
        wanted = {"achieved": "1998.00", "seconds": "1.00m", "bytes": "9.27MB", "50": "849.00us", "75": "0.85ms", "90": "1.12ms",
                  "99": "62.51ms", "99.9": "94.54ms", "99.99": "949.72ms", "99.999": "1.00s", "100": "0.89m", "max": "0.89m",
                  "mean": "820.27us", "stdev": "627.35us"}
        self.assertEqual({name: run.text(name) for name in wanted}, wanted)
        self.assertEqual(run.errors, {"503": 12, "other": 2, "write": 1, "timeout": 83})
        self.assertEqual((run.offered, run.not_found), (2000, 7))

    def test_rates_half_way_between_two_are_the_console_s(self):
        # Shown so by a C program with wrk2's arithmetic; with longer seconds each would be the other neighbour.
        shown = ((18843, 1_600_000, "11776.87"), (1455120, 1_203_200_000, "1209.37"), (592224, 30_720_000, "19278.13"),
                 (312268, 60_160_000, "5190.63"), (1495728, 240_640_000, "6215.63"))
        self.assertEqual([figures.rate(requests, micros) for requests, micros, _ in shown], [text for *_, text in shown])

    def test_nothing_answered_is_readable(self):
        silent = {name: None for name in RESULT["latencyMicros"]}
        silent["count"] = 0
        [sweep] = self.read(changed(latencyMicros=silent, spectrum=[], achieved=0, requests=0))
        self.assertEqual((sweep.runs[0].text("99"), sweep.runs[0].text("achieved"), sweep.knee), ("–", "0.00", None))

    def test_short_times(self):
        self.assertEqual([figures.short_time(each) for each in (None, 250, 999.7, 1234, 2_500_000)],
                         ["–", "250 us", "1 ms", "1.23 ms", "2.5 s"])

    def test_results_of_one_side_are_one_sweep(self):
        paths = [self.keep(changed(offered=rate), str(rate) + ".json") for rate in (4000, 1000)]
        [sweep] = inputs.read_all(paths, None)
        self.assertEqual([run.offered for run in sweep.runs], [1000, 4000])


class LoadTests(Reading):
    def test_the_operator_s_knee_and_bound_are_taken(self):
        [sweep] = self.read(load_test([changed(), changed(offered=4000)], knee=4000))
        self.assertEqual((sweep.name, sweep.knee, sweep.p99_max_micros, sweep.cluster), ("sweep", 4000, 70000, "one"))
        self.assertIn(("valueBytes", "100-200"), sweep.settings["KvorumLoadTest"])
        sweep.bound(62514)
        self.assertIsNone(sweep.knee)

    def test_one_that_is_complete_without_a_knee_has_none(self):
        self.assertIsNone(self.read(load_test([changed()]))[0].knee)

    def test_one_that_runs_has_the_knee_so_far(self):
        [sweep] = self.read(load_test([changed()], phase="Running"))
        self.assertEqual((sweep.highest_met, sweep.notes), (2000, ["It is not complete: its phase is Running."]))

    def test_a_list_may_have_the_clusters_as_well(self):
        cluster = {"kind": "KvorumCluster", "metadata": {"namespace": "here", "name": "one"}, "spec": {"replicas": 5}}
        waiting = load_test([], phase="Waiting")
        [sweep] = self.read({"kind": "List", "items": [waiting, cluster, load_test([changed()])]})
        self.assertEqual(sweep.settings["KvorumCluster"], [("replicas", "5")])


class Knees(Reading):
    def sweep(self, *runs, largest=RESULT["latencyMicros"]["max"], **more):
        paths = [self.keep(changed(offered=offered, achieved=achieved, **more,
                                   latencyMicros={**RESULT["latencyMicros"], "99": p99, "max": largest}),
                           f"{offered}.json") for offered, achieved, p99 in runs]
        return inputs.read_all(paths, None)[0]

    def knee(self, *runs):
        return self.sweep(*runs).knee

    def test_the_highest_rate_that_was_met(self):
        self.assertEqual(self.knee((1000, 1000, 900), (2000, 1980, 50000), (4000, 3959, 900), (8000, 8000, 50001)), 2000)

    def test_a_rate_above_one_that_was_missed_still_counts(self):
        self.assertEqual(self.knee((1000, 900, 900), (2000, 2000, 900), (4000, 3000, 900)), 2000)

    def test_without_a_rate_that_was_too_much_there_is_none(self):
        sweep = self.sweep((1000, 1000, 900), (2000, 2000, 900))
        self.assertEqual((sweep.highest_met, sweep.knee), (2000, None))
        self.assertEqual(sweep.warnings, ["No knee was found: 2000/s was met and no higher rate was too much. Offer more."])

    def test_what_wrk2_did_not_send_is_no_queue(self):
        # In a minute, 5 % of the requests wait for three seconds at its end.
        errors = {"status": {"404": 3}}
        sweep = self.sweep((500, 500, 5000), (2000, 1900, 5900), largest=12_000, errors=errors)
        self.assertEqual(sweep.knee, None)
        self.assertIn("wrk2 did not send all of 2000/s: 1900/s were answered, the slowest in 12 ms, so nothing queued."
                      " Measure longer or with more threads.", sweep.warnings)
        for queued in ({"largest": 2_900_000, "errors": errors}, {"largest": 12_000, "errors": {"timeout": 1}}):
            with self.subTest(queued):
                self.assertEqual(self.sweep((500, 500, 5000), (2000, 1900, 5900), **queued).knee, 500)

    def test_short_runs_are_warned_of(self):
        self.assertIn("Runs of 30 s are short: wrk2 drops what it measures in its first 10 s. Take 60 s.",
                      self.sweep((500, 500, 5000), seconds=30.0).warnings)

    def test_none(self):
        self.assertIsNone(self.knee((1000, 989, 900), (2000, 2000, 60000)))


class Progress(Reading):
    def test_a_rate_s_result_is_told_in_words(self):
        loader = importlib.machinery.SourceFileLoader("sweep", os.path.join(os.path.dirname(HERE), "sweep"))
        sweep = importlib.util.module_from_spec(importlib.util.spec_from_loader("sweep", loader))
        loader.exec_module(sweep)
        kept, missing = self.keep(RESULT), os.path.join(self.folder, "missing")
        self.assertEqual(sweep.summary(kept, ""), "1998/s answered, p50 849 us, p99 62.5 ms, max 53.4 s,"
                                                  " errors: 12 503, 2 other, 1 write, 83 timeout")
        self.assertEqual(sweep.summary(missing, self.fixture("spectrum")),
                         "10001/s answered, p50 782 us, p99 3.1 ms, max 52.7 ms, errors: none")
        self.assertEqual(sweep.summary(missing, "unable to connect\n"), "unable to connect")


class Rejected(Reading):
    def rejected(self, path, *parts):
        with self.assertRaises(Unreadable) as why:
            inputs.read_all([path], None)
        text = str(why.exception)
        for part in (os.path.basename(path.split(":")[-1]), *parts):
            self.assertIn(part, text)
        self.assertNotIn("\n", text)

    def test_every_unreadable_input_is_named_with_what_was_expected(self):
        console = self.fixture("timeouts")
        for name, found, message in (
                ("empty", " \n", "empty"), ("words", "hello", "expected a result JSON"), ("half.json", '{"format":1', "not readable"),
                ("array.json", "[1]", "no object"), ("other.json", {"format": 2}, "format 2"), ("pod.json", {"kind": "Pod"}, "format 1"),
                ("cut.txt", console[:console.index("requests in")], "cut off"),
                ("no-l.txt", console[:console.index("  Latency Dist")] + console[console.index("  117190"):], "-L"),
                ("waiting.json", load_test([], "Waiting"), "no KvorumLoadTest in it has a result"),
                ("list.json", {"kind": "List", "items": []}, "without a KvorumLoadTest"),
                ("bound.json", {**load_test([changed()]), "spec": {"p99Max": "soon"}}, "p99Max"),
                ("text.json", changed(achieved="many"), "'achieved'"), ("less.json", changed(requests=-1), "'requests'"),
                ("bool.json", changed(offered=True), "'offered'"), ("none.json", changed(latencyMicros=None), "latencyMicros"),
                ("spectrum.json", changed(spectrum=[[50]]), "pairs"), ("order.json", changed(spectrum=[[50, 9], [10, 1]]), "ascend"),
                ("errors.json", changed(errors={"status": {"503": "x"}}), "'503'")):
            with self.subTest(name):
                self.rejected(self.keep(found, name), message)

    def test_missing_inputs_and_directories_without_a_sweep(self):
        self.rejected(os.path.join(self.folder, "missing.json"), "cannot be read")
        self.rejected(self.folder, "without settings.json")
        self.rejected("2000:" + self.keep(RESULT), "a rate before the name")
        os.mkdir(os.path.join(self.folder, "sweep"))
        self.keep({"format": 1, "tool": "loadtest/sweep", "steps": []}, "sweep/settings.json")
        self.rejected(os.path.join(self.folder, "sweep"), "measured no rate")

    def test_more_rates_than_a_page_can_show(self):
        with self.assertRaises(Unreadable):
            self.read(load_test([changed(offered=rate) for rate in range(1, 102)]))


class Buckets(unittest.TestCase):
    BEFORE = """kvorum_requests_seconds_bucket{kvorum_cluster="c",member="a",operation="get",outcome="found",result="ok",le="0.001"} 10
kvorum_requests_seconds_bucket{kvorum_cluster="c",member="a",operation="get",outcome="found",result="ok",le="0.01"} 10
kvorum_requests_seconds_bucket{kvorum_cluster="c",member="a",operation="get",outcome="found",result="ok",le="+Inf"} 10
kvorum_requests_seconds_count{kvorum_cluster="c",member="a",operation="get",outcome="found",result="ok"} 10
"""

    def test_what_was_counted_between_two_scrapes(self):
        after = self.BEFORE.replace('1"} 10', '1"} 60').replace('f"} 10', 'f"} 110')
        found = buckets.histograms(buckets.between(buckets.scraped(self.BEFORE), buckets.scraped(after)))
        self.assertEqual(found["get"].counts, [50, 0, 50])

    def test_a_restarted_node_counts_from_zero(self):
        after = self.BEFORE.replace('1"} 10', '1"} 3').replace('f"} 10', 'f"} 4')
        found = buckets.histograms(buckets.between(buckets.scraped(self.BEFORE), buckets.scraped(after)))
        self.assertEqual(found["get"].total, 4)

    def test_estimates_are_prometheus_s(self):
        histogram = buckets.Histogram([0.001, 0.01, float("inf")], [50, 50, 0])
        self.assertAlmostEqual(histogram.quantile(0.5), 1000)
        self.assertAlmostEqual(histogram.quantile(0.99), 9820)
        self.assertAlmostEqual(buckets.Histogram([0.001, float("inf")], [1, 9]).quantile(0.99), 1000)
        self.assertIsNone(buckets.Histogram([0.001, float("inf")], [0, 0]).quantile(0.5))

    def test_a_client_s_latencies_in_the_same_buckets(self):
        shares = buckets.of_client([(0, 500), (50, 1000), (100, 20000)], [0.00025, 0.001, 0.0105, float("inf")])
        for share, wanted in zip(shares, (0.0, 0.5, 0.25, 0.25)):
            self.assertAlmostEqual(share, wanted)


if __name__ == "__main__":
    unittest.main()
