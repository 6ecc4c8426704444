"""Tests of the report's page: python3 loadtest/test/report_page.py."""

import html.parser
import http.server
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
LOADTEST = os.path.dirname(HERE)
sys.path.insert(0, LOADTEST)
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
from report_reading import RESULT, changed, load_test  # noqa: E402

FIXTURES = os.path.join(HERE, "fixtures")
BUCKET = 'kvorum_requests_seconds_bucket{operation="%s",le="%s"} %d\n'


class Outside(html.parser.HTMLParser):
    """All addresses in a page, and its tables' cells."""

    def __init__(self, text):
        super().__init__()
        self.addresses, self.cells = [], []
        self.within = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.addresses += [value for name, value in attrs if name in ("src", "href", "srcset", "action", "data")]
        self.within = tag in ("td", "th")

    def handle_data(self, text):
        if self.within:
            self.cells.append(text)


def run(tool, *arguments, **more):
    return subprocess.run([sys.executable, os.path.join(LOADTEST, tool), *arguments], capture_output=True, text=True,
                          timeout=120, check=False, **more)


class Page(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.out = os.path.join(self.folder, "page.html")

    def keep(self, name, found):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(found if isinstance(found, str) else json.dumps(found))
        return path

    def sweep_directory(self):
        """As loadtest/sweep leaves one: one node reported before and after, another only before."""
        steps = [{"rate": rate, "directory": f"0{i}-{rate}", "startedAt": "2026-01-01T00:00:00+00:00",
                  "endedAt": "2026-01-01T00:01:00+00:00", "exit": 0, "interrupted": i == 1} for i, rate in enumerate((1000, 2000, 3000))]
        self.keep("swept/settings.json", {
            "format": 1, "tool": "loadtest/sweep", "complete": False, "management": ["http://a", "http://b"], "steps": steps,
            "machine": {"cores": 2}, "nodes": [{"url": "http://a", "report": {"epoch": {"number": 7}}}]})
        self.keep("swept/00-1000/result.json", changed(offered=1000))
        with open(os.path.join(FIXTURES, "timeouts.txt"), encoding="utf-8") as file:
            self.keep("swept/01-2000/console.txt", file.read())
        self.keep("swept/00-1000/before-0.prom", "# a\n")
        self.keep("swept/00-1000/before-1.prom", "# b\n")
        self.keep("swept/00-1000/after-0.prom", "".join(BUCKET % ("put", le, count) for le, count in (("0.001", 10), ("0.0025", 90), ("+Inf", 90))))
        return os.path.join(self.folder, "swept")

    def page(self, *arguments):
        done = run("report", *arguments, "--out", self.out)
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", self.out + "\n"))
        with open(self.out, encoding="utf-8") as file:
            return file.read()

    def data(self, text):
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text)[1])


class Rendering(Page):
    def test_the_page_loads_nothing_external(self):
        text = self.page(self.sweep_directory(), "--against", os.path.join(FIXTURES, "spectrum.txt"))
        self.assertEqual(Outside(text).addresses, [])
        self.assertNotRegex(text, r"@import|url\(|fetch\(|XMLHttpRequest|import\(")
        self.assertIn("default-src 'none'", text)

    def test_the_summary_has_the_console_s_figures(self):
        cells = Outside(self.page(os.path.join(FIXTURES, "no-spectrum.txt"))).cells
        for shown in ("11447.64", "686838", "1.00m", "43.89MB", "write: 1, timeout: 46", "10.13ms", "370.94ms", "11.03s", "21.69s", "41.39s"):
            self.assertIn(shown, cells)
        cells = Outside(self.page(self.keep("one.json", RESULT))).cells
        for shown in ("2000", "1998.00", "119880", "9.27MB", "62.51ms", "0.89m", "503: 12, other: 2, write: 1, timeout: 83, (not found: 7)"):
            self.assertIn(shown, cells)

    def test_the_knee_and_its_bound_are_shown(self):
        path = self.keep("test.json", load_test([changed(), changed(offered=4000)], knee=2000))
        self.assertRegex(self.page(path), r"<b>2000/s</b><span>knee of sweep: [^<]* within 70.00ms<")
        self.assertRegex(self.page(path, "--p99-max", "1ms"), r"<b>none</b><span>knee of sweep: [^<]* within 1.00ms<")

    def test_two_sides_are_compared(self):
        ours = self.keep("a.json", changed())
        theirs = self.keep("b.json", changed(achieved=1000, latencyMicros={**RESULT["latencyMicros"], "99": 31257.5, "50": 1698}))
        text = self.page("--name", "new", ours, self.keep("c.json", changed(offered=9)), "--against", "--name", "old", theirs)
        ratios = re.findall(r'<td class="(\w*)"><b>(.*?)</b><small>(.*?)</small>', text)
        self.assertEqual(len(ratios), 7)
        self.assertEqual(ratios[0][:2], ("good", "2.00×"))
        self.assertEqual(ratios[1], ("good", "0.50×", "849.00us / 1.70ms"))
        self.assertEqual(ratios[3][:2], ("worse", "2.00×"))
        self.assertIn("<title>new against old</title>", text)
        self.assertIn("<td>Load: workload</td><td>mixed</td><td>put</td>", self.page(ours, "--against", self.keep("p.json", changed(workload="put"))))
        self.assertEqual([sweep["side"] for sweep in self.data(text)["sweeps"]], [0, 1])

    def test_an_incomplete_sweep_is_marked_and_shows_the_nodes_side(self):
        text = self.page(self.sweep_directory())
        for said in ("3000/s was not measured.", "The sweep did not complete.", "Rates in italics", "1 of 2 nodes", "epoch.number"):
            self.assertIn(said, text)
        [card] = self.data(text)["bars"]
        self.assertEqual((card["title"], card["bounds"]), ("1000/s · put", [0.001, 0.0025, None]))
        client, server = card["series"]
        self.assertEqual((server["shares"], server["count"], client["p99"]), ([1 / 9, 8 / 9, 0], 90, "62.51ms"))
        self.assertIsNone(self.data(text)["sweeps"][0]["knee"], "1000 was not met, and 2000 was cut short")

    def test_input_is_escaped_as_text(self):
        evil = "</script><script>alert(1)</script>"
        text = self.page("--name", evil, self.keep("x.json", changed(workload=evil, errors={"status": {evil: 1}})))
        self.assertNotIn("<script>alert", text)

    def test_flame_graphs_are_links(self):
        self.keep("profile/put-cpu.html", "x")
        text = self.page(self.keep("one.json", RESULT), "--profile", os.path.join(self.folder, "profile"))
        self.assertEqual(Outside(text).addresses, ["profile/put-cpu.html"])

    def test_make_passes_every_option_on(self):
        given = {"RESULTS": "a b", "RESULTS_NAME": "x y", "AGAINST": "c", "AGAINST_NAME": "z", "OUT": "o", "P99_MAX": "20ms",
                 "PROMETHEUS": "http://p:9090", "PROFILE": "d"}
        command = ["make", "-n", "report", *(f"{name}={value}" for name, value in given.items())]
        done = subprocess.run(command, cwd=os.path.dirname(LOADTEST), capture_output=True, text=True, timeout=120, check=True)
        self.assertEqual(shlex.split(done.stdout.replace("\\\n", "")), shlex.split(
            "loadtest/report a b --name 'x y' --out o --p99-max 20ms --prometheus http://p:9090 --profile d --against --name z c"))

    def test_what_cannot_be_read_leaves_no_page(self):
        for arguments, message in (([os.path.join(self.folder, "no")], "expected a result JSON"), ([], "no INPUT"),
                                ([self.keep("a.json", RESULT), "--against"], "no INPUT after --against"),
                                ([self.keep("a.json", RESULT), "--profile", "/nowhere"], "flame graphs"),
                                ([self.keep("a.json", RESULT), "--prometheus", "http://127.0.0.1:9"], "when it ran"),
                                ([self.keep("a.json", RESULT), "--p99-max", "5"], "no time such as 50ms")):
            with self.subTest(message):
                done = run("report", *arguments, "--out", self.out)
                self.assertEqual(done.returncode, 2)
                self.assertIn(message, done.stderr)
                self.assertFalse(os.path.exists(self.out))


class Missing(Page):
    def test_a_sweep_without_a_wrk2(self):
        done = run("sweep", "--out", self.out, env={"PATH": "/usr/bin:/bin", "WRK2": "/bin/true"})
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^sweep: no wrk2: build it .* and set WRK2=.*\n$")

    def test_a_report_of_nothing(self):
        done = run("report")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^report: no INPUT: .*`make report RESULTS=target/sweep/.*\n$")


class Prometheus(Page):
    def serve(self, answer):
        asked = []

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps(answer).encode())

            def log_message(self, *_):
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}", asked

    def test_buckets_of_each_rate_s_time(self):
        samples = [{"metric": {"operation": "put", "le": le}, "value": [0, value]} for le, value in (("0.001", "5"), ("+Inf", "10"))]
        url, asked = self.serve({"data": {"result": samples}})
        timed = changed(startedAt="2026-01-01T00:00:00Z", endedAt="2026-01-01T00:03:00Z")
        text = self.page(self.keep("test.json", load_test([timed])), "--prometheus", url)
        self.assertEqual(self.data(text)["bars"][0]["series"][1]["shares"], [0.5, 0.5])
        self.assertEqual(len(asked), 1)
        self.assertIn("%5B180s%5D", asked[0])
        self.assertIn("kvorum_cluster%3D%22one%22", asked[0])
        self.assertIn("namespace%3D~%22here%7C%22", asked[0])
        self.assertIn("time=1767225780", asked[0])

    def test_a_server_other_than_prometheus(self):
        url, _ = self.serve({"hello": 1})
        timed = changed(startedAt="2026-01-01T00:00:00Z", endedAt="2026-01-01T00:03:00Z")
        done = run("report", self.keep("test.json", load_test([timed])), "--prometheus", url)
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected a Prometheus", done.stderr)


BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


if not BROWSER:
    print("skipped: no Chromium")


@unittest.skipUnless(BROWSER, "no Chromium")
class Browser(Page):
    # A reader changes the scale, hides a line and inspects values.
    READER = """<script>
const before = document.querySelector("figure path.line").getAttribute("d");
document.querySelector("[data-scale=linear]").click();
const after = document.querySelector("figure path.line").getAttribute("d");
document.querySelector(".legend button").click();
const svg = document.querySelector("figure svg"), left = svg.getBoundingClientRect().left;
svg.dispatchEvent(new PointerEvent("pointermove", { clientX: left + 300, clientY: 10, bubbles: true }));
document.body.append(element("output", {}, JSON.stringify({ moved: before !== after,
  lines: document.querySelectorAll("figure[data-chart=tail] path.line").length, tip: document.querySelector(".tip").textContent })));
</script>"""

    def dom(self):
        command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.folder}/chromium", "--enable-logging=stderr",
                   "--dump-dom", "file://" + self.out]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        self.assertNotIn(":CONSOLE", done.stderr, "nothing is written to the console, errors least of all")
        return done.stdout

    def test_scale_legend_and_pointer_answer(self):
        text = self.page(self.keep("a.json", changed()), self.keep("b.json", changed(offered=4000)))
        with open(self.out, "w", encoding="utf-8") as file:
            file.write(text.replace("</body>", self.READER + "</body>"))
        seen = json.loads(re.search("<output>(.*?)</output>", self.dom())[1])
        self.assertTrue(seen["moved"])
        self.assertEqual(seen["lines"], 1)
        self.assertRegex(seen["tip"], r"^[0-9.]+ %4000/s  [0-9.]+ (us|ms|s)$")

    def test_charts_are_drawn_without_an_error(self):
        compared = os.path.join(FIXTURES, "spectrum.txt")
        self.page(self.sweep_directory(), "--against", "2000:" + compared)
        dom = self.dom()
        for chart, lines in (("tail", 3), ("p99", 2), ("achieved", 2)):
            drawn = re.search(rf'<figure data-chart="{chart}">.*?</figure>', dom, re.DOTALL)[0]
            self.assertEqual(len(re.findall(r'<path class="line[^"]*" d="M[0-9]', drawn)), lines, chart)
            self.assertNotIn("NaN", drawn)
        self.assertGreater(len(re.findall(r'<rect [^>]*height="[1-9]', dom)), 2)


if __name__ == "__main__":
    unittest.main()
