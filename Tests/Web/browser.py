"""A real Chromium, by the DevTools protocol over pipes: no package of Python's and no driver."""

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Faults"))

from agent import end_with_parent  # noqa: E402

KEYS = {"Enter": 13, "Escape": 27, "Tab": 9, "Backspace": 8, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
        "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
SHIFT = 8


def chromium():
    """The program; None: it is not installed."""
    return shutil.which(os.environ.get("CHROMIUM", "chromium"))


class Failure(Exception):
    """The browser refuses, or what is waited for does not come."""


class Browser:
    """A Chromium with a profile of its own, without a window."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="sonde-web-")
        self.numbers, self.answers, self.buffer, self.pages = itertools.count(1), {}, b"", {}
        commands, self.out = os.pipe()
        self.input, events = os.pipe()

        def pipes():
            end_with_parent()
            # Chromium reads descriptor 3 and writes 4; neither number may be taken while they are moved.
            low, high = os.dup2(commands, 60), os.dup2(events, 61)
            os.dup2(low, 3)
            os.dup2(high, 4)

        self.log = open(os.path.join(self.profile, "log"), "wb")
        self.process = subprocess.Popen(
            [chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--lang=en-GB", f"--user-data-dir={self.profile}/profile", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        os.close(commands)
        os.close(events)

    def call(self, method, session=None, timeout=20, **parameters):
        """What the browser answers to a command."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + timeout
        while number not in self.answers:
            if not self.read(deadline - time.monotonic()):
                raise Failure(f"{method} has not been answered for {timeout} s")
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Failure(f"{method}: {answer['error'].get('message')}")
        return answer["result"]

    def read(self, timeout):
        """Takes what has come, waiting so long for it; False: nothing came."""
        if timeout <= 0 or not select.select([self.input], [], [], timeout)[0]:
            return False
        piece = os.read(self.input, 1 << 20)
        if not piece:
            raise Failure("the browser has ended")
        *messages, self.buffer = (self.buffer + piece).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self.answers[message["id"]] = message
            elif message.get("sessionId") in self.pages:
                self.pages[message["sessionId"]].take(message["method"], message["params"])
        return True

    def open(self, url="about:blank", **options):
        """A page in a window of its own."""
        return Page(self, url, **options)

    def close(self):
        try:
            self.call("Browser.close", timeout=5)
            self.process.wait(10)
        except (Failure, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        for descriptor in (self.out, self.input):
            os.close(descriptor)
        self.log.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Page:
    """One page: what it shows, keys and pointer, and everything that it complains of."""

    def __init__(self, browser, url, width=1280, height=800, dark=False, touch=False, scale=1):
        self.browser, self.complaints, self.requests, self.loaded = browser, [], [], None
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            self.call(f"{domain}.enable")
        self.resize(width, height, scale, touch)
        self.prefer(dark=dark)
        self.call("Page.addScriptToEvaluateOnNewDocument", source="""
            addEventListener("securitypolicyviolation", (event) => console.error("CSP", event.violatedDirective, event.blockedURI));
        """)
        if url != "about:blank":
            self.go(url)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def take(self, method, event):
        if method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(argument.get("value", argument.get("description"))) for argument in event["args"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] == "error":
            self.complaints.append(f"{event['entry']['text']} {event['entry'].get('url', '')}")
        elif method == "Audits.issueAdded" and event["issue"]["code"] == "ContentSecurityPolicyIssue":
            self.complaints.append(f"CSP {json.dumps(event['issue']['details'])[:300]}")
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append(f"a script has opened a dialog: {event['message']}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])

    # What it shows

    def go(self, url):
        self.call("Page.navigate", url=url)

    def reload(self):
        self.call("Page.reload")

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failure(f"{script[:80]}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer["result"].get("value")

    def wait(self, script, what=None, timeout=15):
        """The value of an expression as soon as it is true."""
        deadline = time.monotonic() + timeout
        while True:
            try:
                # An element has no value.
                value = self.run(f"((value) => value instanceof Node || value)({script})")
            except Failure:
                value = None  # The page is being loaded.
            if value:
                return value
            if time.monotonic() > deadline:
                raise Failure(f"{what or script[:120]} does not come; the page says: {self.text()[:600]!r}")
            self.browser.read(0.05)

    def text(self, selector="body"):
        """The text of the first element that a selector finds; "" where none is shown."""
        return self.run(f"(document.querySelector({json.dumps(selector)})?.innerText ?? '')")

    def texts(self, selector):
        return self.run(f"[...document.querySelectorAll({json.dumps(selector)})].filter((e) => e.checkVisibility()).map((e) => e.innerText)")

    def wait_text(self, part, selector="body", timeout=15):
        self.wait(f"(document.querySelector({json.dumps(selector)})?.innerText ?? '').includes({json.dumps(part)})",
                  f"{part!r} in {selector}", timeout)

    # What a person does

    def press(self, *keys, shift=False):
        for key in keys:
            text = "\r" if key == "Enter" else key if len(key) == 1 else ""
            event = dict(key=key, windowsVirtualKeyCode=KEYS.get(key, ord(key.upper()) if len(key) == 1 else 0),
                         modifiers=SHIFT if shift else 0)
            self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **event)
            self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def place(self, selector):
        """The middle of the first element that a selector finds."""
        return self.run(f"""(() => {{
            const node = document.querySelector({json.dumps(selector)});
            node.scrollIntoView({{ block: "nearest" }});
            const box = node.getBoundingClientRect();
            return {{ x: box.x + box.width / 2, y: box.y + box.height / 2, left: box.x, width: box.width }};
        }})()""")

    def settled(self, selector):
        """The same, a little later."""
        time.sleep(0.15)
        return self.place(selector)

    def mouse(self, kind, x, y, button="left", buttons=0):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons,
                  clickCount=0 if kind == "mouseMoved" else 1)

    def click(self, selector):
        place = self.place(selector)
        # What is still being moved by what comes above it is not hit.
        while (later := self.settled(selector)) != place:
            place = later
        self.mouse("mouseMoved", place["x"], place["y"], "none")
        self.mouse("mousePressed", place["x"], place["y"], buttons=1)
        self.mouse("mouseReleased", place["x"], place["y"])

    def drag(self, selector, start, end):
        """Drags from one share of the width of an element to another."""
        place = self.place(selector)
        at = lambda share: place["left"] + place["width"] * share
        self.mouse("mouseMoved", at(start), place["y"], "none")
        self.mouse("mousePressed", at(start), place["y"], buttons=1)
        for step in range(1, 5):
            self.mouse("mouseMoved", at(start + (end - start) * step / 4), place["y"], buttons=1)
        self.mouse("mouseReleased", at(end), place["y"])

    # What it is shown on

    def resize(self, width, height, scale=1, touch=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=touch)

    def prefer(self, dark=False, reduced=True):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"}])

    def picture(self, path, height=None):
        """Writes what is in the window, or so many pixels from the top, as a PNG."""
        width = self.run("innerWidth")
        clip = {"clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}} if height else {}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=bool(height), **clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
        self.browser.pages.pop(self.session, None)
