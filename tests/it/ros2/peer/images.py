"""Counts the images of a camera of a scene that does not move, in a process that does nothing else.

    images.py DOMAIN TOPIC COUNT RELIABLE FOLDER...      the folders hold `.msg` texts

Prints `ready` once it is subscribed; then, after COUNT images or half a minute without one, what arrived as JSON.
Images are compared as raw bytes: a list of millions of numbers takes longer to make than the period of the images.
"""

import json
import pathlib
import struct
import sys
import time

from cyclonedds._clayer import ddspy_take

from node import ALL, NEW, Node, quality
from shapes import Shapes
from texts import Texts

PATIENCE = 30.0
# After the encapsulation: seconds, nanoseconds, and the length of the name of the frame.
STAMP_AT = 4


def look_at(image):
    """Time of an image in nanoseconds, and the bytes after its header."""
    seconds, nanoseconds, length = struct.unpack_from("<iII", image, STAMP_AT)
    return seconds * 1_000_000_000 + nanoseconds, image[STAMP_AT + 12 + length :]


def main():
    domain, topic, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    folders = [pathlib.Path(__file__).parent / "texts", *sys.argv[5:]]
    node = Node(domain, Shapes(Texts(folders)))
    # Waiting images must not be overwritten.
    qos = quality(reliable=sys.argv[4] == "true", depth=10 * count)
    reader, _ = node.reader(topic, node.shapes.struct("sensor_msgs/msg/Image"), qos)
    print("ready", flush=True)
    stamps, different, content, last, first = [], 0, None, time.monotonic(), None
    # Wall time: the deadline of a poll, whose caller reports the failure.
    while len(stamps) < count and time.monotonic() < last + PATIENCE:
        node.wait(0.1)
        for image, info in ddspy_take(reader._ref, NEW, ALL):  # pylint: disable=protected-access
            if not info.valid_data:
                continue
            last = time.monotonic()
            first = first or last
            stamp, body = look_at(image)
            content = content or body
            stamps.append(stamp)
            different += body != content
    seconds = last - first if stamps else 0
    size = len(content) if content else 0
    print(json.dumps({"stamps": stamps, "different": different, "seconds": seconds, "bytes": size}))
    node.close()


main()
