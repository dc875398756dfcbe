"""Compares the fields of our .proto files with the table of CLOiSim's fields: they must be the same.

Arguments: the folder of .proto files, the table.
"""

import sys

from google.protobuf.descriptor import FieldDescriptor

from cloisim import PACKAGE, Messages, report

TYPES = {
    getattr(FieldDescriptor, name): name[5:].lower() for name in dir(FieldDescriptor) if name.startswith("TYPE_")
}


def local(full_name):
    return full_name.removeprefix(PACKAGE + ".")


def scalar(field):
    if field.message_type:
        return local(field.message_type.full_name)
    if field.enum_type:
        return local(field.enum_type.full_name)
    return TYPES[field.type]


def kind(field):
    inner = field.message_type
    if inner and inner.GetOptions().map_entry:
        key, value = (scalar(inner.fields_by_number[number]) for number in (1, 2))
        return f"map<{key},{value}>"
    return ("repeated " if field.is_repeated else "") + scalar(field)


messages = Messages(sys.argv[1])
ours = set()
for name in messages.names():
    descriptor = messages.descriptor(name)
    for field in descriptor.fields:
        ours.add((name, field.number, kind(field), field.name))
        assert not field.is_repeated or scalar(field) == "string" or field.message_type or field.is_packed, field.full_name
        assert not field.has_presence or field.message_type or field.containing_oneof, f"{field.full_name} is optional"
    for enumeration in descriptor.enum_types:
        for value in enumeration.values:
            ours.add((local(enumeration.full_name), value.number, "value", value.name))

theirs, absent = set(), set()
for line in open(sys.argv[2], encoding="utf-8"):
    line = line.strip()
    if not line or line.startswith("#"):
        continue
    left_out = line.startswith("- ")
    name, number, *middle, field = line.removeprefix("- ").split()
    entry = (name, int(number), " ".join(middle), field)
    assert entry not in theirs | absent, f"twice: {entry}"
    (absent if left_out else theirs).add(entry)

differences = [f"only in the .proto files: {entry}" for entry in sorted(ours - theirs)]
differences += [f"only in the table: {entry}" for entry in sorted(theirs - ours)]
used = {(name, number) for name, number, _, _ in ours}
differences += [f"used for something else: {entry}" for entry in sorted(absent) if entry[:2] in used]
assert not differences, "\n".join(differences)
# Members of the only oneof.
choice = messages.descriptor("Any").oneofs_by_name["value"]
assert sorted(field.number for field in choice.fields) == [3, 4, 5, 6, 7, 9, 10, 11]
report(messages=len(messages.names()), fields=len(ours), left_out=len(absent))
