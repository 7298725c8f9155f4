#!/usr/bin/python3
"""Pictures of the page for README and docs: a host with real traffic, in a namespace of its own.

usage: screenshots.py [FOLDER]    BINARIES=FOLDER, MINUTES=15 of traffic before; needs root, Chromium, unbound and dnsperf
"""

import math
import os
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "Tests/Centre"))

import lab  # noqa: E402
from browser import Browser, chromium  # noqa: E402
from house import House, Skipped, program  # noqa: E402

MINUTES = float(os.environ.get("MINUTES", "15"))

ADDRESSES = [f"10.94.0.{number}" for number in range(10, 34)]

# A day of a service in five minutes: quiet and busy times, bursts, and clients some of which ask more than others.
CLIENT = f"""
import math, random, socket, time
random.seed(7)
addresses = {ADDRESSES!r}
kept = []
def connect():
    client = socket.socket()
    client.bind((addresses[min(int(random.expovariate(0.25)), len(addresses) - 1)], 0))
    client.connect(("10.94.0.1", 8000))
    return client
while True:
    busy = 1 + math.sin(time.time() / 48) + (2 if random.random() < 0.02 else 0)
    try:
        while len(kept) < 12 * busy: kept.append(connect())
        while len(kept) > 12 * busy + 3: kept.pop().close()
        for _ in range(int(busy * 2 + random.random())):
            with connect() as client:
                client.sendall(b"please")
                while client.recv(65536): pass
    except OSError:
        time.sleep(1)
    time.sleep(0.05)
"""


def join_clients(host):
    """Gives the clients' side the addresses that they ask from."""
    inside = ["nsenter", f"--net=/proc/{host.processes[0].pid}/ns/net"]
    for address in ADDRESSES:
        lab.run(*inside, "ip", "addr", "add", f"{address}/24", "dev", "eth0")


class Scene(House):
    """The agent of the pictures: every source, one sink that works and one that does not."""

    def __init__(self, folder, host):
        super().__init__(folder)
        self.host = host

    def configuration(self):
        return f"""version: 1
agent: {{ interval: 1s, host: edge-1, state_dir: {self.path('state')}, control_socket: {self.socket} }}
sources:
  - {{ id: kernel, plugin: procnet, level: extended, sockets: detail }}
  - {{ id: why, plugin: drops }}
  - {{ id: wire, plugin: pcap, level: extended, interface: {self.host.device}, dns_timeout: 1s }}
  - id: resolver
    plugin: dnslog
    level: extended
    path: {self.host.path('unbound.log')}
    resolver: "10.94.0.1:53"
    timeout: 2s
sinks:
  - {{ id: local, plugin: file, path: {self.path('local')} }}
  - {{ id: central, plugin: http, format: prometheus_remote_write, url: "http://metrics.example.net:9090/api/v1/write" }}
"""


def wait_for_busy_times():
    """Returns when the clients are busy."""
    while math.sin(time.time() / 48) < 0.4:
        time.sleep(1)


def take(page, path, height=None):
    # What hovers and what has the focus would be in the picture.
    page.run("document.activeElement.blur()")
    page.mouse("mouseMoved", 1, 1, "none")
    time.sleep(1.5)
    page.picture(path, height)
    print(f"{path}: {os.path.getsize(path) // 1024} KiB", flush=True)


def pictures(house, folder, began):
    # Only what there was: an hour would be a gap for the most part.
    zoom = f"&zoom={int(max(began + 5, time.time() - 900))}-{int(time.time())}"
    with Browser() as browser:
        def show(hash, what=".tile, #table .row[aria-rowindex]", **options):
            page = browser.open(f"{house.url}#{hash}{zoom}", **options)
            page.wait(f"document.body.dataset.ready && document.querySelector({what!r}) && document.querySelector('#chart .line').getAttribute('d')")
            time.sleep(2)
            return page

        page = show("tab=overview&metric=bandwidth.transmit", width=1280, height=800)
        # The tiles draw what they have seen.
        time.sleep(40)
        wait_for_busy_times()
        take(page, f"{folder}/web-overview.png")
        page.prefer(dark=True)
        page.press("3")
        page.wait("document.querySelector('#table .row[aria-rowindex]')")
        page.press("j", "c")
        take(page, f"{folder}/web-connections-dark.png")
        page.prefer(dark=False)
        page.press("5")
        page.wait("document.querySelector('#table .row[aria-rowindex]')")
        page.resize(1280, 520)
        take(page, f"{folder}/web-talkers.png")
        page = show("tab=interfaces&row=uplink0&metric=bandwidth.transmit", width=360, height=780, touch=True, scale=2)
        take(page, f"{folder}/web-phone.png")


def main():
    if chromium() is None:
        print("Chromium is not installed", file=sys.stderr)
        return 77
    folder = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "docs/images"))
    os.makedirs(folder, exist_ok=True)
    lab.enter()
    lab.CLIENT = CLIENT
    with tempfile.TemporaryDirectory() as place:
        program("sonde")
        host = lab.Host(os.path.join(place, "host")).start()
        join_clients(host)
        began = time.time()
        house = Scene(os.path.join(place, "agent"), host)
        house.start_agent()
        time.sleep(MINUTES * 60)
        house.start_web()
        pictures(house, folder, began)
        house.stop()
        host.stop()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Skipped as error:
        print(error, file=sys.stderr)
        sys.exit(77)
