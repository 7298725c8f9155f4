#!/usr/bin/env python3
"""run.py [BUILD]: what the server of the page costs; exits with 1 where a figure is above its bound.

BUILD is the folder of a release build, by default .build/release; it needs sonde, sonded, sonde-web and web-benchmark.
"""

import json
import os
import pathlib
import selectors
import socket
import subprocess
import sys
import tempfile
import time

TICK = os.sysconf("SC_CLK_TCK")
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def processor(pid):
    """Seconds of a processor that a process has taken."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory(pid, name="VmRSS"):
    """MB."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) / 1024
    return 0


class Page:
    """An open page that reads what it is sent."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.socket.setblocking(False)
        self.text = b""
        self.session = None
        self.events = 0
        self.bytes = 0

    def read(self):
        try:
            part = self.socket.recv(1 << 20)
        except BlockingIOError:
            return
        if not part:
            raise SystemExit("web: a page was closed")
        self.bytes += len(part)
        self.events += part.count(b"event: view")
        self.text = (self.text + part)[-(1 << 20):]
        if self.session is None and b'"session":"' in self.text:
            self.session = self.text.split(b'"session":"')[1][:32].decode()


def read(pages, seconds, until=None):
    """Reads what pages are sent for so long, or until something holds."""
    with selectors.DefaultSelector() as selector:
        for page in pages:
            selector.register(page.socket, selectors.EVENT_READ, page)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                key.data.read()
            if until and until():
                return True
    return False


def want(port, page, **intent):
    body = json.dumps(intent).encode()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(
            f"POST /intent?session={page.session} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = connection.recv(4096)
    if b" 204 " not in answer:
        raise SystemExit(f"web: {answer!r}")


class Server:
    def __init__(self, command, folder):
        self.process = subprocess.Popen(
            [*command, "--listen", "127.0.0.1:0", "--socket", f"{folder}/sonde.sock"], stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid
        self.port = int(self.process.stdout.readline().split("#")[0].rstrip("/\n").rsplit(":", 1)[1])

    def end(self):
        self.process.terminate()
        self.process.wait(10)


def main(build):
    with tempfile.TemporaryDirectory() as folder:
        configuration = pathlib.Path(folder, "sonde.yaml")
        configuration.write_text(
            f"version: 1\nagent: {{ interval: 1s, host: measured, state_dir: {folder}/state, control_socket: {folder}/sonde.sock }}\n"
            "sources: [{ id: kernel, plugin: procnet }]\n"
            f"sinks: [{{ id: local, plugin: file, path: {folder}/local }}]\n")
        agent = subprocess.Popen(
            [f"{build}/sonded", "run", "-c", configuration, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(5)
            return figures(build, folder, agent)
        finally:
            agent.terminate()
            agent.wait(20)


def figures(build, folder, agent):
    rows = []

    def row(what, value, unit, bound=None):
        rows.append(bound is not None and value > bound)
        print(f"{what:58} {value:9.2f} {unit}" + (f"  (at most {bound:g})" if bound is not None else ""), flush=True)

    rest = processor(agent.pid)
    time.sleep(20)
    rest = (processor(agent.pid) - rest) / 20
    row("agent that nobody looks at", rest * 100, "% of a core")

    web = Server([f"{build}/sonde-web"], folder)
    time.sleep(3)
    row("idle, resident", memory(web.pid), "MB", 32)
    row("idle, anonymous", memory(web.pid, "RssAnon"), "MB")
    before = processor(web.pid)
    time.sleep(10)
    row("idle", (processor(web.pid) - before) * 10, "% of a core", 0.5)

    pages = [Page(web.port) for _ in range(10)]
    read(pages, 3)
    before, begin = processor(agent.pid), time.monotonic()
    looked, count = processor(web.pid), sum(page.events for page in pages)
    read(pages, 20)
    span = time.monotonic() - begin
    row("agent with ten pages, more than without", ((processor(agent.pid) - before) / span - rest) * 100, "% of a core", 1)
    row("ten pages", (processor(web.pid) - looked) / span * 100, "% of a core")
    row("events to each, a second", (sum(page.events for page in pages) - count) / span / 10, "")

    pages += [Page(web.port) for _ in range(90)]
    read(pages, 3)
    before, begin = processor(web.pid), time.monotonic()
    count, size = sum(page.events for page in pages), sum(page.bytes for page in pages)
    read(pages, 20)
    span = time.monotonic() - begin
    row("100 pages", (processor(web.pid) - before) / span * 100, "% of a core")
    row("events, a second", (sum(page.events for page in pages) - count) / span, "")
    row("bytes, a second to each page", (sum(page.bytes for page in pages) - size) / span / 100, "")
    row("100 pages, resident", memory(web.pid), "MB")
    for page in pages:
        page.socket.close()
    time.sleep(3)
    row("after they were closed, resident", memory(web.pid), "MB")
    web.end()

    web = Server([f"{build}/web-benchmark", "100"], folder)
    pages = [Page(web.port) for _ in range(100)]
    read(pages, 5)
    before, begin = processor(web.pid), time.monotonic()
    count = sum(page.events for page in pages)
    # An agent that collects once a second has nothing new ten times a second: each page is given something to show.
    moves = 0
    while time.monotonic() - begin < 20:
        read(pages, 0.1)
    span = time.monotonic() - begin
    used = processor(web.pid) - before
    events = (sum(page.events for page in pages) - count) / span
    row("100 pages that ask ten times a second", used / span * 100, "% of a core")
    row("events, a second", events, "")
    row("processor time of an event", used / span / events * 1e6, "µs", 500)

    page = pages[0]
    times = []
    for _ in range(20):
        want(web.port, page, do="range", value="1h")
        read(pages, 0.5)
        page.text = b""
        begin = time.monotonic()
        want(web.port, page, do="range", value="30d")
        found = read(pages, 2, lambda: b'"range":"30d"' in page.text and b'"points":[[' in page.text)
        if found:
            times.append((time.monotonic() - begin) * 1000)
    if times:
        times.sort()
        row("a chart of 30 days after it is wanted, median", times[len(times) // 2], "ms", 50)
        row("and the slowest of 20", times[-1], "ms")
    web.end()
    return 1 if any(rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else str(ROOT / ".build/release")))
