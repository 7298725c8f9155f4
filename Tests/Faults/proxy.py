"""A proxy between agents and a central server that records remote write and fails on demand; the oracle over it.

What it has acknowledged, and nothing else, is what an agent may count as delivered: the oracle compares that with what the
agents collected, and with what the server has.
"""

import collections
import http.client
import socket
import struct
import threading
import time

import remote_write

WRITTEN = "x-prometheus-remote-write-samples-written"
NUMBER = "fault_number_ratio"


class Exchange:
    """One request and what became of it."""

    def __init__(self, headers, series, is_two):
        self.series, self.is_two, self.time = series, is_two, time.monotonic()
        self.attempt = int(headers.get("retry-attempt", 0))
        self.count = sum(len(samples) for _, samples in series)
        # What the agent was answered; None: nothing. What of it the server has said that it wrote; None: nothing.
        self.status, self.written, self.was_forwarded = None, None, False

    @property
    def is_acknowledged(self):
        """Whether the agent may take all of it as delivered."""
        if self.status is None or not 200 <= self.status < 300:
            return False
        return not self.is_two or (self.written or 0) >= self.count

    @property
    def is_refused(self):
        """Whether the agent has to count some of it as refused, and not to send it again."""
        is_partly_written = self.is_two and self.written is not None and self.written < self.count
        return self.was_forwarded and (self.status in (400, 409, 422) or is_partly_written and self.status < 300)

    @property
    def agent(self):
        """The id of the agent that sent it."""
        return dict(self.series[0][0]).get("instance") if self.series else None

    def numbers(self):
        """The numbers in it, each with its agent."""
        for key, samples in self.series:
            labels = dict(key)
            if labels["__name__"] == NUMBER:
                for _, bits in samples:
                    if bits != remote_write.STALE:
                        yield labels["instance"], int(struct.unpack("<d", struct.pack("<Q", bits))[0])


class Proxy:
    """Answers each POST as `mode` says, and forwards it to `server` unless it says otherwise.

    "pass"; a status with an optional Retry-After; "hang"; "reset": before it is forwarded; "reset-after"; "half": the server's
    status and half a body; "strip": without what says how much was written; "no-two-415", "no-two-400", "no-two-204": a receiver
    that knows 1.0 only; "no-one-415": one that knows 2.0 only; "lie": says that all is written and forwards nothing.
    """

    def __init__(self, server=None):
        self.server, self.mode, self.retry_after, self.delay = server, "pass", None, 0
        self.exchanges, self.lock = [], threading.Lock()
        # The largest number by agent that was acknowledged or refused.
        self.highest = collections.Counter()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/api/v1/write"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self.listener.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client, client.makefile("rb") as stream:
            try:
                while self._exchange(client, stream):
                    pass
            except (OSError, ValueError, http.client.HTTPException):
                return

    def _exchange(self, client, stream):
        if not stream.readline():
            return False
        headers = {}
        while (line := stream.readline().strip()):
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        length = int(headers["content-length"])
        body = stream.read(length)
        if len(body) < length:
            return False
        is_two = "v2" in headers["content-type"]
        exchange = Exchange(headers, remote_write.series(remote_write.unsnap(body), is_two), is_two)
        with self.lock:
            self.exchanges.append(exchange)
        return self._answer(client, exchange, headers, body)

    def _answer(self, client, exchange, headers, body):
        mode = self.mode
        if mode == "hang":
            client.recv(1)
            return False
        if mode == "reset":
            return self._reset(client)
        refused = self._refusal(mode, exchange)
        if refused:
            return self._say(client, exchange, *refused)
        status, fields, text = self._forward(exchange, headers, body)
        if self.delay:
            time.sleep(self.delay)
        if status is None or mode == "reset-after":
            return self._reset(client)
        if mode == "half" and status < 300:
            lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
            self._note(exchange, status, fields)
            client.sendall(f"HTTP/1.1 200 OK\r\n{lines}Content-Length: 100\r\n\r\nhalf".encode())
            return False
        return self._say(client, exchange, status, {} if mode == "strip" else fields, text)

    def _refusal(self, mode, exchange):
        """What is answered in place of the server; None: it is asked."""
        if isinstance(mode, int):
            return mode, ({} if self.retry_after is None else {"Retry-After": self.retry_after}), b""
        if mode == "lie":
            return 204, {"X-Prometheus-Remote-Write-Samples-Written": str(exchange.count)}, b""
        if exchange.is_two and mode.startswith("no-two-") or not exchange.is_two and mode.startswith("no-one-"):
            return int(mode[-3:]), {}, b""
        return None

    @staticmethod
    def _reset(client):
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False

    def _forward(self, exchange, headers, body):
        """The server's status, what it says of what it wrote, and its words; None three times where it does not answer."""
        passed = {name: headers[name] for name in ("content-type", "content-encoding", "user-agent",
                                                   "x-prometheus-remote-write-version") if name in headers}
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        try:
            connection.request("POST", "/api/v1/write", body, passed)
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            return None, None, None
        finally:
            connection.close()
        exchange.was_forwarded = True
        fields = {name: value for name, value in answer.getheaders() if name.lower().endswith("-written")}
        return answer.status, fields, text

    def _say(self, client, exchange, status, fields, text):
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        lines += f"Content-Length: {len(text)}\r\n" if status != 204 else ""
        # Noted before it is sent: an agent that knows it has it is never ahead of the record.
        self._note(exchange, status, fields)
        client.sendall(f"HTTP/1.1 {status} Said\r\n{lines}\r\n".encode() + (text if status != 204 else b""))
        return True

    def _note(self, exchange, status, fields):
        written = {name.lower(): value for name, value in fields.items()}.get(WRITTEN)
        with self.lock:
            exchange.status, exchange.written = status, None if written is None else int(written)
            if exchange.is_acknowledged or exchange.is_refused:
                for agent, number in exchange.numbers():
                    self.highest[agent] = max(self.highest[agent], number)

    def count(self, since=0):
        """How many requests came, and how many of them were acknowledged."""
        with self.lock:
            seen = self.exchanges[since:]
        return len(seen), sum(exchange.is_acknowledged for exchange in seen)

    def statuses(self, since=0):
        """How often each status was answered; None: no answer."""
        with self.lock:
            return collections.Counter(exchange.status for exchange in self.exchanges[since:])

    def rejected(self, agent):
        """How many samples of an agent were refused for good: it has to have counted them."""
        with self.lock:
            return sum(exchange.count - (exchange.written or 0) for exchange in self.exchanges
                       if exchange.is_refused and exchange.agent == agent)

    def record(self):
        """What the oracle judges."""
        with self.lock:
            return Record(list(self.exchanges))


class Record:
    """What was acknowledged, what was refused or only partly written, and what should never be seen."""

    def __init__(self, exchanges):
        self.flaws, self.repeated, self.lost_answers = [], 0, 0
        # By series, milliseconds and bits.
        self.acknowledged, self.refused, self.offered = {}, {}, {}
        # Acknowledged, by agent.
        self.numbers = collections.defaultdict(set)
        self._last = {}
        for exchange in exchanges:
            if exchange.was_forwarded:
                self._keep(exchange, self.offered)
            if exchange.is_acknowledged:
                self._take(exchange)
            elif exchange.is_refused:
                self._keep(exchange, self.refused)
            elif exchange.was_forwarded:
                self.lost_answers += 1

    @staticmethod
    def _keep(exchange, table):
        for key, samples in exchange.series:
            table.setdefault(key, {}).update(samples)

    def _take(self, exchange):
        for key, samples in exchange.series:
            known, last = self.acknowledged.setdefault(key, {}), self._last.get(key, -1)
            for milliseconds, bits in samples:
                if milliseconds in known:
                    self.repeated += 1
                    if known[milliseconds] != bits:
                        self.flaws.append(f"another value at {milliseconds} of {dict(key)}")
                elif milliseconds < last:
                    self.flaws.append(f"{milliseconds} after {last} of {dict(key)}")
                known[milliseconds] = bits
                last = max(last, milliseconds)
            self._last[key] = last
        for agent, number in exchange.numbers():
            self.numbers[agent].add(number)


def values(table):
    """Samples by series and milliseconds with their values, without the marks of ended series: servers show none."""
    found = {}
    for key, samples in table.items():
        shown = {at: struct.unpack("<d", struct.pack("<Q", bits))[0]
                 for at, bits in samples.items() if bits != remote_write.STALE}
        if shown:
            found[key] = shown
    return found


def without(table, other):
    """How many samples of a table the other does not have."""
    return sum(1 for key, samples in table.items() for at, value in samples.items()
               if other.get(key, {}).get(at) != value)
