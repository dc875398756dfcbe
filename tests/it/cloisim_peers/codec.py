"""Random messages of every type, for the bridge's own code to read and write again: what comes back must be the same
message, byte for byte.

Prints `{"type": …, "hex": …}` and reads the answer as hexadecimal text, again and again. Arguments: the folder of
.proto files, the seed, messages per type.
"""

import random
import sys

from google.protobuf.descriptor import FieldDescriptor

from cloisim import Messages, report, wait_for_test

# No negative zero: protobuf in Rust takes it for a field that is not set.
DOUBLES = [0.0, 1.0, -1.5, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan"), 0.1]
FLOATS = [0.0, 1.0, -1.5, 1.401298464324817e-45, 3.4028234663852886e38, float("inf"), float("nan"), 0.25]
TEXTS = ["", "a", "base_link", "로봇", "a\0b", "\U0001f916" * 40, "x" * 200]
INTEGERS = {
    FieldDescriptor.TYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_UINT64: (0, 2**64 - 1),
}
# A number, a text and a message in fields that no message defines.
UNKNOWN = bytes.fromhex("c83e07" "d23e026869" "da3e020801")


class Generator:
    """Generates random messages."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def scalar(self, field):
        chance = self.random
        if field.type == FieldDescriptor.TYPE_DOUBLE:
            return chance.choice(DOUBLES) if chance.random() < 0.5 else chance.gauss(0, 1e3)
        if field.type == FieldDescriptor.TYPE_FLOAT:
            return chance.choice(FLOATS)
        if field.type == FieldDescriptor.TYPE_STRING:
            return chance.choice(TEXTS)
        if field.type == FieldDescriptor.TYPE_BOOL:
            return chance.random() < 0.5
        if field.type == FieldDescriptor.TYPE_ENUM:
            return chance.choice(field.enum_type.values).number
        least, most = INTEGERS[field.type]
        return chance.choice([0, 1, least, most, 127, 128, chance.randint(least, most)])

    def fill(self, message, depth):
        for field in message.DESCRIPTOR.fields:
            # Deeper messages have fewer fields, so that the nesting ends.
            if self.random.random() < (0.75 if depth < 2 else 0.3 if depth < 4 else 0.05):
                self.fill_field(message, field, depth)

    def fill_field(self, message, field, depth):
        value = getattr(message, field.name)
        if field.message_type and field.message_type.GetOptions().map_entry:
            # At most one entry, because the order of several entries is undefined.
            entry = value[self.random.choice(TEXTS)]
            self.fill(entry, depth + 1)
        elif field.is_repeated and field.message_type:
            for _ in range(self.random.randrange(4)):
                self.fill(value.add(), depth + 1)
        elif field.is_repeated:
            value.extend(self.scalar(field) for _ in range(self.random.randrange(20)))
        elif field.message_type:
            value.SetInParent()
            self.fill(value, depth + 1)
        else:
            setattr(message, field.name, self.scalar(field))


def recoded(name, written):
    """Returns a message that the bridge has decoded and encoded again."""
    report(type=name, hex=written.hex())
    return bytes.fromhex(wait_for_test())


def check_one(name, message):
    """Checks that a message comes back byte for byte."""
    answer = recoded(name, message.SerializeToString(deterministic=True))
    assert answer == messages.write(message), f"{name}: {message} came back as {answer.hex()}"
    messages.read(name, answer)


def check_two(name, first, second):
    """Checks that two concatenated messages are merged, as protobuf specifies, and that unknown fields are skipped."""
    written = first.SerializeToString() + UNKNOWN + second.SerializeToString()
    whole, back = messages.new(name), messages.new(name)
    whole.ParseFromString(written)
    whole.DiscardUnknownFields()
    answer = recoded(name, written)
    back.ParseFromString(answer)
    # Maps may have two entries now, whose order is undefined.
    assert messages.write(back) == messages.write(whole), f"{name}: {written.hex()} came back as {answer.hex()}"
    assert len(answer) == len(messages.write(whole)), f"{name}: {written.hex()} came back as {answer.hex()}"


messages = Messages(sys.argv[1])
generator = Generator(int(sys.argv[2]))
count = 0
for name in messages.names():
    last = messages.new(name)
    check_one(name, last)
    for _ in range(int(sys.argv[3])):
        message = messages.new(name)
        generator.fill(message, 0)
        check_one(name, message)
        check_two(name, last, message)
        last = message
        count += 1
report(types=len(messages.names()), messages=count)
