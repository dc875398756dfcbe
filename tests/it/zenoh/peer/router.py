"""A zenoh router, to which the sessions of a test connect.

    router.py ENDPOINT      such as `tcp/127.0.0.1:7447`

Prints `{"ready": true}` once it listens, and ends with its input.
"""

import sys

import zenoh

from configuration import configuration


def main():
    with zenoh.open(configuration("router", [], [sys.argv[1]])):
        print('{"ready": true}', flush=True)
        sys.stdin.read()


main()
