"""Counts the samples of a key by the numbers in their attachments.

    count.py ENDPOINT KEY COUNT BYTES

Prints `{"ready": true}` once it subscribes, and after COUNT samples how many it `received`, how many numbers were
`missing` in between, how many samples were `short` of BYTES, and the `seconds` from the first to the last.
"""

import json
import sys
import threading
import time

import zenoh

from configuration import configuration
from wire import parse_attachment


class Counter:
    """Counts samples, on a thread of zenoh."""

    def __init__(self, count, length):
        self.count, self.length = count, length
        self.received, self.missing, self.short = 0, 0, 0
        self.last, self.began, self.seconds = None, 0.0, 0.0
        self.is_done = threading.Event()

    def __call__(self, sample):
        if self.is_done.is_set():
            return
        number = parse_attachment(sample.attachment).sequence
        now = time.monotonic()
        if self.last is None:
            self.began = now
        else:
            self.missing += number - self.last - 1
        self.last, self.seconds = number, now - self.began
        self.received += 1
        self.short += len(sample.payload) < self.length
        if self.received == self.count:
            self.is_done.set()

    def report(self):
        names = ("received", "missing", "short", "seconds")
        return {name: getattr(self, name) for name in names}


def main():
    endpoint, key, count, length = sys.argv[1:]
    counter = Counter(int(count), int(length))
    with zenoh.open(configuration("peer", [endpoint], ["tcp/127.0.0.1:0"])) as session:
        subscriber = session.declare_subscriber(key, counter)
        print('{"ready": true}', flush=True)
        counter.is_done.wait(90)
        subscriber.undeclare()
    print(json.dumps(counter.report()), flush=True)


main()
