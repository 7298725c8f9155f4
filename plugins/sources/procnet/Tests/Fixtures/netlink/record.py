#!/usr/bin/env python3
"""Records the answers to RTM_GETLINK and RTM_GETSTATS dumps of the network namespace it runs in.

    record.py links FILE | record.py counters FILE

A file is the datagrams one after another, each behind its length in four bytes of the host's order."""
import socket
import struct
import sys

kind, path = sys.argv[1:]
sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
if kind == "links":
    # struct ifinfomsg, then IFLA_EXT_MASK = RTEXT_FILTER_SKIP_STATS
    message, content = 18, bytes(16) + struct.pack("=HHI", 8, 29, 8)
else:
    # struct if_stats_msg with the mask of IFLA_STATS_LINK_64
    message, content = 94, struct.pack("=IiI", 0, 0, 1)
sock.send(struct.pack("=IHHII", 16 + len(content), message, 0x301, 1, 0) + content)
with open(path, "wb") as file:
    done = False
    while not done:
        datagram = sock.recv(65536)
        file.write(struct.pack("=I", len(datagram)) + datagram)
        offset = 0
        while offset < len(datagram):
            length, kind = struct.unpack_from("=IH", datagram, offset)
            done = done or kind == 3
            offset += (length + 3) & ~3
