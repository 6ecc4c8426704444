"""A proxy that troubles clients: every third request is rejected, every first range of a client is cut off.

flaky.py URL prints its own URL, and serves until it is stopped."""
import http.client
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

node = urllib.parse.urlsplit(sys.argv[1])
lock = threading.Lock()
requests = 0
cut = set()
PROBLEM = b'{"type":"urn:kvorum:problem:%s","title":"t","status":%d,"detail":"by the proxy","replicas":{}}'


def turn():
    global requests
    with lock:
        requests += 1
        return requests


class Flaky(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def reject(self, status, name, header=()):
        body = PROBLEM % (name, status)
        self.send_response(status)
        self.send_header("Content-Type", "application/problem+json")
        self.send_header("Content-Length", str(len(body)))
        for line in header:
            self.send_header(*line)
        self.end_headers()
        self.wfile.write(body)

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        number = turn()
        if number % 7 == 3:
            self.reject(503, b"overloaded", [("Retry-After", "1")])
            return
        if number % 7 == 5:
            self.reject(504, b"quorum-not-reached")
            return
        connection = http.client.HTTPConnection(node.hostname, node.port, timeout=20)
        headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "connection", "content-length", "transfer-encoding")}
        connection.request(self.command, self.path, body, headers)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        if self.path.startswith("/v0/entities") and response.status == 200:
            self.range(data)
            return
        if response.status != 304:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def range(self, data):
        """The first attempt ends after two records, the second in the middle of the next, the third with a reason."""
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        client = self.path.partition("end=")[2]
        with lock:
            attempt = sum(1 for name, _ in cut if name == client)
            cut.add((client, attempt))
        lines = data.splitlines(keepends=True)
        if attempt == 0:
            lines = lines[:2]
        elif attempt == 1:
            lines = [lines[0], lines[1][:20]]
        elif attempt == 2:
            lines = [lines[0], b'{"incomplete":"urn:kvorum:problem:quorum-not-reached","detail":"d","replicas":{}}\n']
        for line in lines:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        if attempt > 2:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.close_connection = True

    do_GET = do_PUT = do_DELETE = handle_any


server = ThreadingHTTPServer(("127.0.0.1", 0), Flaky)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
