"""Tests of sweeps with a real wrk2: WRK2=<path> python3 loadtest/test/report_sweep.py."""

import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
LOADTEST = os.path.dirname(HERE)
sys.path.insert(0, LOADTEST)
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
from report_page import Outside, Page, run  # noqa: E402
from reporting import console, inputs  # noqa: E402

WAIT_SECONDS = 60


class Node(http.server.BaseHTTPRequestHandler):
    """Counts stored requests like a node; every read misses."""

    protocol_version = "HTTP/1.1"

    def answer(self, status, text=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_PUT(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.stored += 1
        self.server.asked.set()
        self.answer(201)

    def do_GET(self):
        if self.path == "/actuator/kvorum":
            self.answer(200, b'{"epoch": 7}')
        elif self.path == "/actuator/prometheus":
            labels = 'kvorum_requests_seconds_bucket{operation="put",le="%s"} %d\n'
            self.answer(200, "".join(labels % (le, self.server.stored) for le in ("0.001", "+Inf")).encode() + b"jvm_threads 7\n")
        else:
            self.answer(404)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Node)
        self.stored, self.asked = 0, threading.Event()

    def handle_error(self, *_):
        # wrk2 ends with its connections open.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(*_)


class Swept(Page):
    def setUp(self):
        super().setUp()
        self.server = Server()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.swept = os.path.join(self.folder, "swept")

    def read(self, *path):
        with open(os.path.join(self.swept, *path), encoding="utf-8") as file:
            return file.read()

    def test_a_sweep_and_its_report_agree_with_wrk2_s_console(self):
        done = run("sweep", "--rates", "50,100", "--seconds", "3", "--connections", "4", "--fill", "--url", self.url,
                   "--management", self.url + ",http://127.0.0.1:9", "--out", self.swept, "--", "100", "10-20")
        self.assertEqual((done.returncode, done.stdout), (0, self.swept + "\n"), done.stderr)
        text = self.page(self.swept)
        cells = Outside(text).cells
        for step in ("00-50", "01-100"):
            [said] = console.read(self.read(step, "console.txt"), step)
            [result] = inputs.read_all([os.path.join(self.swept, step, "result.json")], None)[0].runs
            self.assertEqual(said.offered, int(step[3:]))
            self.assertEqual(len(said.shown), 14)
            for name, shown in said.shown.items():
                self.assertEqual(result.text(name), shown, name)
                self.assertIn(shown, cells)
        settings = json.loads(self.read("settings.json"))
        self.assertTrue(settings["complete"] and settings["filled"])
        self.assertEqual(settings["machine"]["cores"], os.cpu_count())
        self.assertEqual(settings["nodes"][0]["report"], {"epoch": 7})
        self.assertIn("error", settings["nodes"][1])
        self.assertNotIn("jvm", self.read("01-100", "after-0.prom"))
        [first, second] = self.data(text)["bars"]
        self.assertEqual((first["title"], second["title"]), ("50/s · put", "100/s · put"))
        self.assertIn("1 of 2 nodes", text)
        counted = sum(card["series"][-1]["count"] for card in (first, second))
        filled = int(self.read("00-50", "before-0.prom").split()[-1])
        self.assertGreaterEqual(filled, 100)
        self.assertEqual(counted, self.server.stored - filled)

    def test_an_error_is_one_line(self):
        short = ("--seconds", "2", "--management", "", "--out", self.swept)
        for arguments, code, message in (
                (("--rates", "2,1"), 2, "ascending"), (("--seconds", "1"), 2, "from 2 to"), (("--management", "a"), 2, "URLs"),
                (("--threads", "9", "--connections", "8"), 2, "at least"), (("--out", HERE), 2, "not empty"),
                ((*short, "--url", "http://127.0.0.1:9"), 1, "unable to connect"),
                ((*short[:-1], self.swept + "-2", "--url", self.url, "--", "0"), 1, "keys must be")):
            with self.subTest(message):
                done = run("sweep", *arguments)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(message, done.stderr.splitlines()[-1])

    def test_ctrl_c_leaves_a_directory_that_can_be_read(self):
        command = [sys.executable, os.path.join(LOADTEST, "sweep"), "--rates", "50,100", "--seconds", "60", "--connections", "4",
                   "--url", self.url, "--management", "", "--out", self.swept]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        self.assertTrue(self.server.asked.wait(WAIT_SECONDS))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(WAIT_SECONDS), 130)
        self.assertEqual(len(json.loads(self.read("settings.json"))["steps"]), 1)
        text = self.page(self.swept)
        self.assertIn("The sweep did not complete.", text)
        self.assertIn("Rates in italics were cut short.", text)


# The tests of the page are imported with their class; they have run elsewhere.
def load_tests(loader, _tests, _pattern):
    return loader.loadTestsFromTestCase(Swept)


if __name__ == "__main__":
    unittest.main()
