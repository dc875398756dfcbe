"""Counts the clouds of the fixture `cloud`, in a process that does nothing else.

    stream.py DOMAIN TOPIC COUNT RELIABLE FOLDER...      the folders hold `.msg` texts

Prints `ready` once it is subscribed; then, after COUNT clouds or half a minute without one, the counts as JSON.
Clouds are checked as raw bytes: a list of a million numbers takes longer to make than the period of the clouds.
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
# After the encapsulation: a header with the frame `cloud`, the height, and then the width.
WIDTH_AT = 4 + 24
# No fields, then `is_bigendian`, two steps and the length of the data, which begins at 48.
LENGTH_AT = 4 + 44


def look_at(cloud):
    """Number of a cloud, the length of its data, and whether the data is as it was sent."""
    (width,) = struct.unpack_from("<I", cloud, WIDTH_AT)
    (length,) = struct.unpack_from("<I", cloud, LENGTH_AT)
    data = cloud[LENGTH_AT + 4 : LENGTH_AT + 4 + length]
    return width, length, data == bytes([width % 256]) * length


def main():
    domain, topic, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    folders = [pathlib.Path(__file__).parent / "texts", *sys.argv[5:]]
    node = Node(domain, Shapes(Texts(folders)))
    # Waiting clouds must not be overwritten.
    qos = quality(reliable=sys.argv[4] == "true", depth=10 * count)
    reader, _ = node.reader(topic, node.shapes.struct("sensor_msgs/msg/PointCloud2"), qos)
    print("ready", flush=True)
    widths, torn, size, last, first = [], 0, 0, time.monotonic(), None
    # Wall time: the deadline of a poll, whose caller reports the failure.
    while len(widths) < count and time.monotonic() < last + PATIENCE:
        node.wait(0.1)
        for cloud, info in ddspy_take(reader._ref, NEW, ALL):  # pylint: disable=protected-access
            if not info.valid_data:
                continue
            last = time.monotonic()
            first = first or last
            width, size, is_whole = look_at(cloud)
            widths.append(width)
            torn += not is_whole
    missing = sorted(set(range(widths[0], widths[-1])) - set(widths)) if widths else None
    seconds = last - first if widths else 0
    print(json.dumps({"received": len(widths), "missing": missing, "torn": torn, "seconds": seconds, "bytes": size}))
    node.close()


main()
