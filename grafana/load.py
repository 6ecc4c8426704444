"""A client that asks a cluster for everything the dashboards show, at a steady rate: load.py <seconds> <rate> <url> …

Most requests are sound; some are wrong, some ask all three replicas, some are ranges, so that every outcome has its series.
"""

import http.client
import random
import sys
import threading
import time
import urllib.parse

THREADS_PER_NODE = 3
KEYS = 2000
TIMEOUT_SECONDS = 5


def request(dice):
    """(method, path, body): what is asked next."""
    key = f"k{int(dice.paretovariate(0.6)) % KEYS:05}"
    value = dice.randbytes(dice.choice((60, 400, 4000)))
    one = f"/v0/entity?id={key}"
    kinds = [
        (45, ("GET", one, None)),
        (5, ("HEAD", one, None)),
        (33, ("PUT", one, value)),
        (4, ("PUT", f"{one}&ack=3&from=3", value)),
        (2, ("PUT", f"{one}x&ttl=5000", value)),
        (5, ("DELETE", one, None)),
        (3, ("GET", f"/v0/entities?start={key}&limit=50", None)),
        (1, ("GET", f"{one}&ack=4&from=3", None)),
        (1, ("GET", "/v0/entity", None)),
        (1, ("POST", one, b"")),
    ]
    return dice.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])[0]


def ask(url, rate, until, seed):
    dice = random.Random(seed)
    place = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=TIMEOUT_SECONDS)
    due = time.monotonic()
    while time.monotonic() < until:
        due += dice.expovariate(rate)
        time.sleep(max(0, due - time.monotonic()))
        # What could not be asked in time is not made up for: this is no benchmark.
        due = max(due, time.monotonic() - 1)
        try:
            connection.request(*request(dice))
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            connection.close()
            time.sleep(0.2)


def main(seconds, rate, *urls):
    until = time.monotonic() + float(seconds)
    each = float(rate) / len(urls) / THREADS_PER_NODE
    threads = [
        threading.Thread(target=ask, args=(url, each, until, seed * 100 + number), daemon=True)
        for seed, url in enumerate(urls)
        for number in range(THREADS_PER_NODE)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
