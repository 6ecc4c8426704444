"""A client of Kvorum with Python's standard library alone (3.9 or newer)."""
import base64
import http.client
import json
import os
import random
import time
import urllib.parse
import uuid


class Unknown(Exception):
    """A write may or may not be stored."""


def lines(response):
    """The lines of a stream. `for line in response` would take one that is cut off for a complete one."""
    rest = b""
    while chunk := response.read1(65536):  # raises IncompleteRead without the last chunk
        *complete, rest = (rest + chunk).split(b"\n")
        yield from complete


class Kvorum:
    def __init__(self, url, deadline=30.0):
        self.address = urllib.parse.urlsplit(url)
        self.deadline = deadline

    def send(self, method, path, body=None, headers=None, repeat=True):
        """One request with its retries; `repeat`: whether an unknown write is sent again."""
        end = time.monotonic() + self.deadline
        pause = 0.05
        while True:
            failure, wait = None, pause * random.uniform(0.5, 1.5)
            connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=10)
            try:
                connection.request(method, path, body, headers or {})
                response = connection.getresponse()
                if response.status not in (408, 500, 503, 504):
                    return response, connection
                failure = f"{response.status} {response.read().decode()}"
                wait = float(response.headers.get("Retry-After", wait))
                unknown = response.status in (500, 504)
            except (OSError, http.client.HTTPException) as error:
                failure, unknown = repr(error), True
            connection.close()
            if unknown and not repeat:
                raise Unknown(failure)
            if time.monotonic() + wait > end:
                raise Unknown(failure) if unknown and method in ("PUT", "DELETE") else TimeoutError(failure)
            time.sleep(wait)
            pause = min(2 * pause, 5)

    def entity(self, method, key, body=None, headers=None, repeat=True, **parameters):
        path = "/v0/entity?" + urllib.parse.urlencode({"id": key, **parameters})
        response, connection = self.send(method, path, body, headers, repeat)
        try:
            data = response.read()
        finally:
            connection.close()
        if response.status >= 400 and response.status != 404:
            raise ValueError(f"{response.status} {data.decode()}")
        return response.status, response.headers.get("ETag"), data

    def put(self, key, value, **options):
        return self.entity("PUT", key, value, **options)[1]

    def get(self, key, known=None):
        """(version, value); (known, None) if it has not changed; (None, None) if there is none."""
        headers = {"If-None-Match": known} if known else {}
        status, version, value = self.entity("GET", key, headers=headers)
        return (None, None) if status == 404 else (version, None if status == 304 else value)

    def delete(self, key, **options):
        self.entity("DELETE", key, **options)

    def range(self, start, end=None, attempts=10):
        """All (key, value) from start to end, resumed where a stream ends early."""
        position = {"start": start}
        for attempt in range(attempts):
            path = "/v0/entities?" + urllib.parse.urlencode({**position, **({"end": end} if end else {})})
            response, connection = self.send("GET", path, headers={"Accept": "application/x-ndjson"})
            try:
                if response.status != 200:
                    raise ValueError(f"{response.status} {response.read().decode()}")
                complete = True
                for line in lines(response):
                    record = json.loads(line)
                    if "incomplete" in record:
                        complete = False
                        break
                    position = {"resume": record["resume"]}
                    yield record["key"], base64.b64decode(record["value"])
                if complete:
                    return
            except (OSError, http.client.HTTPException):
                pass  # the connection ended before the last chunk
            finally:
                connection.close()
            time.sleep(0.1 * 2**attempt)
        raise TimeoutError("the range stays incomplete")


if __name__ == "__main__":
    kvorum = Kvorum(os.environ.get("KVORUM_URL", "http://localhost:8080"))
    prefix = f"python:{uuid.uuid4()}:"
    key = prefix + "grün & co"
    value = f"from {os.getpid()}, write 1".encode()

    version = kvorum.put(key, value)
    assert kvorum.get(key) == (version, value)
    assert kvorum.get(key, known=version) == (version, None)

    # A write that is not repeated: after Unknown a read that returns the value proves that it is stored.
    try:
        kvorum.put(key, value + b" again", repeat=False)
    except Unknown:
        stored = kvorum.get(key)[1] == value + b" again"
        print("stored" if stored else "still unknown")

    for i in range(5):
        kvorum.put(f"{prefix}n{i}", str(i).encode())
    found = list(kvorum.range(prefix + "n", prefix + "o"))
    assert found == [(f"{prefix}n{i}", str(i).encode()) for i in range(5)], found

    for name in [key] + [k for k, _ in found]:
        kvorum.delete(name)
    assert kvorum.get(key) == (None, None)
    print("python: ok")
