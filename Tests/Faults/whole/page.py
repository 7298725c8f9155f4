"""`sonde web` beside the agent, and those who look at its page."""

import collections
import json
import os
import random
import re
import socket
import subprocess
import threading
import time

from agent import end_with_parent, eventually
from namespace import inside

PORT = 8787
# The server says something every 15 seconds.
SILENCE = 20
INTENTS = ([{"do": "show", "value": value} for value in
            ("overview", "interfaces", "connections", "services", "talkers", "dns", "plugins")]
           + [{"do": "range", "value": value} for value in ("1h", "6h", "24h", "7d", "30d")]
           + [{"do": "metric", "value": value} for value in
              ("bandwidth.receive", "connections.tcp", "dns.queries", "dns.latency", "agent.memory")]
           + [{"do": "chart", "value": value} for value in ("line", "area", "bar")]
           + [{"do": "sort", "value": value} for value in ("importance", "name", "current", "average", "peak")]
           + [{"do": "move", "value": 1}, {"do": "fit", "value": 40}, {"do": "type", "value": "a"}, {"do": "clearFilter"},
              {"do": "toggleIdleRows"}, {"do": "togglePause"}, {"do": "togglePause"}, {"do": "dismiss"}])


class PageServer:
    """The program, in the agent's namespace."""

    def __init__(self, build, directory, namespace, control):
        self.log, self.namespace = os.path.join(directory, "web.log"), namespace
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", namespace, os.path.join(build.binaries, "sonde-web"), "--socket", control,
                 "--listen", f"127.0.0.1:{PORT}"], stdout=log, stderr=log, stdin=subprocess.DEVNULL, preexec_fn=end_with_parent,
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
        if not eventually(lambda: "#token=" in self.text(), 20):
            raise OSError(f"sonde web does not start: {self.text()[-1000:]}")
        self.token = re.search("#token=(\\w+)", self.text()).group(1)
        self.lookers = []

    def text(self):
        with open(self.log, errors="replace") as file:
            return file.read()

    def open(self, seed):
        """One window that stays open, and three that come and go."""
        self.lookers = [Looker(self, seed + number, number == 0) for number in range(4)]

    def close(self):
        for looker in self.lookers:
            looker.stop()

    def stop(self):
        """Its exit code."""
        self.process.terminate()
        try:
            return self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "killed"


class Looker:
    """A browser with one page, whose connection stays for as long as it can, or ends at random."""

    def __init__(self, server, seed, stays):
        self.server, self.random, self.stays = server, random.Random(seed), stays
        self.views, self.opened, self.answers, self.flaws = 0, 0, collections.Counter(), []
        self.last_view, self.stopped = 0, threading.Event()
        self.thread = threading.Thread(target=lambda: inside(server.namespace, self._run), daemon=True)
        self.thread.start()

    def stop(self):
        self.stopped.set()
        self.thread.join(30)

    def _run(self):
        while not self.stopped.is_set():
            try:
                self._look()
            except (OSError, ValueError) as error:
                self.answers[f"events: {type(error).__name__}"] += 1
            self.stopped.wait(1)

    def _look(self):
        """Reads one stream of events and asks for something now and then."""
        began = heard = time.monotonic()
        end = began + (1e9 if self.stays else self.random.uniform(2, 60))
        due, session, buffer = began + 1, None, b""
        with socket.create_connection(("127.0.0.1", PORT), timeout=5) as stream:
            stream.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            stream.settimeout(1)
            self.opened += 1
            while not self.stopped.is_set() and time.monotonic() < end:
                try:
                    piece = stream.recv(1 << 16)
                    if not piece:
                        self.answers["events: ended"] += 1
                        return
                    heard = time.monotonic()
                    buffer += piece
                except TimeoutError:
                    piece = b""
                if time.monotonic() - heard > SILENCE:
                    self.flaws.append(f"nothing for {SILENCE} s")
                    return
                if b"event: view" in piece:
                    self.views, self.last_view = self.views + piece.count(b"event: view"), time.monotonic()
                if session is None and (found := re.search(rb'"session":"(\w+)"', buffer)):
                    session = found.group(1).decode()
                buffer = buffer[-100:] if session else buffer
                if session and time.monotonic() > due:
                    due = time.monotonic() + self.random.uniform(0.2, 5)
                    self._want(session)

    def _want(self, session):
        """One intent, the export of the chart, or that a sink tries again."""
        choice = self.random.randrange(20)
        if choice == 0:
            return self._ask("GET", f"/export?session={session}&format={self.random.choice(['csv', 'json'])}", (200, 204, 409))
        intent = {"do": "recover", "value": self.random.choice(["write", "influx", "wire"])} if choice == 1 \
            else self.random.choice(INTENTS)
        return self._ask("POST", f"/intent?session={session}", (204,), json.dumps(intent).encode())

    def _ask(self, method, path, allowed, body=b""):
        with socket.create_connection(("127.0.0.1", PORT), timeout=10) as connection:
            connection.sendall(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                               f"{self.server.token}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
                               .encode() + body)
            answer = b""
            while piece := connection.recv(1 << 16):
                answer += piece
        status = int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0
        self.answers[f"{method} {status}"] += 1
        if status not in allowed:
            self.answers[f"{path.partition('?')[0]} {status} {answer[-150:]!r}"] += 1
