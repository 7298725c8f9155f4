"""An agent and `sonde web` beside it, in a folder of their own; both end with this program."""

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "Tests/Faults"))

from agent import end_with_parent, eventually  # noqa: E402
from report import Skipped  # noqa: E402
from servers import free_port  # noqa: E402

# SONDE=PATH takes another agent.
BINARIES = os.path.realpath(os.environ.get("BINARIES", os.path.join(ROOT, ".build/debug")))


def program(name):
    path = os.path.join(BINARIES, name)
    if not os.access(path, os.X_OK):
        raise Skipped(f"{path} is not there: make web builds it, BINARIES=FOLDER names others")
    return path


class House:
    """What a page shows: an agent, or one that a case makes up, and the server of the page."""

    def __init__(self, folder, stand_in=None, history=True, token=None):
        self.folder, self.stand_in, self.history, self.given = folder, stand_in, history, token
        self.socket = os.path.join(folder, "sonde.sock")
        self.port, self.token = free_port(), token
        self.agent = self.web = None
        os.makedirs(folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def spawn(self, command, log):
        with open(self.path(log), "ab") as file:
            return subprocess.Popen(command, stdout=file, stderr=file, stdin=subprocess.DEVNULL, preexec_fn=end_with_parent,
                                    env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"})

    def configuration(self):
        state = f", state_dir: {self.path('state')}" if self.history else ""
        return f"""version: 1
agent: {{ interval: 1s, host: probe-1, control_socket: {self.socket}, shutdown_grace: 1s{state} }}
sources:
  - {{ id: kernel, plugin: procnet }}
sinks:
  - {{ id: local, plugin: file, path: {self.path('local')} }}
  - {{ id: central, plugin: http, url: "http://127.0.0.1:1/", format: json, retry: {{ base: 60s, cap: 60s }} }}
"""

    def start_agent(self):
        if self.stand_in:
            with open(self.path("stand_in.py"), "w") as file:
                file.write(self.stand_in)
            self.agent = self.spawn([sys.executable, "-B", self.path("stand_in.py"), self.socket], "agent.log")
        else:
            with open(self.path("sonde.yaml"), "w") as file:
                file.write(self.configuration())
            self.agent = self.spawn([os.environ.get("SONDE") or program("sonde"), "run", "-c", self.path("sonde.yaml")], "agent.log")
        if not eventually(lambda: self.ask("snapshot"), 20, 0.05):
            raise RuntimeError(f"the agent does not answer: {self.text('agent.log')[-800:]}")

    def start_web(self):
        before = len(self.text("web.log"))
        options = []
        if self.given:
            with open(self.path("token"), "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                file.write(self.given)
            options = ["--token-file", self.path("token")]
        self.web = self.spawn([program("sonde"), "web", "--socket", self.socket, "--listen", f"127.0.0.1:{self.port}", *options],
                              "web.log")
        link = lambda: re.search(r"http://[^\s#]+(?:#token=(\S+))?", self.text("web.log")[before:])
        if not eventually(lambda: link() or self.web.poll() is not None, 20, 0.02) or not link():
            raise RuntimeError(f"sonde web does not start: {self.text('web.log')[-800:]}")
        self.token = link().group(1) or self.given

    def start(self):
        self.start_agent()
        self.start_web()
        return self

    def text(self, name):
        try:
            with open(self.path(name), errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def ask(self, request, **members):
        """The agent's answer; None when it says nothing."""
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(5)
                client.connect(self.socket)
                client.sendall(json.dumps({"request": request, **members}).encode() + b"\n")
                return json.loads(client.makefile().readline()).get(request)
        except (OSError, ValueError):
            return None

    def sink(self, name):
        return next(sink for sink in self.ask("status")["sinks"] if sink["id"] == name)

    def sonde(self, *arguments):
        """What a command of sonde prints."""
        done = subprocess.run([program("sonde"), *arguments, "--socket", self.socket], capture_output=True, text=True)
        return done.stdout

    def resident(self):
        """Resident memory of sonde web in MiB."""
        with open(f"/proc/{self.web.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024

    def stop(self, *names):
        for name in names or ("web", "agent"):
            process = getattr(self, name)
            if process and process.poll() is None:
                process.terminate()
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


class Traffic:
    """Bytes over the loopback interface, so that numbers move."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.is_over = False
        for work in (self.take, self.send):
            threading.Thread(target=work, daemon=True).start()

    def take(self):
        client, _ = self.listener.accept()
        while client.recv(65536):
            pass

    def send(self):
        with socket.create_connection(self.listener.getsockname()) as client:
            size = 1
            while not self.is_over:
                client.sendall(b"x" * (size * 1000))
                size = size % 17 + 1
                time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.listener.close()


class Stream:
    """One page's events as a program reads them."""

    def __init__(self, house):
        self.client = socket.create_connection(("127.0.0.1", house.port))
        self.client.sendall(f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\nAccept: text/event-stream\r\n\r\n".encode())
        self.client.setblocking(False)
        self.views, self.bytes, self.last = 0, 0, b""

    def read(self):
        """Counts what has come."""
        try:
            while piece := self.client.recv(1 << 16):
                self.bytes += len(piece)
                text = self.last + piece
                self.views += text.count(b"event: view")
                # A name that is cut is counted with what follows.
                self.last = b"" if text.endswith(b"event: view") else text[-10:]
        except BlockingIOError:
            pass

    def close(self):
        self.client.close()
