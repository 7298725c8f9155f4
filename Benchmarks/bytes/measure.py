"""Bytes per sample that an agent, a Prometheus agent and vmagent send for the same 260 series. See run.sh."""
import argparse
import http.server
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tests/Faults"))

from remote_write import fields, series, unsnap

SERIES = 260
# Fails above.
BOUNDS = {"10s": 15.0, "60s": 6.0}


class Counter(http.server.ThreadingHTTPServer):
    """Counts what remote write sends to it, and says that it has written all of it."""

    def __init__(self):
        self.bytes = self.samples = self.requests = 0
        self.series = set()
        self.counting = False
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                head = len(self.requestline) + 4 + sum(len(k) + len(v) + 4 for k, v in self.headers.items())
                count = server.take(len(body) + head, unsnap(body), "v2" in self.headers["Content-Type"])
                self.send_response(204)
                self.send_header("X-Prometheus-Remote-Write-Samples-Written", str(count))
                self.end_headers()

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def take(self, size, message, is_two):
        samples = 0
        for field, value in fields(message):
            if field == (5 if is_two else 1):
                samples += sum(1 for inner, _ in fields(value) if inner == 2)
        if self.counting:
            self.bytes += size
            self.samples += samples
            self.series.update(key for key, _ in series(message, is_two))
            self.requests += 1
        return samples

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/api/v1/write"


class Page(http.server.ThreadingHTTPServer):
    """Serves the page that the agent's file sink writes, of the same 260 series."""

    def __init__(self, path):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = open(path, "rb").read()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(command, log):
    return subprocess.Popen(command, stdout=open(log, "w"), stderr=subprocess.STDOUT)


def sonde(build, folder, sinks, name, interval="10s"):
    # Plugins of a build are lib<name>.so, which the search for plugins knows.
    path = f"{folder}/{name}.yaml"
    with open(path, "w") as file:
        file.write(f"version: 1\nagent: {{ interval: {interval}, plugin_dirs: [{build}] }}\n"
                   "sources: [{ id: kernel, plugin: procnet, level: all }]\nsinks:\n" + sinks)
    return start([f"{build}/sonded", "run", "--config", path], f"{folder}/{name}.log")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    parser.add_argument("--seconds", type=int, default=120)
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp()
    servers = os.environ.get("SONDE_SERVERS", os.path.expanduser("~/.cache/sonde/servers")) + "/programs/usr/bin"
    processes = []
    try:
        counters = {"ours, 10s": Counter(), "ours, 60s": Counter()}
        relabel = f"max_series: {SERIES}"
        sinks = "".join(
            f"  - {{ id: rw{wait}, plugin: http, format: prometheus_remote_write, url: \"{counters[name].url}\", "
            f"{relabel}, batch: {{ wait: {limit} }} }}\n"
            for name, wait, limit in (("ours, 10s", 10, "1s"), ("ours, 60s", 60, "60s")))
        page = f"{folder}/page"
        sinks += f"  - {{ id: page, plugin: file, path: {page}, format: prometheus, {relabel} }}\n"
        processes.append(sonde(arguments.build, folder, sinks, "agent"))
        while not os.path.exists(page) or os.path.getsize(page) == 0:
            time.sleep(0.2)
        target = Page(page)
        scrape = (f"scrape_configs: [{{ job_name: sonde, scrape_interval: 10s, static_configs: "
                  f"[{{ targets: ['127.0.0.1:{target.server_port}'] }}] }}]\n")
        if os.access(f"{servers}/prometheus", os.X_OK):
            counters["prometheus agent, 2.0"] = Counter()
            with open(f"{folder}/prometheus.yml", "w") as file:
                file.write(f"global: {{ scrape_interval: 10s }}\nremote_write: [{{ url: '{counters['prometheus agent, 2.0'].url}', "
                           f"protobuf_message: io.prometheus.write.v2.Request }}]\n" + scrape)
            processes.append(start([f"{servers}/prometheus", "--agent", f"--config.file={folder}/prometheus.yml",
                                    f"--storage.agent.path={folder}/wal", f"--web.listen-address=127.0.0.1:{free_port()}",
                                    "--enable-feature=metadata-wal-records"], f"{folder}/prometheus.log"))
        if os.access(f"{servers}/vmagent", os.X_OK):
            counters["vmagent, 1.0"] = Counter()
            with open(f"{folder}/vmagent.yml", "w") as file:
                file.write(scrape)
            processes.append(start([f"{servers}/vmagent", f"-promscrape.config={folder}/vmagent.yml",
                                    f"-remoteWrite.url={counters['vmagent, 1.0'].url}", "-remoteWrite.forcePromProto",
                                    f"-remoteWrite.tmpDataPath={folder}/vmagent", f"-httpListenAddr=127.0.0.1:{free_port()}"],
                                   f"{folder}/vmagent.log"))
        for counter in counters.values():
            counter.counting = True
        time.sleep(arguments.seconds)
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            process.wait(30)
        failed = False
        for name, counter in counters.items():
            per_sample = counter.bytes / max(1, counter.samples)
            bound = BOUNDS.get(name.removeprefix("ours, "))
            verdict = "" if bound is None or per_sample <= bound else f"  above {bound}"
            failed = failed or bool(verdict) or counter.samples == 0
            print(f"{name:24} {per_sample:6.1f} bytes a sample  ({counter.samples} samples, {counter.requests} requests){verdict}")
        raise SystemExit(failed)
    finally:
        for process in processes:
            process.kill()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
