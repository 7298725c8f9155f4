"""The servers that the house sends to: VictoriaMetrics, Prometheus and InfluxDB in its namespace, and what they have stored."""

import http.client
import json
import os
import time
import urllib.parse

from namespace import inside
from points import Comparison
from servers import Server

SCRAPED = 9469
DAY = 86_400
# What is not of the series itself: how it came, and from whom.
WAY = {"__name__", "way", "job", "instance", "host", "host.name", "service.name", "service.version", "service.instance.id",
       "scope.name", "scope.version"}


def labels_of(metric):
    return tuple(sorted((name, value) for name, value in metric.items() if name not in WAY and value != ""))


class HouseServer(Server):
    """A server in the agent's namespace, with a port that no connection of others can take."""

    listens = 0

    def __init__(self, directory, namespace):
        super().__init__(directory)
        self.namespace, self.port = namespace, self.listens
        self.prefix = ("ip", "netns", "exec", namespace)

    def get(self, path, **parameters):
        # Without the thread's own super() there is none.
        return inside(self.namespace, lambda: Server.get(self, path, **parameters))

    def ask(self, path, **parameters):
        """An answer that has to come."""
        answer = self.get(path, **parameters)
        if answer is None:
            raise RuntimeError(f"{self.program} does not answer to {path} {parameters}: {self.text()[-500:]}")
        return answer


class VictoriaMetrics(HouseServer):
    program, ready, listens = "victoria-metrics", "/health", 8428

    def arguments(self):
        return [f"-storageDataPath={self.data}", f"-httpListenAddr=127.0.0.1:{self.port}", "-search.latencyOffset=0s",
                "-retentionPeriod=2d", "-memory.allowedBytes=512MB"]

    def stored(self, name, way):
        """The samples of a metric that came one way, by labels and milliseconds."""
        self.get("/internal/force_flush")
        # The clock of the agent was ahead for a while.
        chosen = {"match[]": f'{{__name__="{name}",way="{way}"}}', "start": time.time() - DAY, "end": time.time() + DAY}
        found = {}
        for line in self.ask("/api/v1/export", **chosen).splitlines():
            row = json.loads(line)
            found.setdefault(labels_of(row["metric"]), {}).update(
                pair for pair in zip(row["timestamps"], row["values"]) if pair[1] is not None)
        return found


class Prometheus(HouseServer):
    """Takes remote write, and scrapes the agent."""

    program, ready, listens = "prometheus", "/-/ready", 9090

    def __init__(self, directory, namespace):
        super().__init__(directory, namespace)
        with open(os.path.join(directory, "prometheus.yml"), "w") as file:
            file.write("storage: { tsdb: { out_of_order_time_window: 1d } }\n"
                       "scrape_configs: [{ job_name: scrape, scrape_interval: 5s, scrape_timeout: 5s, static_configs: "
                       f"[{{ targets: ['127.0.0.1:{SCRAPED}'] }}] }}]\n")

    def arguments(self):
        return [f"--config.file={self.directory}/prometheus.yml", f"--storage.tsdb.path={self.data}",
                f"--web.listen-address=127.0.0.1:{self.port}", "--web.enable-remote-write-receiver"]

    def stored(self, name, job):
        """The samples of a metric of a job, by labels and milliseconds."""
        answer = json.loads(self.ask("/api/v1/query", query=f'{{__name__="{name}",job="{job}"}}[8h]'))
        return {labels_of(row["metric"]): {round(at * 1000): float(value) for at, value in row["values"]}
                for row in answer["data"]["result"]}


class InfluxDB(HouseServer):
    """InfluxDB 1.x of the system."""

    program, ready, listens = "/usr/bin/influxd", "/ping", 8086

    def __init__(self, directory, namespace):
        super().__init__(directory, namespace)
        self.log = os.path.join(directory, "influxd.log")
        self.data = os.path.join(directory, "influxd-data")

    def arguments(self):
        path = os.path.join(self.directory, "influxdb.conf")
        with open(path, "w") as file:
            file.write(f'reporting-disabled = true\nbind-address = "127.0.0.1:8088"\n[meta]\n  dir = "{self.data}/meta"\n'
                       f'[data]\n  dir = "{self.data}/data"\n  wal-dir = "{self.data}/wal"\n  query-log-enabled = false\n'
                       f'[http]\n  bind-address = "127.0.0.1:{self.port}"\n  log-enabled = false\n'
                       "[monitor]\n  store-enabled = false\n")
        return ["-config", path]

    def start(self):
        super().start()
        inside(self.namespace, self._create)
        return self

    def _create(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("POST", "/query?" + urllib.parse.urlencode({"q": "CREATE DATABASE sonde"}))
        connection.getresponse().read()
        connection.close()

    def stored(self, name):
        """The samples of a metric, by labels and milliseconds."""
        answer = json.loads(self.ask("/query", db="sonde", epoch="ms", q=f'SELECT value FROM "{name}" GROUP BY *'))
        return {labels_of(row.get("tags", {})): dict(row["values"])
                for result in answer["results"] for row in result.get("series", [])}


class Centre:
    """All three, with the sinks of the agent that send to them."""

    def __init__(self, directory, namespace):
        self.victoria, self.prometheus, self.influx = self.servers = [
            server(os.path.join(directory, server.__name__), namespace) for server in (VictoriaMetrics, Prometheus, InfluxDB)]

    def start(self):
        for server in self.servers:
            server.start()
        return self

    def close(self):
        for server in self.servers:
            if server.process and server.process.poll() is None:
                server.kill()

    def sinks(self, common):
        """Lines of the configuration; `common`: what each has."""
        victoria = f"http://127.0.0.1:{self.victoria.port}"
        return (f"  - {{ id: write, plugin: http, format: prometheus_remote_write, version: 1, {common}, "
                f"url: \"{victoria}/api/v1/write?extra_label=way=write\" }}\n"
                f"  - {{ id: otlp, plugin: http, format: otlp, {common}, "
                f"url: \"{victoria}/opentelemetry/v1/metrics?extra_label=way=otlp\" }}\n"
                f"  - {{ id: prometheus, plugin: http, format: prometheus_remote_write, {common}, "
                f"url: \"http://127.0.0.1:{self.prometheus.port}/api/v1/write\" }}\n"
                f"  - {{ id: influx, plugin: http, format: influx, {common}, "
                f"url: \"http://127.0.0.1:{self.influx.port}/write?db=sonde\" }}\n"
                f"  - {{ id: scrape, plugin: scrape, listen: \"127.0.0.1:{SCRAPED}\" }}\n")

    def compare(self, points):
        """What differs between the file and each way to a server."""
        ways = {"write": (lambda name: self.victoria.stored(name, "write"), True),
                "otlp": (lambda name: self.victoria.stored(name, "otlp"), False),
                "prometheus": (lambda name: self.prometheus.stored(name, "sonde"), True),
                "influx": (self.influx.stored, False)}
        found = {way: Comparison() for way in ways}
        for series in points.names.values():
            for way, (stored, is_prometheus) in ways.items():
                keys = [one.prometheus_key if is_prometheus else one.key for one in series]
                there = stored(keys[0][0])
                for one, (_, labels) in zip(series, keys):
                    found[way].add(one, there.get(labels, {}))
        return found

    def compare_scrapes(self, points):
        """How many counters were scraped at last, and those whose value there is none of the last in the file."""
        count, wrong = 0, []
        for series in points.names.values():
            if series[0].kind != "counter":
                continue
            there = self.prometheus.stored(series[0].prometheus_key[0], "scrape")
            for one in series:
                values = list(there.get(one.prometheus_key[1], {}).values())
                count += bool(values)
                if values and values[-1] not in one.values[-30:]:
                    wrong.append(f"{one.name} {one.labels}: {values[-1]}, the file ends in {list(one.values[-3:])}")
        return count, wrong
