"""CDR and protobuf with libraries of other projects, by the schemas that the server sends; messages are plain values."""

import base64
import math

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from rosbags.typesys import get_types_from_msg
from rosbags.typesys.store import Typestore


def plain(value):
    """Returns a message as dictionaries, lists and numbers; numbers that JSON does not have are None."""
    if hasattr(value, "__dataclass_fields__"):
        names = [name for name in value.__dataclass_fields__ if not name.startswith("__")]
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


class Cdr:
    """CDR of one type with a `ros2msg` schema."""

    def __init__(self, schema_name, text):
        package, _, name = schema_name.split("/")
        self.name = f"{package}/msg/{name}"
        self.store = Typestore()
        self.store.register(get_types_from_msg(text, self.name))

    def decode(self, data):
        return plain(self.store.deserialize_cdr(data, self.name))

    def encode(self, value):
        return bytes(self.store.serialize_cdr(self.build(self.name, value), self.name))

    def build(self, name, value):
        _, fields = self.store.fielddefs[name]
        members = {field: self.element(kind, (value or {}).get(field)) for field, kind in fields}
        return self.store.types[name](**members)

    def element(self, kind, value):
        """Returns the value of a field; absent ones are zero."""
        node, of = int(kind[0]), kind[1]
        if node == 2:
            return self.build(of, value)
        if node in (3, 4):
            elements = [self.element(of[0], element) for element in value or []]
            return elements if int(of[0][0]) == 2 or of[0][1][0] == "string" else self.numbers(of[0][1][0], elements)
        base = of[0]
        if value is None:
            return "" if base == "string" else base == "bool" and False
        return float(value) if base.startswith("float") else value

    @staticmethod
    def numbers(base, elements):
        import numpy

        return numpy.array(elements, dtype={"octet": "uint8", "byte": "uint8", "char": "uint8"}.get(base, base))


class Protobuf:
    """Protobuf of one type with a descriptor set in base64."""

    def __init__(self, schema_name, text):
        files = descriptor_pb2.FileDescriptorSet.FromString(base64.b64decode(text, validate=True))
        pool = descriptor_pool.DescriptorPool()
        for file in files.file:
            pool.Add(file)
        self.type = message_factory.GetMessageClass(pool.FindMessageTypeByName(schema_name))

    def decode(self, data):
        message = self.type.FromString(data)
        return json_format.MessageToDict(
            message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )

    def encode(self, value):
        return json_format.ParseDict(value, self.type()).SerializeToString()


class Json:
    """JSON."""

    def __init__(self, *_):
        pass

    def decode(self, data):
        import json

        return json.loads(data)

    def encode(self, value):
        import json

        return json.dumps(value).encode()


def codec(encoding, schema_name, schema):
    return {"cdr": Cdr, "protobuf": Protobuf, "json": Json}[encoding](schema_name, schema)
