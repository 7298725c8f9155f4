"""vmagent between the agent and VictoriaMetrics, as contrib/collectors says."""

import os
import re
import shlex
import tempfile

import lab

UNIT = os.path.join(lab.ROOT, "contrib/collectors/vmagent.service")


class Vmagent(lab.Server):
    """vmagent with the flags of the shipped unit, but for addresses and folders."""

    program, ready = "vmagent", "/health"

    def __init__(self, directory, victoria):
        super().__init__(directory)
        self.victoria = victoria.port

    def arguments(self):
        with open(UNIT) as file:
            command = re.search(r"ExecStart=(.*?)\n(?! )", file.read(), re.S).group(1).replace("\\\n", " ")
        flags = shlex.split(command)[1:]
        places = {"127.0.0.1:8429": f"127.0.0.1:{self.port}", "127.0.0.1:8428": f"127.0.0.1:{self.victoria}",
                  "/var/lib/vmagent": self.data}
        for place, own in places.items():
            if not any(place in flag for flag in flags):
                raise RuntimeError(f"{UNIT} does not have {place}")
            flags = [flag.replace(place, own) for flag in flags]
        return flags


def names(server, job):
    """The names of the metrics that came this way."""
    server.get("/internal/force_flush")
    return {row["metric"]["__name__"] for row in server.now(f'count by (__name__) ({{job="{job}"}})')}


def check_vmagent():
    """Sends remote write and OTLP through vmagent; the same metrics have to arrive by both."""
    lab.programs()
    lab.enter()
    with tempfile.TemporaryDirectory() as folder:
        victoria = lab.VictoriaMetrics(os.path.join(folder, "victoria-metrics"))
        vmagent = Vmagent(os.path.join(folder, "vmagent"), victoria)
        host = lab.Host(os.path.join(folder, "host"))
        try:
            victoria.start()
            vmagent.start()
            sinks = (f"  - {{ id: write, plugin: http, format: prometheus_remote_write, version: 1, batch: {{ wait: 500ms }}, "
                     f"url: \"http://127.0.0.1:{vmagent.port}/api/v1/write\" }}\n"
                     f"  - {{ id: otlp, plugin: http, format: otlp, batch: {{ wait: 500ms }}, "
                     f"url: \"http://127.0.0.1:{vmagent.port}/opentelemetry/v1/metrics?extra_label=job=sonde-otlp\" }}\n")
            agent = host.start_agent("probe", "  - { id: kernel, plugin: procnet }\n", sinks)
            if not lab.eventually(lambda: len(names(victoria, "sonde")) > 50
                                  and names(victoria, "sonde") == names(victoria, "sonde-otlp"), 30, 0.5):
                written, told = names(victoria, "sonde"), names(victoria, "sonde-otlp")
                return [f"{len(written)} metrics by remote write and {len(told)} by OTLP; in one only: "
                        f"{sorted(written ^ told)[:20]}; {open(host.path('probe.log')).read()[-1000:]}"]
            print(f"{len(names(victoria, 'sonde'))} metrics by each way")
            return [] if agent.poll() is None else ["the agent has ended"]
        finally:
            host.stop()
            for server in (vmagent, victoria):
                if server.process:
                    server.kill()


CHECKS = {"vmagent": check_vmagent}
