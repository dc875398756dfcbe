"""Counts the images of a camera of a scene that does not move, in a process that does nothing else.

    images.py ENDPOINT KEY COUNT

Prints `ready` once it subscribes, and after COUNT images what arrived as JSON. Images are compared as raw bytes.
"""

import json
import struct
import sys
import threading
import time

import zenoh

from configuration import configuration
from wire import parse_attachment

# After the encapsulation: seconds, nanoseconds, and the length of the name of the frame.
STAMP_AT = 4


def look_at(image):
    """Time of an image in nanoseconds, and the bytes after its header."""
    seconds, nanoseconds, length = struct.unpack_from("<iII", image, STAMP_AT)
    return seconds * 1_000_000_000 + nanoseconds, image[STAMP_AT + 12 + length :]


class Viewer:
    """Looks at images, on a thread of zenoh."""

    def __init__(self, count):
        self.count, self.stamps, self.times = count, [], []
        self.content, self.different = None, 0
        self.is_done = threading.Event()

    def __call__(self, sample):
        if self.is_done.is_set():
            return
        parse_attachment(sample.attachment)
        stamp, body = look_at(sample.payload.to_bytes())
        self.stamps.append(stamp)
        self.times.append(time.monotonic())
        self.content = self.content or body
        self.different += body != self.content
        if len(self.stamps) == self.count:
            self.is_done.set()

    def report(self):
        seconds = self.times[-1] - self.times[0] if self.times else 0
        size = len(self.content or b"")
        return {"stamps": self.stamps, "different": self.different, "seconds": seconds, "bytes": size}


def main():
    endpoint, key, count = sys.argv[1:]
    viewer = Viewer(int(count))
    with zenoh.open(configuration("peer", [endpoint], ["tcp/127.0.0.1:0"])) as session:
        subscriber = session.declare_subscriber(key, viewer)
        print("ready", flush=True)
        viewer.is_done.wait(90)
        subscriber.undeclare()
    print(json.dumps(viewer.report()), flush=True)


main()
