"""Reads an MCAP file with the official reader and decodes each message by the schema inside the file.

Prints one JSON object: messages per topic, schema name per topic, and the length of the first scan of car1.
A message that cannot be decoded ends the script with an error.
"""

import collections
import json
import sys

from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory

counts = collections.Counter()
schemas = {}
first_scan_length = None
with open(sys.argv[1], "rb") as file:
    reader = make_reader(file, decoder_factories=[DecoderFactory()])
    for schema, channel, message, decoded in reader.iter_decoded_messages():
        counts[channel.topic] += 1
        schemas[channel.topic] = schema.name
        if channel.topic == "/car1/scan" and first_scan_length is None:
            first_scan_length = len(decoded.ranges)

print(json.dumps({"counts": counts, "schemas": schemas, "first_scan_length": first_scan_length}))
