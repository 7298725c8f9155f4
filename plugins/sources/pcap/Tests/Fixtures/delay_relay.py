"""Passes frames between two interfaces, each of them late: delay_relay.py IFACE IFACE MILLISECONDS [LOST].

Of the TCP segments with data, every one whose number is a multiple of LOST is lost.
"""

import heapq
import select
import socket
import struct
import sys
import time


def whole(frame):
    """The frame with a TCP checksum: a veth leaves it to hardware that is not there."""
    if frame[12:14] != b"\x08\x00" or frame[23] != 6:
        return frame
    header = (frame[14] & 15) * 4
    length = struct.unpack("!H", frame[16:18])[0] - header
    start = 14 + header
    segment = bytearray(frame[start : start + length])
    segment[16:18] = b"\0\0"
    data = frame[26:34] + struct.pack("!HH", 6, length) + bytes(segment) + b"\0" * (length % 2)
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    segment[16:18] = struct.pack("!H", ~total & 0xFFFF)
    return frame[:start] + bytes(segment) + frame[start + length :]


def has_data(frame):
    """Whether it is a TCP segment over IPv4 with data."""
    if frame[12:14] != b"\x08\x00" or frame[23] != 6:
        return False
    header = (frame[14] & 15) * 4
    return struct.unpack("!H", frame[16:18])[0] > header + (frame[14 + header + 12] >> 4) * 4


left, right, delay = sys.argv[1], sys.argv[2], float(sys.argv[3]) / 1000
lost, data = int(sys.argv[4]) if len(sys.argv) > 4 else 0, 0
PACKET_OUTGOING = 4
sockets = []
for name in (left, right):
    end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    end.bind((name, 3))
    sockets.append(end)
print("ready", flush=True)
waiting, number = [], 0
while True:
    rest = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
    # The last half of a millisecond is not slept: sleep ends late.
    ready, _, _ = select.select(sockets, [], [], None if rest is None else max(0.0, rest - 0.0005))
    now = time.monotonic()
    for end in ready:
        frame, address = end.recvfrom(65536)
        if address[2] == PACKET_OUTGOING:
            continue
        if lost and has_data(frame):
            data += 1
            if data % lost == 0:
                continue
        number += 1
        heapq.heappush(waiting, (now + delay, number, sockets[1 - sockets.index(end)], whole(frame)))
    while waiting and waiting[0][0] <= time.monotonic():
        _, _, end, frame = heapq.heappop(waiting)
        end.send(frame)
