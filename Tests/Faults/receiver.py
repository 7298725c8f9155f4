"""A receiver on loopback that fails on demand, and the oracle over what it has taken."""

import collections
import re
import socket
import struct
import threading
import time
import zlib

# The header field in which an agent may say which of its lives it is in.
LIFE = "X-Life"
NUMBER = re.compile(rb'"name":"fault\.number"[^\n]*?"value":(\d+)')


class Batch:
    """One batch that the receiver has taken."""

    __slots__ = ("identity", "crc", "numbers", "time", "life", "address")

    def __init__(self, identity, crc, numbers, life, address):
        self.identity, self.crc, self.numbers, self.time = identity, crc, numbers, time.monotonic()
        self.life, self.address = life, address


def runs(values):
    """The values in order as runs [first, last] of consecutive numbers."""
    found = []
    for value in values:
        if found and value == found[-1][1] + 1:
            found[-1][1] = value
        else:
            found.append([value, value])
    return found


class Receiver:
    """Answers every POST as `mode` says: "ok", "hang", "reset", or a status with an optional Retry-After."""

    def __init__(self, address="127.0.0.1", port=0):
        self.mode, self.retry_after, self.delay = "ok", None, 0
        self.batches, self.attempts, self.bodies, self.points = [], [], {}, 0
        self.flaws = []
        self.keeps = True
        self.lock = threading.Lock()
        self.address = address
        self.listener = socket.create_server((address, port), backlog=512)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://{address}:{self.port}/ingest"
        threading.Thread(target=self._accept, daemon=True).start()

    def share(self, other):
        """Puts what it takes to what `other` takes, as one receiver that has two addresses."""
        self.lock, self.batches, self.attempts = other.lock, other.batches, other.attempts
        self.bodies, self.flaws = other.bodies, other.flaws

    def down(self):
        """Refuses connections from now on, and resets those that stand."""
        self.mode = "reset"
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def up(self):
        """Listens again at the same port."""
        self.mode = "ok"
        self.listener = socket.create_server((self.address, self.port), backlog=512)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        listener = self.listener
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client, client.makefile("rb") as stream:
            try:
                while self._exchange(client, stream):
                    pass
            except (OSError, ValueError):
                return

    def _exchange(self, client, stream):
        if not stream.readline():
            return False
        headers = {}
        while (line := stream.readline().strip()):
            name, _, value = line.partition(b":")
            headers[name.lower()] = value.strip().decode()
        length = int(headers[b"content-length"])
        body = stream.read(length)
        if len(body) < length:
            return False
        mode = self.mode
        if headers.get(b"content-encoding") == "gzip":
            body = zlib.decompress(body, 31)
        self._note(headers, body, mode == "ok")
        if mode == "hang":
            client.recv(1)
            return False
        if mode == "reset":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        if self.delay:
            time.sleep(self.delay)
        status = 204 if mode == "ok" else mode
        extra = f"Retry-After: {self.retry_after}\r\n" if self.retry_after is not None and mode != "ok" else ""
        client.sendall(f"HTTP/1.1 {status} Said\r\n{extra}Content-Length: 0\r\n\r\n".encode()
                       if status != 204 else b"HTTP/1.1 204 No Content\r\n\r\n")
        return True

    def _note(self, headers, body, taken):
        identity = headers[b"sonde-batch"]
        if "-now/" in identity:
            # Gauges of the agent, ahead of the log.
            return
        if not self.keeps:
            with self.lock:
                self.points += int(headers[b"sonde-points"])
            return
        crc = zlib.crc32(body)
        numbers = runs(int(text) for text in NUMBER.findall(body))
        with self.lock:
            self.attempts.append((time.monotonic(), identity))
            if self.bodies.setdefault(identity, crc) != crc:
                self.flaws.append(f"{identity} came with another body")
            if body.count(b"\n") != int(headers[b"sonde-points"]):
                self.flaws.append(f"{identity} has not as many lines as it says")
            if taken:
                self.points += int(headers[b"sonde-points"])
                life = int(headers.get(LIFE.lower().encode(), 0))
                self.batches.append(Batch(identity, crc, numbers, life, self.address))

    @property
    def last(self):
        """The largest number taken so far."""
        with self.lock:
            return max((batch.numbers[-1][1] for batch in self.batches if batch.numbers), default=0)

    def verdict(self):
        """What the oracle says of all that was taken."""
        return Verdict(self)


class Verdict:
    """Missing numbers, batches that came twice, and whatever should never be seen."""

    def __init__(self, receiver):
        with receiver.lock:
            batches, self.flaws = list(receiver.batches), list(receiver.flaws)
        self.missing, self.duplicates, self.duplicate_points, self.last = 0, 0, 0, 0
        # How often a batch of an earlier life came again in a life, and how often one of the same life.
        self.after_kills, self.within_lives = collections.Counter(), 0
        seen, lives = set(), {}
        for batch in batches:
            if batch.identity in seen:
                self.duplicates += 1
                self.duplicate_points += sum(last - first + 1 for first, last in batch.numbers)
                if batch.life == lives[batch.identity]:
                    self.within_lives += 1
                else:
                    self.after_kills[batch.life] += 1
                lives[batch.identity] = batch.life
                continue
            lives[batch.identity] = batch.life
            seen.add(batch.identity)
            for first, last in batch.numbers:
                if first <= self.last:
                    self.flaws.append(f"{batch.identity} has {first} after {self.last}")
                self.missing += max(0, first - self.last - 1)
                self.last = max(self.last, last)
        self.batches = len(seen)
        self._check_stretches(batches)

    def _check_stretches(self, batches):
        ends = {}
        seen = set()
        for batch in batches:
            if batch.identity in seen:
                continue
            seen.add(batch.identity)
            agent, epoch, stretch = batch.identity.split("/")
            first, last = map(int, stretch.split("-"))
            if first <= ends.get((agent, epoch), 0):
                self.flaws.append(f"stretch {stretch} overlaps one that was taken")
            ends[agent, epoch] = max(last, ends.get((agent, epoch), 0))

    def __str__(self):
        flaws = f", {len(self.flaws)} FLAWS: {self.flaws[0]}" if self.flaws else ""
        return (f"{self.last} numbers in {self.batches} batches, {self.missing} missing, "
                f"{self.duplicates} batches twice ({self.duplicate_points} points){flaws}")
