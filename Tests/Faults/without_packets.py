#!/usr/bin/env python3
"""`without_packets.py COMMAND…`: runs a command whose packet sockets the kernel refuses.

It answers EAFNOSUPPORT, as to a service of systemd whose RestrictAddressFamilies= has no AF_PACKET.
"""

import ctypes
import errno
import os
import socket
import struct
import sys

# linux/prctl.h, linux/seccomp.h and linux/bpf_common.h; the number is socket(2) of x86-64.
NO_NEW_PRIVS, SET_SECCOMP, FILTER = 38, 22, 2
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE, CALL = 0x7FFF0000, 0x00050000, 41


def main():
    steps = [(LOAD, 0, 0, 0), (EQUAL, 0, 3, CALL), (LOAD, 0, 0, 16), (EQUAL, 0, 1, socket.AF_PACKET),
             (RETURN, 0, 0, REFUSE | errno.EAFNOSUPPORT), (RETURN, 0, 0, ALLOW)]
    program = b"".join(struct.pack("HBBI", *step) for step in steps)
    held = ctypes.create_string_buffer(program)
    descriptor = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(SET_SECCOMP, FILTER, descriptor, 0, 0):
        sys.exit(f"no filter: {os.strerror(ctypes.get_errno())}")
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
