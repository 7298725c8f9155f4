"""Agents that are none: what a page makes of names that would be code, and of very long lists."""

HEAD = r'''
import json, socket, sys, threading, time
now = lambda: time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
flow = lambda value: {"current": value, "average": value / 2, "peak": value * 2}
'''

SERVE = r'''
def serve(peer):
    for line in peer.makefile("rb"):
        request = json.loads(line)
        answer = answers(request)
        name = request["request"]
        peer.sendall(json.dumps({"ok": True, name: answer} if answer is not None else
                                {"ok": False, "error": failure}).encode() + b"\n")
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
'''

HOSTILE = HEAD + r'''
tags = "<img src=x onerror=\"window.owned=1\"><script>window.owned=1</script></script></style>'\"`${window.owned=1}&#x202e;"
evil = tags + "javascript:window.owned=1 \u202e\u2066gnp.exe\u0000\x1b[2J\u2028" + "A" * 10000
flow = {"current": 1e308, "average": -1e308, "peak": 1e308}
rows = [{"label": evil, "value": 1e308}, {"label": "\u202e" * 300, "value": -1}, {"label": "", "value": None}]
names = ["services.bytes", "services.connections", "talkers.addresses", "talkers.ports", "talkers.protocols",
         "talkers.conversations", "dns.names", "dns.failing_names", "dns.clients"]
def page():
    return {"schema": "sonde.snapshot/2", "time": now(), "host": evil, "window": evil,
            "bandwidth": {"source": evil, "uplinks": [evil], "receive": flow, "transmit": flow,
                          "interfaces": {evil: {"receive": flow, "transmit": flow}, "__proto__": {"receive": flow}}},
            "connections": {"source": evil, "current": 1, "average": 1, "peak": 1, "by_state": {evil: {evil: 3}}, "by_protocol": {"udp": 1}},
            "dns": {evil: {"queries": 1}, "wire": {"rate": flow, "queries": -1, "failures": 1e300, "latency": {"p95": 1e300}}},
            "drops": {"source": evil, "reasons": [{"reason": evil, "count": -5}],
                      "beside": [{"counter": evil, "count": 1e300, "top": {"reason": evil, "count": 1, "meaning": evil, "advice": evil}}]},
            "lists": [{"name": name, "title": evil, "source": evil, "unit": evil, "interval_seconds": 1e-300, "total": 1e-300,
                       "rest": 1e300, "count": 3, "rows": rows} for name in names],
            "failures": [{"code": evil, "plugin": evil, "since": "2026-01-01T03:00:00.000Z", "message": evil, "advice": [evil]}]}
broken = {"code": evil, "class": "configuration", "message": evil, "cause": [evil], "option": evil, "place": evil,
          "since": "2026-01-01T03:00:00.000Z", "count": 18446744073709551615, "recovery": [evil]}
failure = {"code": "SND-CTL005", "class": evil, "message": evil, "recovery": [evil]}
def answers(request):
    stamp = now()
    points = [{"time": time, "average": -1e308, "peak": 1e308} for time in ("0001-01-01T00:00:00.000Z", stamp, "9999-12-31T23:59:59.999Z")]
    return {
        "snapshot": {"number": 1, "document": page()},
        "status": {"time": stamp, "agent": {"version": evil}, "sources": [{"id": evil, "plugin": evil, "state": evil, "error": broken}],
                   "sinks": [{"id": evil * 2, "plugin": evil, "state": "held", "queue": {"points": 1}, "error": broken}],
                   "losses": [{"component": evil, "reason": evil, "count": 1}]},
        "history": {"from": "0001-01-01T00:00:00.000Z", "to": "9999-01-01T00:00:00.000Z", "step_seconds": 1e300,
                    "items": [{"metric": request.get("metric", "bandwidth.receive"), "unit": evil, "source": evil, "member": evil,
                               "step_seconds": -1e300, "summary": {"last": 1e300}, "points": points * 500}]},
    }.get(request["request"])
''' + SERVE

CROWDED = HEAD + r'''
COUNT = 10000
failure = {"code": "SND-HIS011", "class": "configuration", "message": "no history is kept", "recovery": ["Set state_dir."]}
def page():
    shift = int(time.time()) % 60
    interfaces = {f"veth{number:05}": {"receive": flow(float(number + shift + 1)), "transmit": flow(1.0)} for number in range(COUNT)}
    return {"schema": "sonde.snapshot/2", "time": now(), "host": "crowded", "window": "1h",
            "bandwidth": {"source": "kernel", "uplinks": ["eth0"], "receive": flow(5.0), "transmit": flow(5.0), "interfaces": interfaces},
            "lists": [{"name": "talkers.addresses", "title": "addresses by bytes", "source": "wire", "unit": "By", "interval_seconds": 10,
                       "total": 1e9, "rest": 5, "count": COUNT, "rows": rows(0, 100)}], "failures": []}
def rows(first, count):
    return [{"label": f"10.0.{number // 250}.{number % 250}", "value": 1e6 / (number + 1)} for number in range(first, min(COUNT, first + count))]
def answers(request):
    if request["request"] == "list":
        first = int(request.get("offset", 0))
        return {"number": 1, "name": "talkers.addresses", "title": "addresses by bytes", "source": "wire", "unit": "By", "interval_seconds": 10,
                "total": 1e9, "count": COUNT, "rows": rows(first, 500), "next": first + 500}
    return {"snapshot": {"number": int(time.time()), "document": page()},
            "status": {"time": now(), "agent": {"version": "0.1.0"}, "sources": [], "sinks": [], "losses": []}}.get(request["request"])
''' + SERVE
