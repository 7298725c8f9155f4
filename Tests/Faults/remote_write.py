"""Reads bodies of Prometheus remote write, 1.0 and 2.0: snappy's block format, and protobuf without its definitions."""

import struct

# The value of a sample that marks the end of its series.
STALE = 0x7FF0000000000002


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """The fields of a message, as number and value; those of a fixed or a given length as bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 1:
            value, at = data[at:at + 8], at + 8
        else:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield tag >> 3, value


def unsnap(data):
    """The block format of snappy, format_description.txt."""
    size, at = varint(data, 0)
    out = bytearray()
    while at < len(data):
        tag = data[at]
        at += 1
        if tag & 3 == 0:
            length = (tag >> 2) + 1
            if length > 60:
                count = length - 60
                length = int.from_bytes(data[at:at + count], "little") + 1
                at += count
            out += data[at:at + length]
            at += length
            continue
        if tag & 3 == 1:
            length, offset = (tag >> 2 & 7) + 4, (tag >> 5) << 8 | data[at]
            at += 1
        else:
            count = 2 if tag & 3 == 2 else 4
            length, offset = (tag >> 2) + 1, int.from_bytes(data[at:at + count], "little")
            at += count
        for _ in range(length):
            out.append(out[-offset])
    assert len(out) == size
    return bytes(out)


def key(labels):
    """What names a series, the same for a request and for what a server says."""
    return tuple(sorted(labels.items()))


def series(message, is_two):
    """The series of a request, each a key and its samples: milliseconds and the bits of the value."""
    parts = list(fields(message))
    symbols = [value.decode() for number, value in parts if number == 4] if is_two else []
    return [_series(value, symbols, is_two) for number, value in parts if number == (5 if is_two else 1)]


def _series(message, symbols, is_two):
    labels, samples = {}, []
    for number, value in fields(message):
        if number == 1:
            labels.update(_references(value, symbols) if is_two else [_label(value)])
        elif number == 2:
            samples.append(_sample(value))
    return key(labels), samples


def _references(packed, symbols):
    at, found = 0, []
    while at < len(packed):
        place, at = varint(packed, at)
        found.append(symbols[place])
    return zip(found[::2], found[1::2])


def _label(message):
    parts = dict(fields(message))
    return parts[1].decode(), parts[2].decode()


def _sample(message):
    parts = dict(fields(message))
    milliseconds = parts.get(2, 0)
    bits, = struct.unpack("<Q", parts.get(1, bytes(8)))
    return milliseconds, bits
