"""Runs the sink in the agent against receivers of each transport: make check."""
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent.parent
SONDE = os.environ.get("SONDE", "/usr/bin/sonde")
MESSAGE = re.compile(
    r"<134>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z web-1 sonde - metric"
    r' \[metric@32473 name="([^"]+)" kind="(counter|gauge|updown|histogram|info)"( unit="[^"]+")? value="[-+.0-9e]+"( sum="\S+")?\]'
    r'(\[attributes@32473( [^ ="\]]{1,32}="([^"\\\]]|\\["\\\]])*")+\])?'
    r'\[labels@32473 quote="a\\"b\\\\c\\\]d" site="fra1"\]')


def configuration(folder, sink):
    path = folder / "sonde.yaml"
    path.write_text(f"""
version: 1
agent:
  interval: 200ms
  host: web-1
  control_socket: none
  labels: {{ site: fra1, quote: 'a"b\\c]d' }}
sources: [{{ id: kernel, plugin: procnet, tables: [dev], level: extended }}]
sinks: [{{ id: loghost, plugin: syslog, batch: {{ wait: 50ms }}, retry: {{ base: 100ms, cap: 200ms }}, {sink} }}]
""", encoding="utf-8")
    return path


class Agent:
    """A running agent, stopped at the end."""

    def __init__(self, folder, sink):
        self.log = open(folder / "log", "wb")
        self.process = subprocess.Popen(
            [SONDE, "run", "-c", configuration(folder, sink), "--plugin-dir", HERE], stdout=self.log, stderr=self.log)

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        self.process.terminate()
        self.process.wait(timeout=30)
        self.log.close()


def frames(connection):
    """The messages of a TCP connection by octet counting, until it ends."""
    stream = connection.makefile("rb")
    while True:
        head = b""
        while not head.endswith(b" "):
            byte = stream.read(1)
            if not byte:
                return
            head += byte
        yield stream.read(int(head))


class SyslogTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def listen(self, family, kind, address):
        receiver = socket.socket(family, kind)
        self.addCleanup(receiver.close)
        receiver.settimeout(30)
        receiver.bind(address)
        return receiver

    def expect_traffic(self, messages):
        """Takes messages until one has the traffic of an interface; each has to be right."""
        for message in messages:
            found = MESSAGE.fullmatch(message.decode())
            self.assertIsNotNone(found, message)
            if found[1] == "system.network.io":
                self.assertIn('network.interface.name="lo"', message.decode())
                return
        self.fail("the connection has ended")

    def test_udp(self):
        for family, address in [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]:
            receiver = self.listen(family, socket.SOCK_DGRAM, (address, 0))
            port = receiver.getsockname()[1]
            with Agent(self.folder, f'transport: udp, address: "{address}", port: {port}'):
                self.expect_traffic(iter(lambda: receiver.recv(65536), None))

    def test_unix(self):
        path = str(self.folder / "log.sock")
        receiver = self.listen(socket.AF_UNIX, socket.SOCK_DGRAM, path)
        with Agent(self.folder, f"transport: unix, address: {path}"):
            self.expect_traffic(iter(lambda: receiver.recv(65536), None))

    def test_tcp_and_a_receiver_that_comes_back(self):
        receiver = self.listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        receiver.listen()
        with Agent(self.folder, f"transport: tcp, address: 127.0.0.1, port: {receiver.getsockname()[1]}"):
            for _ in range(2):
                connection, _ = receiver.accept()
                connection.settimeout(30)
                with connection:
                    self.expect_traffic(frames(connection))

    def test_a_receiver_that_is_not_there_is_a_failure_that_passes(self):
        receiver = self.listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
        port = receiver.getsockname()[1]  # bound and not listening: refused
        with Agent(self.folder, f"transport: tcp, address: 127.0.0.1, port: {port}"):
            while b"SYSLOG-002" not in (self.folder / "log").read_bytes():
                time.sleep(0.01)
            receiver.listen()
            connection, _ = receiver.accept()
            connection.settimeout(30)
            with connection:
                self.expect_traffic(frames(connection))

    def check(self, path):
        return subprocess.run([SONDE, "check", "-c", path, "--plugin-dir", HERE], capture_output=True, text=True, check=False)

    def test_the_sample_is_valid(self):
        result = self.check(HERE / "sample.yaml")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_an_address_that_is_none_is_refused_with_its_place(self):
        for sink in ["transport: tcp, address: loghost", "transport: udp, address: 1.2.3", "transport: unix, address: dev/log",
                     f"transport: unix, address: /{'x' * 107}"]:
            result = self.check(configuration(self.folder, sink))
            self.assertEqual(result.returncode, 78)
            self.assertRegex(result.stderr, r"sonde.yaml:9:\d+: error\[SYSLOG-001\]")


if __name__ == "__main__":
    unittest.main()
