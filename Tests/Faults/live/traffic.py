"""Frames of every kind, sent from the far ends of veths at a steady rate, whatever becomes of the veths."""

import ctypes
import os
import random
import socket
import struct
import subprocess
import sys
import threading
import time

CLONE_NEWNET = 0x40000000
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
MACS = bytes.fromhex("020000000001020000000002")
TICK = 0.01


def mixed(path, count=4000):
    """Frames of the generated capture that the benchmarks use, as long as they were on the wire."""
    script = os.path.join(ROOT, "Benchmarks/yardsticks/gen_capture.py")
    subprocess.run([sys.executable, script, "--profile", "mix", "--packets", str(count), "--out", path],
                   check=True, stdout=subprocess.DEVNULL)
    with open(path, "rb") as file:
        data = file.read()
    frames, place = [], 24
    while place + 16 <= len(data):
        captured, length = struct.unpack_from("<8xII", data, place)
        frame = data[place + 16:place + 16 + captured]
        frames.append(frame.ljust(min(max(length, 60), 1514), b"\0"))
        place += 16 + captured
    return frames


def ipv4(source, destination, protocol, payload):
    header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 1, 0, 64, protocol, 0, source, destination)
    return MACS + b"\x08\0" + header + payload


def udp(source, destination, ports, payload):
    return ipv4(source, destination, 17, struct.pack(">HHHH", *ports, 8 + len(payload), 0) + payload)


def dns(number, name, flags=0x0100):
    labels = b"".join(bytes([len(label)]) + label for label in name.split(b".")) + b"\0"
    return struct.pack(">HHHHHH", number, flags, 1, 0, 0, 0) + labels + struct.pack(">HH", 1, 1)


def garbage(random_, base):
    """Frames that are broken in one of the ways that decoders have died of."""
    kind = random_.randrange(8)
    if kind == 0:
        return [random_.randbytes(random_.randrange(14, 200))]
    if kind == 1:
        frame = bytearray(random_.choice(base))
        for _ in range(random_.randrange(1, 8)):
            frame[random_.randrange(min(len(frame), 120))] = random_.randrange(256)
        return [bytes(frame)]
    if kind == 2:
        return [MACS + b"\x81\0\0\7" * 10 + b"\x08\0" + b"\x45" + bytes(40)]
    if kind == 3:
        # 175 hop-by-hop headers.
        chain = b"\0\0" + bytes(6)
        return [MACS + b"\x86\xdd" + struct.pack(">IHBB", 6 << 28, 1400, 0, 64) + bytes(32) + chain * 175]
    if kind == 4:
        # A name that points at itself, one of 64 octets, a count of 65535.
        message = random_.choice([
            struct.pack(">HHHHHH", 1, 0x100, 1, 0, 0, 0) + b"\xc0\x0c\0\1\0\1",
            struct.pack(">HHHHHH", 1, 0x100, 1, 0, 0, 0) + b"\x40" + b"a" * 64 + b"\0\0\1\0\1",
            struct.pack(">HHHHHH", 1, 0x100, 65535, 0, 0, 0) + b"\1a\0\0\1\0\1", b"\0", bytes(12)])
        return [udp(b"\x0a\1\0\1", b"\x0a\1\0\2", (random_.randrange(1024, 65536), 53), message)]
    if kind == 5:
        # DNS over TCP that announces 65,535 bytes and sends one.
        host, port, number = b"\x0a\1" + random_.randbytes(2), random_.randrange(1024, 65536), random_.getrandbits(31)
        parts = [(number, 0x02, b""), (number + 1, 0x18, b"\xff\xff\0")]
        return [ipv4(host, b"\x0a\1\0\2", 6, struct.pack(">HHIIBBHHH", port, 53, sequence, 0, 0x50, flags, 1024, 0, 0)
                     + data) for sequence, flags, data in parts]
    if kind == 6:
        # IPv4 whose header or length cannot be right, and overlapping fragments.
        frame = bytearray(ipv4(b"\x0a\1\0\1", b"\x0a\1\0\2", 6, bytes(40)))
        place, value = random_.choice([(14, 0x41), (14, 0x4f), (16, 0), (17, 5), (20, 0x20), (21, 0x01), (23, 132)])
        frame[place] = value
        return [bytes(frame)]
    return [MACS + struct.pack(">H", random_.randrange(65536)) + random_.randbytes(random_.randrange(46))]


class Traffic:
    """Sends `rate` frames a second, in turn on each of the named interfaces of a namespace, until it is stopped."""

    def __init__(self, namespace, interfaces, rate, seed, directory):
        self.namespace, self.interfaces, self.rate = namespace, interfaces, rate
        self.random, self.sent, self.refused = random.Random(seed), {name: 0 for name in interfaces}, 0
        self.base = mixed(os.path.join(directory, "mix.pcap"))
        self.sockets, self.next_try, self.orders = {}, {}, []
        self.number, self.stopped = 0, threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        self.thread.start()
        return self

    def stop(self):
        self.stopped.set()
        self.thread.join()

    def burst(self, interface, count):
        """Sends so many large frames at once, and waits until they are on their way."""
        done = threading.Event()
        self.orders.append((interface, count, done))
        done.wait(30)

    def frames(self):
        """The next frames: mixed traffic of ever other hosts, DNS of ever other names, and garbage."""
        self.number += 1
        choice = self.number % 20
        if choice == 0:
            return garbage(self.random, self.base)
        if choice < 4:
            return [self.message()]
        frame = self.base[self.number % len(self.base)]
        if choice < 8 and frame[12:14] == b"\x08\0":
            frame = frame[:27] + self.random.randbytes(3) + frame[30:]
        return [frame]

    def message(self):
        """A query, or the answer to the one before; a third is never answered."""
        number = self.number // 20 * 3 + self.number % 20
        client = b"\x0a\2" + struct.pack(">H", number // 64 % 65536)
        identity = number // 3 % 65536
        name = b"n%x.example.org" % (number // 3 % 1000003)
        ports = (1024 + identity % 60000, 53)
        if self.number % 20 == 2:
            return udp(b"\x0a\2\xff\x35", client, ports[::-1], dns(identity, name, 0x8180 | self.random.choice([0, 0, 2, 3])))
        return udp(client, b"\x0a\2\xff\x35", ports, dns(identity, name))

    def _run(self):
        due, began = 0.0, time.monotonic()
        while not self.stopped.is_set():
            time.sleep(TICK)
            while self.orders:
                interface, count, done = self.orders.pop(0)
                for _ in range(count):
                    self._send(interface, MACS + b"\x88\xb5" + bytes(1400))
                done.set()
            # After a standstill nobody catches up.
            due = min(due + self.rate * (time.monotonic() - began), self.rate / 4)
            began = time.monotonic()
            while due >= 1:
                name = self.interfaces[self.number // 7 % len(self.interfaces)]
                for frame in self.frames():
                    due -= 1
                    self._send(name, frame)

    def _send(self, name, frame):
        end = self.sockets.get(name) or self._open(name)
        if end is None:
            self.refused += 1
            return
        try:
            end.send(frame)
            self.sent[name] += 1
        except OSError as error:
            self.refused += 1
            # EMSGSIZE, ENOBUFS: this frame only. Otherwise the interface is not what it was.
            if error.errno not in (90, 105):
                end.close()
                self.sockets[name] = None

    def _open(self, name):
        now = time.monotonic()
        if now < self.next_try.get(name, 0):
            return None
        self.next_try[name] = now + 0.05
        try:
            with open(f"/run/netns/{self.namespace()}") as file:
                if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), CLONE_NEWNET) != 0:
                    return None
            end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
            try:
                end.bind((name, 0))
            except OSError:
                end.close()
                return None
            self.sockets[name] = end
            return end
        except OSError:
            return None
