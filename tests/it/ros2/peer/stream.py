"""Counts the clouds of the fixture `cloud`, in a process of its own that does nothing else.

    stream.py DOMAIN TOPIC COUNT RELIABLE FOLDER...      the folders hold `.msg` texts

Says `ready` once it listens; then, after COUNT clouds or half a minute without one, what came of them as JSON.
"""

import json
import pathlib
import sys
import time

from node import ALL, Node, quality
from shapes import Shapes
from texts import Texts

PATIENCE = 30.0


def main():
    domain, topic, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    folders = [pathlib.Path(__file__).parent / "texts", *sys.argv[5:]]
    node = Node(domain, Shapes(Texts(folders)))
    # Python is slower than the stream: what waits for it must not be replaced.
    qos = quality(reliable=sys.argv[4] == "true", depth=10 * count)
    reader, _ = node.reader(topic, node.shapes.struct("sensor_msgs/msg/PointCloud2"), qos)
    print("ready", flush=True)
    widths, torn, last, first = [], 0, time.monotonic(), None
    while len(widths) < count and time.monotonic() < last + PATIENCE:
        node.wait(0.1)
        for cloud in reader.take(ALL):
            if not cloud.sample_info.valid_data:
                continue
            last = time.monotonic()
            first = first or last
            widths.append(cloud.width)
            torn += set(cloud.data) != {cloud.width % 256}
    missing = widths[-1] - widths[0] + 1 - len(widths) if widths else None
    seconds = last - first if widths else 0
    size = len(cloud.data) if widths else 0
    print(json.dumps({"received": len(widths), "missing": missing, "torn": torn, "seconds": seconds, "bytes": size}))
    node.close()


main()
