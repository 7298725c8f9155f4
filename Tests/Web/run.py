#!/usr/bin/python3
"""The page of `sonde web` in a real Chromium, with a real agent behind it, and with made-up ones.

usage: run.py [CASE…]    BINARIES=FOLDER: where sonde, sonded and sonde-web are (default .build/debug); CHROMIUM=PATH

Ends with 1 where something does not hold, with 77 where Chromium or the programs are not there.
"""

import json
import os
import re
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.request

from browser import Browser, Failure, chromium
from house import House, Skipped, Stream, Traffic, eventually
from judgement import CONTRAST, NAMELESS, OVERFLOW
from report import Findings
from standins import CROWDED, HOSTILE

PAGES = ["overview", "interfaces", "connections", "services", "talkers", "dns", "plugins"]
SHOWN = "document.querySelector('#tabs [aria-selected=true] span').innerText.toLowerCase()"
READY = "document.body.dataset.ready"


def shows(page, name):
    page.wait(f"{READY} && {SHOWN} === {json.dumps(name)}", f"the page {name}")


def rate(value):
    """A rate of 1 kB/s or more as tables have it: three digits."""
    for prefix in "kMGTPE":
        value /= 1000
        if value < 999.5:
            return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {prefix}B/s"
    raise ValueError(value)


def clean(findings, page):
    """Nothing was complained of: no error in the console, no violation of the policy."""
    findings.expect(not page.complaints, f"the console is empty: {page.complaints[:3]}")


def loads_within_a_second(browser, folder, findings):
    with House(folder) as house:
        page = browser.open()
        page.go(house.url)
        page.wait(f"{READY} && document.querySelector('.tile')", "the first view")
        # From the beginning of the navigation to the first frame with the agent's data.
        took = page.run("""performance.getEntriesByName("sonde-ready")[0]?.startTime ?? performance.now()""")
        sizes = page.run("""[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
            .filter((entry) => !/events|intent/.test(entry.name)).map((entry) => entry.encodedBodySize)""")
        findings.note(f"first data after {took:.0f} ms, {len(sizes)} files of {sum(sizes)} bytes, sonde web {house.resident():.1f} MiB")
        findings.expect(took < 1000, "it shows data within a second")
        findings.expect(0 < sum(sizes) < 150_000, "the whole page is under 150 kB")
        others = [url for url in page.requests if not url.startswith((house.url, "about:", "data:"))]
        findings.expect(not others, f"nothing is loaded from elsewhere: {others[:3]}")
        clean(findings, page)


def shows_what_the_snapshot_says(browser, folder, findings):
    with Traffic(), House(folder) as house:
        page = browser.open(f"{house.url}#tab=interfaces")
        shows(page, "interfaces")
        page.wait("document.querySelector('#table .body .row')", "rows")
        seen, equal = set(), 0
        # Requests within 100 ms get the same snapshot.
        read = "[[...document.querySelectorAll('#table .body .row:not([hidden])')].map((row) => [...row.children].map((cell) => cell.innerText.trim())), document.querySelector('#time').dateTime]"
        deadline = time.monotonic() + 60
        while equal < 3 and time.monotonic() < deadline:
            document = json.loads(house.sonde("snapshot", "--format", "json") or "{}")
            time.sleep(0.07)
            rows, instant = page.run(read)
            row = next((row for row in rows if row[0] == "lo"), None)
            if not row or not instant or instant != document.get("time"):
                continue
            flows = document["bandwidth"]["interfaces"]["lo"]
            wanted = [flows["receive"][name] for name in ("current", "average", "peak")] + [flows["transmit"]["current"]]
            if min(wanted) < 1000:
                continue  # Rates below are written in another way.
            shown = row[1:4] + row[5:6]
            findings.expect(shown == [rate(value) for value in wanted], f"{shown} are {wanted}")
            equal += 1
            seen.add(row[1])
        findings.note(f"{equal} comparisons with the same snapshot: {', '.join(sorted(seen))}")
        findings.expect(equal >= 3, "three snapshots were compared")
        findings.expect(len(seen) > 1, "the numbers move")
        clean(findings, page)


def survives_a_restart_of_the_agent(browser, folder, findings):
    with Traffic(), House(folder) as house:
        page = browser.open(f"{house.url}#tab=interfaces&range=6h&chart=area&sort=peak")
        shows(page, "interfaces")
        page.wait_text("live", "#agent")
        page.wait_text("lo", "#table")
        house.stop("agent")
        page.wait_text("the agent is gone, looking for it", "#agent")
        page.wait_text("SND-CTL009", "#notice")
        findings.expect("lo" in page.text("#table"), "what was known stays on the screen")
        house.start_agent()
        began = time.monotonic()
        page.wait_text("live", "#agent")
        findings.note(f"found again after {time.monotonic() - began:.1f} s")
        page.wait("document.querySelector('#notice').hidden || !document.querySelector('#notice').innerText.includes('SND-CTL009')", "no notice")
        before = page.text("#time")
        page.wait(f"document.querySelector('#time').innerText !== {json.dumps(before)}", "newer numbers")
        pressed = page.texts("[aria-pressed=true]")
        findings.expect("6h" in pressed and "area" in pressed, "the choices are as they were")
        clean(findings, page)


def survives_a_restart_of_the_server(browser, folder, findings):
    with House(folder) as house:
        page = browser.open(f"{house.url}#tab=connections&range=24h&chart=bar&filter=tcp")
        shows(page, "connections")
        page.wait("document.querySelector('#filter').value === 'tcp'", "the filter")
        house.stop("web")
        page.wait_text("does not answer", "#notice")
        house.start_web()
        page.wait_text("live", "#agent", timeout=20)
        shows(page, "connections")
        page.wait("[...document.querySelectorAll('[aria-pressed=true]')].map((e) => e.innerText).join().includes('24h,bar')", "the choices")
        page.wait("document.querySelector('#filter').value === 'tcp'", "the filter again")
        # That a connection is lost is an error to the browser.
        others = [text for text in page.complaints if "net::ERR_" not in text]
        findings.expect(not others, f"nothing else in the console: {others[:3]}")


def runs_no_script_of_a_name(browser, folder, findings):
    with House(folder, stand_in=HOSTILE) as house:
        page = browser.open(house.url)
        page.wait(READY, "the first view")
        for width, height in ((1280, 800), (360, 740)):
            page.resize(width, height)
            for place, name in enumerate(PAGES, 1):
                page.press(str(place))
                shows(page, name)
                page.press("j", "l", "c", "m")
                time.sleep(0.4)
                text = page.text()
                findings.expect("onerror" in text, f"the names are shown on {name}")
                findings.expect(page.run("document.querySelectorAll('main img, main script, main a').length") == 0, f"none is an element on {name}")
                findings.expect(page.run(OVERFLOW) <= 0, f"{name} is no wider than {width} pixels")
        findings.expect(page.run("window.owned === undefined"), "no script of a name has run")
        findings.expect("\u202e" not in page.text(), "no text is turned around")
        clean(findings, page)


def a_hundred_pages_are_served(browser, folder, findings):
    with Traffic(), House(folder) as house:
        streams = [Stream(house) for _ in range(100)]
        page = browser.open(house.url)
        page.wait(f"{READY} && document.querySelector('.tile')", "the page beside them")
        cpu = lambda: sum(map(int, open(f"/proc/{house.web.pid}/stat").read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")
        eventually(lambda: [stream.read() for stream in streams] and all(stream.views for stream in streams), 20, 0.1)
        before, began = cpu(), time.monotonic()
        counts = [stream.views for stream in streams]
        while time.monotonic() < began + 5:
            for stream in streams:
                stream.read()
            browser.read(0.05)
        took = time.monotonic() - began
        updates = sum(stream.views - count for stream, count in zip(streams, counts))
        findings.note(f"{updates / took:.0f} updates/s with {(cpu() - before) / took * 100:.0f} % of a processor, {house.resident():.1f} MiB")
        findings.expect(all(stream.views - count >= 2 for stream, count in zip(streams, counts)), "each of 100 streams goes on")
        before = page.text("#time")
        page.wait(f"document.querySelector('#time').innerText !== {json.dumps(before)}", "newer numbers beside them")
        for stream in streams:
            stream.close()
        clean(findings, page)


def ten_thousand_rows_stay_usable(browser, folder, findings):
    with House(folder, stand_in=CROWDED) as house:
        page = browser.open(f"{house.url}#tab=interfaces&sort=current")
        shows(page, "interfaces")
        page.wait("document.querySelector('#table .body .row')", "rows")
        total = page.run("parseInt(document.querySelector('#table-note').innerText)")
        findings.expect(total == 10_000, f"all rows are counted: {total}")
        elements = page.run("document.querySelectorAll('#table .row').length")
        findings.expect(elements < 120, f"those in sight are elements: {elements}")
        longest = page.run("""(async () => {
            const body = document.querySelector("#table .body");
            let longest = 0;
            for (let step = 0; step < 60; step += 1) {
                const began = performance.now();
                body.scrollTop += 480;
                await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
                longest = Math.max(longest, performance.now() - began);
            }
            return longest;
        })()""")
        findings.note(f"{total} rows, {elements} elements, the slowest of 60 scrolled frames took {longest:.0f} ms")
        findings.expect(longest < 250, "scrolling goes on")
        for place, name in (("1e9", "veth00000"), ("0", "veth09999")):
            page.run(f"document.querySelector('#table .body').scrollTop = {place}")
            began = time.monotonic()
            page.wait_text(name, "#table")
            findings.note(f"{name} in sight {time.monotonic() - began:.2f} s after a jump")
        page.press("/")
        for key in "veth0777":
            page.press(key)
        page.wait("/^10 rows/.test(document.querySelector('#table-note').innerText)", "ten rows by filter")
        page.press("Enter", "j", "j")
        page.wait("document.querySelector('#table [aria-selected=true]')?.innerText.includes('veth0777')", "a row chosen by keys")
        clean(findings, page)


def a_failed_sink_is_found_and_retried(browser, folder, findings):
    with House(folder) as house:
        eventually(lambda: house.sink("central").get("error"), 20, 0.1)
        page = browser.open(house.url)
        page.wait("document.querySelector('[data-retry=central]')", "the failure on the overview", 20)
        words = page.text("#failures")
        findings.expect(all(part in words for part in ("central", "SND-CRL", "Check host and port")), f"it says what fails and what to do: {words}")
        findings.expect("token" in words, "it says that a retry needs the token")
        attempts = house.sink("central")["attempts"]
        page.click("[data-retry=central]")
        page.wait("document.querySelector('#access[open]')", "the question for the token")
        page.press("Escape")
        page.wait_text("Nothing was ordered", "#notice")
        page.click("[data-retry=central]")
        page.wait("document.querySelector('#access[open]')", "the question again")
        for key in "wrong":
            page.press(key)
        page.press("Enter")
        page.wait("document.querySelector('#access[open]') && document.querySelector('#token').value === ''", "a wrong token is asked for again")
        findings.expect(house.sink("central")["attempts"] == attempts, "nothing was ordered without the token")
        for key in house.token:
            page.press(key)
        page.press("Enter")
        page.wait_text("tries again now", "#notice")
        findings.expect(eventually(lambda: house.sink("central")["attempts"] > attempts, 10, 0.1), "the sink has tried again")
        # Refusals are errors to the browser.
        others = [text for text in page.complaints if "401" not in text]
        findings.expect(not others, f"nothing else in the console: {others[:3]}")

        linked = browser.open(f"{house.url}#token={house.token}")
        linked.wait("document.querySelector('[data-retry=central]')", "the failure")
        findings.expect("token" not in linked.run("location.href"), "the token is taken out of the address")
        attempts = house.sink("central")["attempts"]
        linked.press("7", "t")
        linked.wait_text("tries again now", "#notice")
        findings.expect(eventually(lambda: house.sink("central")["attempts"] > attempts, 10, 0.1), "by the link and two keys too")
        clean(findings, linked)


def a_chart_is_exported(browser, folder, findings):
    with House(folder) as house:
        downloads = os.path.join(folder, "downloads")
        browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=downloads)
        page = browser.open(f"{house.url}#tab=plugins")
        shows(page, "plugins")
        eventually(lambda: house.sonde("history", "--metric", "agent.memory").strip(), 20, 0.2)
        found = lambda kind: [name for name in os.listdir(downloads) if name.endswith(kind)] if os.path.isdir(downloads) else []
        page.press("e")
        findings.expect(eventually(lambda: found(".csv"), 10, 0.1), "a file of CSV came")
        page.wait("document.querySelector('#export-state').innerText === 'exported'", "that it is complete")
        page.click("#export-json")
        findings.expect(eventually(lambda: found(".json"), 10, 0.1), "a file of JSON came")
        if found(".csv") and found(".json"):
            with open(os.path.join(downloads, found(".csv")[0])) as file:
                lines = file.read().splitlines()
            findings.expect(lines[0].startswith("time,step_seconds,metric,"), f"CSV has its head: {lines[:1]}")
            findings.expect(all("agent.memory" in line for line in lines[1:]), "CSV is of the chart's metric")
            with open(os.path.join(downloads, found(".json")[0])) as file:
                json.load(file)
            findings.note(f"{found('.csv')[0]} of {len(lines)} lines, {found('.json')[0]}")
        clean(findings, page)


def everything_goes_by_keys(browser, folder, findings):
    with House(folder) as house:
        page = browser.open(house.url)
        page.wait(f"{READY} && document.querySelector('.tile')", "the overview")
        for place, name in enumerate(PAGES, 1):
            page.press(str(place))
            shows(page, name)
            nameless = page.run(NAMELESS)
            findings.expect(not nameless, f"everything under the focus has a name on {name}: {nameless}")
        page.press("ArrowRight")
        shows(page, "overview")
        page.press("ArrowLeft")
        shows(page, "plugins")
        page.press("1")
        shows(page, "overview")
        page.press("r")
        page.wait("[...document.querySelectorAll('#range [aria-pressed=true]')].map((e) => e.innerText).join() === '6h'", "r")
        page.press("c")
        page.wait("[...document.querySelectorAll('#kind [aria-pressed=true]')].map((e) => e.innerText).join() === 'area'", "c")
        page.press("m")
        page.wait("document.querySelector('#metric').value === 'bandwidth.transmit'", "m")
        page.press("p")
        page.wait_text("paused", "#agent")
        before = page.text("#time")
        time.sleep(2.2)
        findings.expect(page.text("#time") == before, "nothing moves while it is paused")
        page.press("p")
        page.wait(f"document.querySelector('#time').innerText !== {json.dumps(before)}", "it goes on")
        page.press("?")
        page.wait("document.querySelector('#help[open]')", "the keys")
        page.press("Escape", "x")
        page.wait("document.documentElement.dataset.theme === 'dark'", "dark by a key")
        page.reload()
        page.wait(f"{READY} && document.documentElement.dataset.theme === 'dark'", "dark after a reload")
        page.press("x", "2")
        shows(page, "interfaces")
        page.press("j")
        page.wait("document.querySelector('#table [aria-selected=true]')", "j")
        page.press("Escape")
        page.wait("!document.querySelector('#table [aria-selected=true]')", "Escape")
        page.press("s")
        page.wait("document.querySelector('#sort').value === 'name'", "s")
        page.press("/", "l", "o")
        page.wait("/with .lo/.test(document.querySelector('#table-note').innerText)", "a filter")
        page.press("Escape")
        page.wait("!/with/.test(document.querySelector('#table-note').innerText)", "no filter")
        stops = tab_stops(page)
        findings.note(f"{len(stops)} stops of Tab: {', '.join(stops)}")
        findings.expect({"tabs", "chart", "table", "filter", "range"} <= set(stops), "Tab reaches every part")
        clean(findings, page)


def tab_stops(page):
    """What Tab reaches, by the parts of the page."""
    page.run("document.querySelector('.skip').focus()")
    stops = []
    for _ in range(60):
        page.press("Tab")
        stop = page.run("document.activeElement === document.body ? '' : (document.activeElement.id || document.activeElement.closest('[id]')?.id || '')")
        if not stop or stop in stops[:1] and len(stops) > 10:
            break
        stops.append("tabs" if stop.startswith("tab-") else stop)
    return list(dict.fromkeys(stops))


def a_chart_is_read_and_zoomed(browser, folder, findings):
    with Traffic(), House(folder) as house:
        page = browser.open(f"{house.url}#tab=plugins")
        shows(page, "plugins")
        page.wait("(document.querySelector('#chart .line').getAttribute('d') ?? '').split('L').length > 5", "a line of six points", 60)
        findings.expect(page.run("document.querySelectorAll('#chart .gaps rect').length") > 0, "what is not known is hatched")
        findings.expect(page.run("/MiB|KiB/.test(document.querySelector('#chart .labels').textContent)"), "the axis has its unit")
        page.press("g", "End")
        page.wait("/B/.test(document.querySelector('#say').innerText)", "a reading by keys is said")
        findings.note(f"read by keys: {page.text('#say').strip()}")
        page.press(*["ArrowLeft"] * 6, shift=True)
        page.press("Enter")
        page.wait("!document.querySelector('#zoom-reset').hidden && location.hash.includes('zoom=')", "a stretch that is chosen by keys")
        page.press("0")
        page.wait("document.querySelector('#zoom-reset').hidden", "0 shows all")
        page.drag("#chart .plot", 0.3, 0.6)
        page.wait("!document.querySelector('#zoom-reset').hidden && location.hash.includes('zoom=')", "a zoom by dragging, in the address")
        shown = page.run("location.hash")
        page.reload()
        page.wait(f"{READY} && !document.querySelector('#zoom-reset').hidden && location.hash === {json.dumps(shown)}", "the zoom after a reload")
        page.click("#zoom-reset")
        page.wait("document.querySelector('#zoom-reset').hidden && !location.hash.includes('zoom=')", "no zoom")
        page.press("-", "+")
        page.wait("!document.querySelector('#zoom-reset').hidden", "a zoom by +")
        place = page.place("#chart .plot")
        page.mouse("mouseMoved", place["left"] + place["width"] - 20, place["y"], "none")
        page.wait("!document.querySelector('#chart .tip').hidden && document.querySelector('#chart .tip').innerText", "a reading by pointer")
        clean(findings, page)


def fits_a_phone_in_light_and_dark(browser, folder, findings):
    with Traffic(), House(folder) as house:
        worst = {}
        for dark in (False, True):
            page = browser.open(house.url, width=360, height=740, dark=dark, touch=True)
            page.wait(f"{READY} && document.querySelector('.tile')", "the overview")
            for place, name in enumerate(PAGES, 1):
                page.press(str(place))
                shows(page, name)
                for width, height in ((360, 740), (800, 600), (1280, 800)):
                    page.resize(width, height)
                    findings.expect(page.run(OVERFLOW) <= 0, f"{name} is no wider than {width} pixels")
                    least, text = page.run(CONTRAST)
                    if least < worst.get(dark, (99, ""))[0]:
                        worst[dark] = (least, text)
            clean(findings, page)
        for dark, (least, text) in worst.items():
            findings.note(f"least contrast in {'dark' if dark else 'light'}: {least:.1f} to 1 ({text})")
            findings.expect(least >= 4.5, f"texts have a contrast of 4.5 to 1: {text}")


def the_token_is_asked_for_where_looking_needs_it(browser, folder, findings):
    token = "a-token-that-nobody-guesses"
    with House(folder, token=token) as house:
        page = browser.open(house.url)
        page.wait("document.querySelector('#access[open]')", "the question for the token")
        findings.expect("probe-1" not in page.text(), "nothing of the host is shown before")
        for key in token:
            page.press(key)
        page.press("Enter")
        page.wait(f"{READY} && document.querySelector('.tile')", "the first view")
        page.reload()
        page.wait(f"{READY} && document.querySelector('.tile')", "the view after a reload, without a question")
        cookie = next(cookie for cookie in page.call("Network.getCookies")["cookies"] if cookie["name"] == "sonde")
        findings.expect(cookie["httpOnly"] and cookie["sameSite"] == "Strict", f"scripts and other sites have nothing of its cookie: {cookie}")
        others = [text for text in page.complaints if "401" not in text]
        findings.expect(not others, f"nothing else in the console: {others[:3]}")


def strangers_get_nothing(browser, folder, findings):
    """What another site could try, and what a page without the token may not."""
    with House(folder) as house:
        page = browser.open("about:blank")
        page.go(f"data:text/html,<iframe src='{house.url}'></iframe>")
        time.sleep(1)
        findings.expect(not any("intent" in url for url in page.requests), "no other site has it in a frame")
        for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            request = urllib.request.Request(f"{house.url}intent?session={'0' * 32}", data=b'{"do":"dismiss"}',
                                             headers={"Content-Type": "application/json", **headers})
            try:
                urllib.request.urlopen(request, timeout=5)
                findings.expect(False, f"{headers} is refused")
            except urllib.error.HTTPError as error:
                findings.expect(error.code in (400, 403, 421), f"{headers} is refused, not {error.code}")
        policy = urllib.request.urlopen(house.url, timeout=5).headers["Content-Security-Policy"]
        findings.expect("default-src 'none'" in policy and "unsafe" not in policy, f"the policy is strict: {policy}")


CASES = [
    loads_within_a_second, shows_what_the_snapshot_says, survives_a_restart_of_the_agent, survives_a_restart_of_the_server,
    runs_no_script_of_a_name, a_hundred_pages_are_served, ten_thousand_rows_stay_usable, a_failed_sink_is_found_and_retried,
    a_chart_is_exported, everything_goes_by_keys, a_chart_is_read_and_zoomed, fits_a_phone_in_light_and_dark,
    the_token_is_asked_for_where_looking_needs_it, strangers_get_nothing,
]


def judge(case):
    """Runs a case in a browser of its own; whether it holds, and the line that says so."""
    findings = Findings()
    with tempfile.TemporaryDirectory(prefix="sonde-web-") as folder, Browser() as browser:
        try:
            case(browser, folder, findings)
        except (Failure, RuntimeError, OSError) as error:
            findings.expect(False, f"{error}")
        except Skipped:
            raise
        except Exception:
            findings.expect(False, traceback.format_exc())
    return findings.result()


def main():
    if chromium() is None:
        print("Chromium is not installed: the page is not tested", file=sys.stderr)
        return 77
    wanted = [case for case in CASES if not sys.argv[1:] or case.__name__ in sys.argv[1:]]
    failed = 0
    for case in wanted:
        began = time.monotonic()
        try:
            holds, line = judge(case)
        except Skipped as error:
            print(f"{error}", file=sys.stderr)
            return 77
        failed += not holds
        print(f"{'ok    ' if holds else 'FAILED'} {case.__name__}  {time.monotonic() - began:.0f} s  {line}", flush=True)
    print(f"{len(wanted) - failed} of {len(wanted)} cases hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
