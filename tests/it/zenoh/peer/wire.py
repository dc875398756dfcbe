"""Keys, liveliness tokens, QoS texts, gids and attachments as rmw_zenoh has them, as texts and bytes only."""

import struct
import time
from typing import NamedTuple

import xxhash

ADMIN = "@ros2_lv"
KINDS = ("NN", "MP", "MS", "SS", "SC")
# Fields of a token: those of a node, and those of an endpoint with its QoS.
OF_NODE, OF_ENDPOINT = 9, 13
# Two signed 64-bit numbers, then the gid as the serializer of zenoh-ext writes an array: its length and its bytes.
ATTACHMENT = struct.Struct("<qqB16s")
GID_LENGTH = 16

RELIABLE, BEST_EFFORT = 1, 2
TRANSIENT_LOCAL, VOLATILE = 1, 2
FOREVER = (9223372036, 854775807)
# Defaults of the numbers of a QoS text, which are left out: reliability; durability; history and depth; deadline;
# lifespan; liveliness and lease.
DEFAULTS = ((RELIABLE,), (VOLATILE,), (1, 42), FOREVER, FOREVER, (1, *FOREVER))
# Numbers that rmw_zenoh decodes: reliability, durability and history, and liveliness.
DECODED, LIVELINESS = (0, 1, 2, 3), (0, 1, 3, 4, 5)


class Quality(NamedTuple):
    """Settings of an endpoint; the defaults are those of services and most topics."""

    reliable: bool = True
    transient_local: bool = False
    depth: int = 10

    def text(self):
        reliability = RELIABLE if self.reliable else BEST_EFFORT
        durability = TRANSIENT_LOCAL if self.transient_local else VOLATILE
        return qos_text(((reliability,), (durability,), (1, self.depth or 42), *DEFAULTS[3:]))


def qos_text(groups):
    """Text of groups of numbers as in `DEFAULTS`."""
    pairs = (zip(group, defaults, strict=True) for group, defaults in zip(groups, DEFAULTS, strict=True))
    return ":".join(",".join("" if number == default else str(number) for number, default in pair) for pair in pairs)


def qos_numbers(text):
    """Groups of numbers of a text; raises an error for a text that rmw_zenoh does not decode."""
    groups = [group.split(",") for group in text.split(":")]
    if [len(group) for group in groups] != [len(defaults) for defaults in DEFAULTS]:
        raise ValueError(f"`{text}` is not a QoS")
    numbers = tuple(
        tuple(int(number) if number else default for number, default in zip(group, defaults, strict=True))
        for group, defaults in zip(groups, DEFAULTS, strict=True)
    )
    (reliability,), (durability,), (history, _), *_, (liveliness, *_) = numbers
    if not {reliability, durability, history} <= set(DECODED) or liveliness not in LIVELINESS:
        raise ValueError(f"`{text}` has an unknown policy")
    return numbers


def full(name):
    """A name with one slash in front, as in tokens."""
    return f"/{name.strip('/')}"


def dds_name(ros_type):
    """`package::srv::dds_::Name_` of `package/srv/Name`."""
    package, kind, name = ros_type.split("/")
    return f"{package}::{kind}::dds_::{name}_"


def ros_name(dds_type):
    """`package/srv/Name` of `package::srv::dds_::Name_`; other texts stay as they are."""
    if "::dds_::" not in dds_type or not dds_type.endswith("_"):
        return dds_type
    return dds_type.replace("::dds_::", "::")[:-1].replace("::", "/")


def data_key(domain, name, ros_type, type_hash):
    """Key of the samples of a topic or the queries of a service."""
    return f"{domain}/{name.strip('/')}/{dds_name(ros_type)}/{type_hash}"


def mangled(name):
    return name.replace("/", "%")


def demangled(text):
    return text.replace("%", "/")


class Token(NamedTuple):
    """A liveliness token; those of nodes have no `name` and nothing after it. Texts are demangled."""

    domain: str
    zid: str
    nid: str
    id: str
    kind: str
    enclave: str
    namespace: str
    node: str
    name: str = ""
    type: str = ""
    hash: str = ""
    qos: str = ""

    def text(self):
        """The token in canonical form."""
        start = (ADMIN, self.domain, self.zid, self.nid, self.id, self.kind)
        names = (mangled(self.enclave), mangled(self.namespace), self.node)
        endpoint = (mangled(self.name), self.type, self.hash, self.qos) if self.name else ()
        return "/".join((*start, *names, *endpoint))

    def gid(self):
        """XXH3-128 of the text: first the low half, then the high half, both little endian."""
        return xxhash.xxh3_128_digest(self.text().encode())[::-1]


def parse_token(text):
    """A token with its QoS in canonical form; raises an error for a text that rmw_zenoh ignores."""
    fields = text.split("/")
    if len(fields) < OF_NODE or not all(fields) or fields[0] != ADMIN or fields[5] not in KINDS:
        raise ValueError(f"`{text}` is not the token of a node")
    domain, zid, nid, own_id, kind, enclave, namespace, node = fields[1:OF_NODE]
    names = (domain, zid, nid, own_id, kind, demangled(enclave), demangled(namespace), node)
    if kind == "NN":
        return Token(*names)
    if len(fields) < OF_ENDPOINT:
        raise ValueError(f"`{text}` is not the token of an endpoint")
    name, dds_type, type_hash, qos = fields[OF_NODE:OF_ENDPOINT]
    return Token(*names, demangled(name), dds_type, type_hash, qos_text(qos_numbers(qos)))


class Attachment(NamedTuple):
    """What comes with a sample, a request or a reply."""

    sequence: int
    time: int
    gid: bytes

    def encode(self):
        return ATTACHMENT.pack(self.sequence, self.time, GID_LENGTH, self.gid)

    def plain(self):
        return {"sequence": self.sequence, "time": self.time, "gid": self.gid.hex()}


def attachment_now(sequence, gid):
    """The attachment of what is sent now."""
    # Wall time: the source timestamp, in nanoseconds since 1970.
    return Attachment(sequence, time.time_ns(), gid).encode()


def parse_attachment(found):
    """The attachment of a sample, query or reply; raises an error if rmw_zenoh would drop what it came with."""
    if found is None:
        raise ValueError("there is no attachment")
    content = found.to_bytes()
    if len(content) != ATTACHMENT.size:
        raise ValueError(f"the attachment has {len(content)} bytes, not {ATTACHMENT.size}: {content.hex()}")
    sequence, stamp, length, gid = ATTACHMENT.unpack(content)
    if length != GID_LENGTH or sequence < 0 or stamp < 0:
        raise ValueError(f"the attachment `{content.hex()}` is malformed")
    return Attachment(sequence, stamp, gid)
