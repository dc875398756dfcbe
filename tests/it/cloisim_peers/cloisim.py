"""The parts of a client of CLOiSim, with third-party libraries: the list of devices over WebSocket, tags, ZeroMQ
sockets with the options that clients have, and messages by protoc and the protobuf runtime.

Only the .proto files are shared with the bridge.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import protoc
import zmq
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from websockets.sync.client import connect

PACKAGE = "cloisim.msgs"

# Results of std::hash<std::string> of libstdc++ on a 64-bit machine.
HASHES = {
    "": 0x553E93901E462A6E,
    "a": 0x454DDEE488C1ED6B,
    "abc": 0x32D82BF8ED3DBA39,
    "abcdefg": 0xDEEE6830A3AF82AF,
    "abcdefgh": 0x783DB3E38DB898BB,
    "abcdefghi": 0xB4EC9257851C8AAF,
    "WorldSimulationWorldClock": 0x74B772C3E891192C,
    "WorldSimulationWorldControl": 0xF45F058291C66D64,
    "cloiimu_imuData": 0xB6506BB0C7380168,
    "cloiimu_imuInfo": 0x3FC9A0FBAFEC0091,
    "robotMicomTx": 0xB41005F780E50E4B,
}


def tag(key):
    """The eight bytes before every payload of a port: the hash of its key, low byte first."""
    mask, factor = (1 << 64) - 1, 0xC6A4A7935BD1E995
    data = key.encode()
    value = 0xC70F6907 ^ (len(data) * factor & mask)
    whole = len(data) & ~7
    for at in range(0, whole, 8):
        word = int.from_bytes(data[at : at + 8], "little") * factor & mask
        value = (value ^ ((word ^ word >> 47) * factor & mask)) * factor & mask
    if data[whole:]:
        value = (value ^ int.from_bytes(data[whole:], "little")) * factor & mask
    value = (value ^ value >> 47) * factor & mask
    return (value ^ value >> 47).to_bytes(8, "little")


for known, number in HASHES.items():
    assert tag(known) == number.to_bytes(8, "little"), known


def varint(data, at):
    """Decodes a varint; returns it and the offset of the next byte."""
    value = shift = 0
    while True:
        value, shift, at = value | (data[at] & 0x7F) << shift, shift + 7, at + 1
        if data[at - 1] < 0x80:
            return value, at


def as_varint(value):
    data = b""
    while value > 0x7F:
        data, value = data + bytes([value & 0x7F | 0x80]), value >> 7
    return data + bytes([value])


def slim(descriptor, data):
    """Returns a message without the empty keys and values that protobuf writes into the entries of maps.

    Readers do not need them, and protobuf in Rust does not write them.
    """
    is_entry, out, at = descriptor.GetOptions().map_entry, b"", 0
    while at < len(data):
        begin = at
        key, at = varint(data, at)
        if key & 7 == 2:
            size, at = varint(data, at)
            content = data[at : at + size]
            at += size
            inner = descriptor.fields_by_number[key >> 3].message_type
            content = slim(inner, content) if inner else content
            if content or not is_entry:
                out += as_varint(key) + as_varint(len(content)) + content
            continue
        at = varint(data, at)[1] if key & 7 == 0 else at + {1: 8, 5: 4}[key & 7]
        out += data[begin:at]
    return out


class Messages:
    """The classes of the messages in a folder of .proto files, compiled when the object is created."""

    def __init__(self, folder):
        files = sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*.proto"))
        with tempfile.NamedTemporaryFile() as out:
            command = [protoc.PROTOC_EXE, f"-I{folder}", f"--descriptor_set_out={out.name}", "--include_imports"]
            subprocess.run(command + files, check=True)
            self.files = descriptor_pb2.FileDescriptorSet.FromString(Path(out.name).read_bytes())
        self.pool = descriptor_pool.DescriptorPool()
        for file in self.files.file:
            self.pool.Add(file)

    def names(self):
        """Returns the names of all messages, nested ones with a dot; entries of maps are left out."""

        def within(prefix, message):
            name = prefix + message.name
            if not message.options.map_entry:
                yield name
                for inner in message.nested_type:
                    yield from within(name + ".", inner)

        return [name for file in self.files.file for message in file.message_type for name in within("", message)]

    def descriptor(self, name):
        return self.pool.FindMessageTypeByName(f"{PACKAGE}.{name}")

    def new(self, name):
        """Creates an empty message."""
        return message_factory.GetMessageClass(self.descriptor(name))()

    def write(self, message):
        """Returns the bytes of a message as protobuf writes them, without the parts that `slim` removes."""
        return slim(message.DESCRIPTOR, message.SerializeToString(deterministic=True))

    def read(self, name, payload):
        """Decodes a payload, which must be byte for byte what protobuf writes for the same message."""
        message = self.new(name)
        message.ParseFromString(payload)
        again = self.write(message)
        assert again == payload, f"{name}: {payload.hex()} is written as {again.hex()} by protobuf"
        return message


class Service:
    """The WebSocket on which clients send requests."""

    def __init__(self, port, path="control"):
        deadline = time.monotonic() + 60
        while True:
            try:
                self.socket = connect(f"ws://127.0.0.1:{port}/{path}", proxy=None)
                return
            except OSError:
                assert time.monotonic() < deadline, "the service does not accept connections"
                time.sleep(0.05)

    def ask(self, text):
        self.socket.send(text)
        return json.loads(self.socket.recv(timeout=10))

    def devices(self):
        """Requests the list of devices as clients do: model -> kind -> parts -> key -> port."""
        answer = self.ask("{'command':'device_list', 'filter':''}")
        version = tuple(int(number) for number in answer["sim_version"].split("."))
        assert version >= (5, 3, 1), answer["sim_version"]
        return answer["result"]

    def devices_when(self, is_complete):
        """Waits until the list is complete: a host that has just started connects one vehicle after the other."""
        deadline = time.monotonic() + 60
        while not is_complete(found := self.devices()):
            assert time.monotonic() < deadline, found
            time.sleep(0.05)
        return found


class Wire:
    """Sockets of libzmq with the options that clients have."""

    def __init__(self):
        self.context = zmq.Context()

    def subscriber(self, port, topic, wait=10):
        socket = self.context.socket(zmq.SUB)
        for option, value in [
            (zmq.RCVHWM, 1000),
            (zmq.RCVTIMEO, wait),
            (zmq.RECONNECT_IVL, 1000),
            (zmq.RECONNECT_IVL_MAX, 5000),
            (zmq.LINGER, 0),
            (zmq.SUBSCRIBE, topic),
        ]:
            socket.setsockopt(option, value)
        socket.connect(f"tcp://127.0.0.1:{port}")
        return socket

    def requester(self, port):
        socket = self.context.socket(zmq.REQ)
        for option, value in [
            (zmq.REQ_RELAXED, 1),
            (zmq.REQ_CORRELATE, 1),
            (zmq.RCVTIMEO, 500),
            (zmq.LINGER, 0),
        ]:
            socket.setsockopt(option, value)
        socket.connect(f"tcp://127.0.0.1:{port}")
        return socket

    def publisher(self, port):
        socket = self.context.socket(zmq.PUB)
        socket.setsockopt(zmq.LINGER, 0)
        socket.connect(f"tcp://127.0.0.1:{port}")
        return socket

    def answerer(self, port, wait):
        socket = self.context.socket(zmq.REP)
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.RCVTIMEO, wait)
        socket.connect(f"tcp://127.0.0.1:{port}")
        return socket


def payload(frame, expected):
    """Returns the payload after the tag of a frame; checks the tag and that the payload is not empty."""
    assert frame[:8] == expected, f"the tag is {frame[:8].hex()} instead of {expected.hex()}"
    assert len(frame) > 8, "an empty payload"
    return frame[8:]


def request(socket, content, mark, attempts=5):
    """Sends a request as clients do: half a second for an answer, five attempts with a pause between them."""
    for attempt in range(attempts):
        if attempt:
            # Wall time: the pause of clients.
            time.sleep(0.3)
        socket.send(mark + content)
        try:
            return payload(socket.recv(), mark)
        except zmq.Again:
            continue
    raise AssertionError(f"no answer in {attempts} attempts")


def request_bytes(messages, name, value=""):
    """Returns a request as clients write it."""
    param = messages.new("Param")
    if value:
        param.params[name].type = 3
        param.params[name].string_value = value
    else:
        param.params[name].SetInParent()
    return param.SerializeToString(deterministic=True)


def report(**facts):
    """Sends facts to the test."""
    print(json.dumps(facts), flush=True)


def wait_for_test():
    """Waits for the next line from the test and returns it."""
    line = sys.stdin.readline()
    assert line, "the test has ended"
    return line.strip()
