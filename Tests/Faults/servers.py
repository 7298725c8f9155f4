"""Prometheus and VictoriaMetrics as tests run them: fetched by `make servers`, with their data in the case's directory."""

import http.client
import json
import os
import socket
import subprocess
import urllib.parse

from agent import end_with_parent, eventually
from remote_write import key
from report import Skipped

FOLDER = os.path.join(os.environ.get("SONDE_SERVERS", os.path.expanduser("~/.cache/sonde/servers")), "programs/usr/bin")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """One central server; it keeps its port and its data over a restart."""

    program = ready = ""
    # What is put before the command.
    prefix = ()

    def __init__(self, directory, data=None):
        self.path = os.path.join(FOLDER, self.program)
        if not os.access(self.path, os.X_OK):
            raise Skipped(f"{self.program} is not installed: make servers")
        self.directory, self.data = directory, data or os.path.join(directory, f"{self.program}-data")
        os.makedirs(directory, exist_ok=True)
        self.log = os.path.join(directory, f"{self.program}.log")
        self.port, self.process = free_port(), None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([*self.prefix, self.path, *self.arguments()], stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL, preexec_fn=end_with_parent)
        if not eventually(lambda: self.process.poll() is not None or self.get(self.ready) is not None, 60, 0.05) \
                or self.process.poll() is not None:
            raise RuntimeError(f"{self.program} does not start: {self.text()[-1000:]}")
        return self

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Ends as a service does."""
        self.process.terminate()
        self.process.wait(30)

    def text(self):
        with open(self.log, errors="replace") as file:
            return file.read()

    def get(self, path, **parameters):
        """The body of an answer; None where it is none of success."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("GET", path + ("?" + urllib.parse.urlencode(parameters) if parameters else ""))
            answer = connection.getresponse()
            text = answer.read()
            return text if answer.status < 300 else None
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()


class Prometheus(Server):
    program, ready = "prometheus", "/-/ready"

    def __init__(self, directory, data=None, window="0s"):
        super().__init__(directory, data)
        # It scrapes itself: what is too old is measured from the newest sample that it has.
        with open(os.path.join(directory, "prometheus.yml"), "w") as file:
            file.write(f"storage: {{ tsdb: {{ out_of_order_time_window: {window} }} }}\n"
                       f"scrape_configs: [{{ job_name: itself, scrape_interval: 1s, scrape_timeout: 1s, static_configs: "
                       f"[{{ targets: ['127.0.0.1:{self.port}'] }}] }}]\n")

    def arguments(self):
        return [f"--config.file={self.directory}/prometheus.yml", f"--storage.tsdb.path={self.data}",
                f"--web.listen-address=127.0.0.1:{self.port}", "--web.enable-remote-write-receiver",
                "--enable-feature=native-histograms"]

    def has_scraped(self):
        answer = self.get("/api/v1/query", query="up == 1")
        return bool(answer and json.loads(answer)["data"]["result"])

    def stored(self):
        """What agents have sent, by series and milliseconds; how often each sample is there beyond once."""
        answer = json.loads(self.get("/api/v1/query", query='{job="sonde"}[6h]') or '{"data":{"result":[]}}')
        return {key(row["metric"]): {round(at * 1000): float(value) for at, value in row["values"]}
                for row in answer["data"]["result"]}, 0


class VictoriaMetrics(Server):
    program, ready = "victoria-metrics", "/health"

    def arguments(self):
        return [f"-storageDataPath={self.data}", f"-httpListenAddr=127.0.0.1:{self.port}", "-search.latencyOffset=0s",
                "-retentionPeriod=1"]

    def stored(self):
        """What agents have sent, by series and milliseconds; how often each sample is there beyond once."""
        self.get("/internal/force_flush")
        found, more = {}, 0
        for line in (self.get("/api/v1/export", **{"match[]": '{job="sonde"}'}) or b"").splitlines():
            row = json.loads(line)
            table = found.setdefault(key(row["metric"]), {})
            pairs = [(at, value) for at, value in zip(row["timestamps"], row["values"]) if value is not None]
            more += len(pairs) - len({at for at, _ in pairs})
            table.update(pairs)
        return found, more
