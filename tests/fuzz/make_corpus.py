#!/usr/bin/env python3
"""Writes the files of the corpora that are not text: `python3 tests/fuzz/make_corpus.py`.

Needs nothing but Python, and `cc` for a plugin in C. Datagrams of DDS (corpus/rtps) are captured, not made here.
"""

import struct
import subprocess
import tempfile
import zlib
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
ROOT = HERE.parent.parent

# The order of TYPES in plugin-api/messages/src/fuzz.rs and bridges/rosbridge/src/fuzz.rs.
SPAWN, STATES, TRIGGERS, TRAJECTORY, CLOUD, JOINTS, TF, MARKERS, TWIST, STRING = range(10)


def write(name: str, content: bytes) -> None:
    path = CORPUS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


# Protobuf.


def varint(value: int) -> bytes:
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number: int, value: object) -> bytes:
    """A field: an integer as varint, a float as f64, bytes and texts with their length."""
    if isinstance(value, (bool, int)):
        return varint(number << 3) + varint(int(value) & 0xFFFF_FFFF_FFFF_FFFF)
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    raw = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(raw)) + raw


def doubles(number: int, values: list[float]) -> bytes:
    return field(number, struct.pack(f"<{len(values)}d", *values))


def vector(x: float, y: float, z: float) -> bytes:
    return field(1, x) + field(2, y) + field(3, z)


def payloads() -> None:
    stamp = field(1, 12) + field(2, 500_000_000)
    header = field(1, stamp) + field(2, "world")
    pose = field(1, vector(1.0, 2.0, 0.5)) + field(2, vector(0.0, 0.0, 0.0) + field(4, 1.0))
    resource = field(1, "model://box")
    spawn = field(1, "box") + field(2, True) + field(3, resource) + field(5, field(1, header) + field(2, pose))
    joints = field(1, header) + field(2, "hip") + field(2, "knee") + doubles(3, [0.5, -0.5]) + doubles(4, [1.0, 2.0])
    points = [field(1, "x") + field(3, 7) + field(4, 1), field(1, "y") + field(2, 4) + field(3, 7) + field(4, 1)]
    cloud = field(1, header) + field(2, 1) + field(3, 2) + b"".join(field(4, point) for point in points)
    cloud += field(6, 8) + field(7, 16) + field(8, struct.pack("<4f", 1, 2, 3, 4)) + field(9, True)
    transform = field(1, header) + field(2, "lidar") + field(3, pose)
    twist = field(1, vector(1.0, 0.0, 0.0)) + field(2, vector(0.0, 0.0, -0.5))
    for name, kind, payload in [
        ("spawn", SPAWN, spawn),
        ("joints", JOINTS, joints),
        ("cloud", CLOUD, cloud),
        ("tf", TF, field(1, transform)),
        ("twist", TWIST, twist),
        ("string", STRING, field(1, "grüße")),
    ]:
        write(f"payload/{name}", bytes([kind]) + payload)
        write(f"rosbridge_payload/{name}", bytes([kind]) + payload)
    parameter = field(1, field(1, "request") + field(2, field(1, 4) + field(5, "transform")))
    write("cloisim_bytes/parameter", parameter)
    write("cloisim_bytes/twist", field(1, field(1, b"")) + field(2, vector(1.0, 0.0, 0.0)) + field(3, vector(0.0, 0.0, 0.5)))
    write("cloisim_bytes/joystick", field(2, vector(1.0, 0.0, 0.0)) + field(3, vector(0.0, 0.0, 1.0)) + field(4, b"\x00\x01"))
    pid = field(1, 0.5) + field(2, field(1, 1.0))
    write("cloisim_bytes/joints", field(1, field(1, b"")) + field(2, field(1, "arm") + field(6, pid)))


def descriptor() -> None:
    """A FileDescriptorSet with one file: a message with a number, a text, a list and a nested message."""

    def member(name: str, number: int, label: int, kind: int, type_name: str = "") -> bytes:
        named = field(6, type_name) if type_name else b""
        return field(2, field(1, name) + field(3, number) + field(4, label) + field(5, kind) + named)

    # Field 52800 of the options of a message is the annotation `ros_message`.
    named = lambda name: field(1, name) + field(7, field(52800, f"fuzzed/msg/{name}"))
    nested = named("Inner") + member("x", 1, 1, 1)
    fields = member("count", 1, 1, 5) + member("name", 2, 1, 9) + member("values", 3, 3, 1)
    fields += member("inner", 4, 3, 11, ".fuzzed.v1.Inner")
    file = field(1, "fuzzed.proto") + field(2, "fuzzed.v1")
    file += field(4, named("Fuzzed") + fields) + field(4, nested) + field(12, "proto3")
    write("descriptor/fuzzed", field(1, file))


# CDR: little endian, each value aligned to its size, counted after the encapsulation.


class Cdr:
    def __init__(self) -> None:
        self.body = b""

    def put(self, code: str, *values: float) -> "Cdr":
        size = struct.calcsize(code)
        for value in values:
            self.body += b"\0" * (-len(self.body) % size) + struct.pack("<" + code, value)
        return self

    def text(self, value: str) -> "Cdr":
        raw = value.encode() + b"\0"
        self.put("I", len(raw)).body += raw
        return self

    def whole(self) -> bytes:
        return b"\0\1\0\0" + self.body


def cdr() -> None:
    header = lambda message: message.put("i", 12).put("I", 500_000_000).text("world")
    joints = header(Cdr()).put("I", 2).text("hip").text("knee")
    joints.put("I", 2).put("d", 0.5, -0.5).put("I", 2).put("d", 1, 2).put("I", 0)
    tf = header(Cdr().put("I", 1)).text("lidar").put("d", 1, 2, 0.5, 0, 0, 0, 1)
    for name, kind, message in [
        ("joints", JOINTS, joints),
        ("tf", TF, tf),
        ("twist", TWIST, Cdr().put("d", 1, 0, 0, 0, 0, -0.5)),
        ("string", STRING, Cdr().text("grüße")),
    ]:
        write(f"cdr/{name}", bytes([kind]) + message.whole())


# Meshes and images.

CORNERS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]


def meshes() -> None:
    triangles = [[CORNERS[corner] for corner in face] for face in FACES]
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *[x for corner in face for x in corner], 0) for face in triangles)
    write("mesh_stl/binary", b"tetrahedron".ljust(80) + struct.pack("<I", len(FACES)) + body)
    chunk = lambda kind, data: struct.pack("<I4s", len(data), kind) + data
    positions = b"".join(struct.pack("<3f", *corner) for corner in CORNERS)
    indices = b"".join(struct.pack("<3H", *face) for face in FACES)
    box = '"type":"VEC3","min":[0,0,0],"max":[1,1,1]'
    views = '{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":24}'
    accessors = (
        '{"bufferView":0,"componentType":5126,"count":4,' + box + "},"
        '{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}'
    )
    nodes = '"nodes":[{"mesh":0,"name":"part","scale":[2,1,1]}],"scenes":[{"nodes":[0]}],"scene":0'

    def glb(name: str, json: str, data: bytes) -> None:
        text = json.encode()
        chunks = chunk(b"JSON", text + b" " * (-len(text) % 4)) + chunk(b"BIN\0", data)
        write(name, struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)

    json = (
        '{"asset":{"version":"2.0"},"buffers":[{"byteLength":72}],"bufferViews":[' + views + '],"accessors":[' + accessors
        + '],"meshes":[{"name":"body","primitives":[{"attributes":{"POSITION":0},"indices":1}]}],' + nodes + "}"
    )
    glb("mesh_gltf/binary", json, positions + indices)
    image = png(1, 1, 8, 2, [b"\xff\0\0"])
    views += ',{"buffer":0,"byteOffset":72,"byteLength":48},{"buffer":0,"byteOffset":120,"byteLength":32}'
    views += f',{{"buffer":0,"byteOffset":152,"byteLength":{len(image)}}}'
    accessors += (
        ',{"bufferView":2,"componentType":5126,"count":4,"type":"VEC3"}'
        ',{"bufferView":3,"componentType":5126,"count":4,"type":"VEC2"}'
    )
    materials = (
        '{"name":"red","doubleSided":true,"alphaMode":"MASK","alphaCutoff":0.25,"pbrMetallicRoughness":{"baseColorFactor":'
        '[1,0.5,0.25,1],"metallicFactor":0.5,"roughnessFactor":0.75,"baseColorTexture":{"index":0}},'
        '"normalTexture":{"index":1,"texCoord":1}},{"alphaMode":"BLEND","extensions":{"KHR_materials_unlit":{}}}'
    )
    json = (
        f'{{"asset":{{"version":"2.0"}},"extensionsUsed":["KHR_materials_unlit"],"buffers":[{{"byteLength":{152 + len(image)}}}],'
        '"bufferViews":[' + views + '],"accessors":[' + accessors + '],"materials":[' + materials + "],"
        '"images":[{"bufferView":4,"mimeType":"image/png"},{"uri":"a%20wall.png"}],"textures":[{"source":0},{"source":1}],'
        '"meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":2,"TEXCOORD_0":3},"indices":1,"material":0},'
        '{"attributes":{"POSITION":0},"material":1}]}],' + nodes + "}"
    )
    normals = struct.pack("<12f", *[0, 0, 1] * 4)
    uvs = struct.pack("<8f", 0, 0, 1, 0, 0, 1, 1, 1)
    glb("mesh_gltf/materials", json, positions + indices + normals + uvs + image)


def png(width: int, height: int, depth: int, colour: int, rows: list[bytes], extra: bytes = b"") -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + head + extra + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def images() -> None:
    grey = [bytes(range(row, row + 5)) for row in range(5)]
    write("image/grey8", png(5, 5, 8, 0, grey))
    write("image/grey16", png(3, 3, 16, 0, [struct.pack(">3H", row, 30_000, 65_535) for row in range(3)]))
    write("image/rgb", png(3, 2, 8, 2, [bytes(range(9)), bytes(range(9, 18))]))
    palette = b"\x09\0\0\x64\0\0"
    palette = struct.pack(">I", 6) + b"PLTE" + palette + struct.pack(">I", zlib.crc32(b"PLTE" + palette))
    write("image/palette", png(4, 2, 1, 3, [b"\xa0", b"\x50"], palette))


# Frames of clients of Foxglove and rosbridge.


def frames() -> None:
    twist = Cdr().put("i", 1).put("I", 2).text("base").put("d", 1, 0, 0, 0, 0, -0.5).whole()
    json = b'{"header":{"stamp":{"sec":1,"nsec":2},"frame_id":"base"},"twist":{"linear":{"x":1}}}'
    stamped = field(1, field(1, field(1, 1)) + field(2, "base")) + field(2, field(1, vector(1.0, 0.0, 0.0)))
    for encoding, data in [("cdr", twist), ("json", json), ("protobuf", stamped)]:
        head = struct.pack("<BIII", 2, 7, 99, len(encoding)) + encoding.encode()
        write(f"foxglove_bytes/call_{encoding}", head + data)
        write(f"foxglove_bytes/message_{encoding}", struct.pack("<BI", 1, 3) + data)
    fragment = lambda id_, number, total, data: bytes([id_, number, total, len(data)]) + data
    parts = fragment(1, 1, 2, b"bc") + fragment(2, 0, 3, "grüße".encode()) + fragment(1, 0, 2, b'{"a')
    write("rosbridge_fragments/mixed", parts + fragment(2, 2, 3, b"\\") + fragment(2, 1, 3, b""))
    write("rosbridge_fragments/one", fragment(0, 0, 1, b'{"op":"auth"}'))
    text = b'{"op":"auth"}'.ljust(18, b"\n")
    write("rosbridge_image/text", png(3, 2, 8, 2, [text[:9], text[9:]]))
    write("rosbridge_image/grey", png(3, 1, 8, 0, [b"{}\n"]))


# Peers of the bridge to programs of Gazebo.


def gazebo() -> None:
    process = "01234567-89ab-cdef-0123-456789abcdef"
    details = field(1, "unused") + field(2, "gz.msgs.Twist")
    publisher = field(1, "@/test@/foo") + field(2, "tcp://127.0.0.1:35777") + field(3, process) + field(4, process)
    publisher += field(5, 2) + field(6, details)
    for name, kind, rest in [
        ("heartbeat", 4, b""),
        ("subscribe", 2, field(6, field(1, "@/test@/foo"))),
        ("advertise", 1, field(7, publisher)),
    ]:
        body = field(2, 10) + field(3, process) + field(4, kind) + rest
        write(f"gz_datagram/{name}", struct.pack("<H", len(body)) + body)
    stamped = field(1, field(1, field(1, 1) + field(2, 2)) + field(2, field(1, "frame_id") + field(2, "base")))
    for row in range(0, 40, 3):
        write(f"gz_message/row_{row}", bytes([row]) + stamped)
    greeting = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
    ready = b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03SUB"
    messages = b"\0\x0c\x01@/test@/foo" + b"\0\x0c\0@/test@/foo"
    commands = b"\x04\x0b\x09SUBSCRIBEa" + b"\x04\x08\x06CANCELa" + b"\x04\x09\x04PING\0\x05xy"
    write("zmtp/messages", greeting + ready + messages)
    write("zmtp/commands", greeting + ready + commands)


# Nodes of rmw_zenoh.


def zenoh() -> None:
    gid = bytes(range(1, 17))
    write("zenoh/attachment", struct.pack("<qqB", 1, 1, len(gid)) + gid)
    node = "@ros2_lv/2/aac3178e146ba6f1fc6e6a4085e77f21/0"
    write("zenoh/node", f"{node}/0/NN/%/%/listener".encode())
    kind = "std_msgs::msg::dds_::String_/RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
    write("zenoh/subscription", f"{node}/10/MS/%/%/listener/%chatter/{kind}/::,10:,:,:,,".encode())


def jpeg(frame: bytes, size: int, planes: list[tuple[int, int]], scans: list[bytes]) -> bytes:
    """A picture of one colour. `planes` are the values of each plane and its blocks along a side in a group of blocks.

    The only codes are categories of the first coefficient, of four bits each, and the end of a block, of one bit. All
    coefficients are multiples of 8, so that the first one is the difference from 128.
    """

    def segment(marker: int, data: bytes) -> bytes:
        return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data

    components = b"".join(bytes([index, side << 4 | side, 0]) for index, (_, side) in enumerate(planes, 1))
    start = segment(frame, struct.pack(">BHHB", 8, size, size, len(planes)) + components)
    first = segment(0xC4, b"\0" + bytes([0, 0, 0, 12] + [0] * 12) + bytes(range(12)))
    others = segment(0xC4, b"\x10" + bytes([1] + [0] * 15) + b"\0")
    tables = segment(0xDB, b"\0" + b"\x08" * 64) + start + first + others
    return b"\xff\xd8" + tables + b"".join(scans) + b"\xff\xd9"


def jpeg_scan(planes: list[tuple[int, int]], selection: bytes, end: str) -> bytes:
    """A scan with all planes of one group of blocks."""
    bits = ""
    for value, side in planes:
        difference = value - 128
        category = abs(difference).bit_length()
        number = difference if difference > 0 else difference + (1 << category) - 1
        bits += f"{category:04b}" + (f"{number:0{category}b}" if category else "") + end
        # The further blocks do not differ from the first one.
        bits += ("0000" + end) * (side * side - 1)
    bits += "1" * (-len(bits) % 8)
    data = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")
    selected = b"".join(bytes([index, 0]) for index in range(1, len(planes) + 1))
    head = struct.pack(">BBHB", 0xFF, 0xDA, 6 + len(selected), len(planes))
    return head + selected + selection + data


def textures() -> None:
    color, grey = [(150, 2), (100, 1), (180, 1)], [(150, 1)]
    whole, first = b"\0\x3f\0", b"\0\0\0"
    write("texture/color.jpg", jpeg(0xC0, 16, color, [jpeg_scan(color, whole, "0")]))
    write("texture/progressive.jpg", jpeg(0xC2, 16, color, [jpeg_scan(color, first, "")]))
    # A picture of one plane has no groups: 16 pixels are two blocks along a side.
    blocks = [(150, 2)]
    write("texture/grey.jpg", jpeg(0xC0, 16, grey, [jpeg_scan(blocks, whole, "0")]))
    write("texture/rgba", png(2, 2, 8, 6, [bytes(range(8)), bytes(range(8, 16))]))
    write("texture/grey16_alpha", png(2, 1, 16, 4, [bytes(range(8))]))
    write("texture/palette", (CORPUS / "image/palette").read_bytes())


# MCAP as the logging bridge writes it: a schema, a channel, a step mark (opcode 0xB5) and messages, in a chunk.


def mcap() -> None:
    record = lambda opcode, body: struct.pack("<BQ", opcode, len(body)) + body
    text = lambda value: struct.pack("<I", len(value)) + value
    set_ = (CORPUS / "descriptor/fuzzed").read_bytes()
    schema = record(3, struct.pack("<H", 1) + text(b"fuzzed.v1.Fuzzed") + text(b"protobuf") + text(set_))
    channel = record(4, struct.pack("<HH", 1, 1) + text(b"/car/speed") + text(b"protobuf") + struct.pack("<I", 0))
    mark = lambda step: record(0xB5, struct.pack("<IQ", 0, step))
    message = lambda step: record(5, struct.pack("<HIQQ", 1, step, step * 1_000_000, step * 1_000_000) + b"\x08\x05")
    inner = schema + channel + mark(3) + message(3) + mark(4) + message(4)
    head = lambda inner: struct.pack("<QQQI", 3_000_000, 4_000_000, len(inner), zlib.crc32(inner)) + text(b"")
    chunk = lambda inner: record(6, head(inner) + struct.pack("<Q", len(inner)) + inner)
    header = record(1, text(b"") + text(b"bridgehead"))
    end = record(15, struct.pack("<I", 0)) + record(2, struct.pack("<QQI", 0, 0, 0))
    magic = b"\x89MCAP0\r\n"
    write("mcap/chunk", magic + header + chunk(inner) + end + magic)
    # The last record claims bytes that follow its chunk.
    longer = inner[: -len(message(4))] + struct.pack("<BQ", 5, len(message(4)) + 9) + message(4)[9:]
    write("mcap/record_exceeds_chunk", magic + header + chunk(longer) + end + magic)
    write("mcap/plain", magic + header + inner + end + magic)
    write("mcap/truncated", magic + header + inner[:-5])


def plugin() -> None:
    """A model plugin in C, without symbols, as the file that the host checks before it loads it."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "plugin.so"
        source = ROOT / "plugin-api/examples/c/heartbeat.c"
        include = ROOT / "plugin-api/include"
        flags = ["-Os", "-s", "-fPIC", "-shared", "-pthread", f"-I{include}", "-Wl,-z,noseparate-code"]
        subprocess.run(["cc", *flags, "-o", library, source], check=True)
        write("plugin_file/heartbeat", library.read_bytes())


def step_channel() -> None:
    """What clients of the step channel send."""
    greeting = b"BHSTEPS\0" + struct.pack("<II", 1, 0)
    frame = lambda kind, body=b"": struct.pack("<II", len(body), kind) + body
    lines = ["constant\t/cmd\tname[0]\tslider", "action\t/cmd\teffort[0]", "time", "pose\tcar", "twist\tcar::hull"]
    lines += ["joint\tarm::elbow\tposition", "topic\t/scan\tranges\t360", "topic\t/odom\ttwist.x", "stamp\t/scan"]
    declaration = frame(1, "\n".join(lines).encode())
    step = lambda steps, *values: frame(2, struct.pack(f"<II{len(values)}d", steps, len(values), *values))
    write("step_channel/episode", greeting + declaration + step(0) + step(1, 0.5) + step(20, -1.0) + frame(3))
    write("step_channel/kept", greeting + frame(4, b"start") + frame(5, b"start") + frame(6, b"start") + frame(7))
    write("step_channel/count", greeting + frame(2, struct.pack("<II", 1, 2**32 - 1) + bytes(8)))
    write("step_channel/long", greeting + struct.pack("<II", 2**32 - 1, 2))
    write("step_channel/other_version", b"BHSTEPS\0" + struct.pack("<II", 2, 0))


def mavlink() -> None:
    """What autopilots send: frames of MAVLink 2 and 1, whole and among other bytes."""
    salts = {0: 50, 76: 152, 93: 47, 107: 108}

    def checksum(content: bytes) -> bytes:
        crc = 0xFFFF
        for byte in content:
            byte ^= crc & 0xFF
            byte ^= byte << 4 & 0xFF
            crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
        return struct.pack("<H", crc)

    def second(number: int, body: bytes) -> bytes:
        body = body.rstrip(b"\0") or b"\0"
        content = bytes([len(body), 0, 0, 7, 1, 1]) + number.to_bytes(3, "little") + body
        return b"\xfd" + content + checksum(content + bytes([salts[number]]))

    def first(number: int, body: bytes) -> bytes:
        content = bytes([len(body), 7, 1, 1, number]) + body
        return b"\xfe" + content + checksum(content + bytes([salts[number]]))

    heartbeat = struct.pack("<I5B", 0, 0, 12, 128, 0, 3)
    command = struct.pack("<7fH3B", 115.0, 5000.0, 0, 0, 0, 0, 0, 511, 0, 0, 0)
    answer = struct.pack("<QQ16fB", 4000, 1, *[0.5] * 4, *[0.0] * 12, 129)
    sensor = struct.pack("<Q13fIB", 4000, *[0.25] * 13, 0x1FFF, 1)
    write("mavlink/start", second(0, heartbeat) + second(76, command))
    write("mavlink/flight", second(93, answer) * 3)
    write("mavlink/first_version", first(0, heartbeat) + first(93, answer))
    write("mavlink/noise", b"\xfd\xff noise \xfe" + second(93, answer) + second(107, sensor) + bytes(300))
    write("mavlink/cut", second(93, answer)[:50])


if __name__ == "__main__":
    mavlink()
    step_channel()
    payloads()
    descriptor()
    cdr()
    meshes()
    images()
    textures()
    frames()
    gazebo()
    zenoh()
    mcap()
    plugin()
