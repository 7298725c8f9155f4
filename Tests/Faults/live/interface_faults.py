"""What can happen to an interface while it is captured on. Each leaves the laboratory as it was."""

import os
import signal
import time

from agent import eventually
from namespace import ip


def switched_off(lab):
    lab.link("set", "va", "down")
    lab.expect_closed("wire", "va")
    lab.expect_flow("wire", "vc")
    lab.link("set", "va", "up")
    lab.expect_open("wire", "va")
    lab.expect_flow("all", "va")


def only_one_switched_off(lab):
    """For so short a time that the source waits for it."""
    before = lab.log_lines("capturing on 'vg'")
    lab.link("set", "vg", "down")
    lab.expect_closed("lone", "vg")
    lab.link("set", "vg", "up")
    seen = eventually(lambda: lab.log_lines("capturing on 'vg'") > before, 10)
    lab.findings.expect(seen, "the only interface is captured on again within 10 s")
    lab.expect_open("lone", "vg")


def only_one_long_gone(lab):
    """The source ends with it, and the agent starts it again."""
    lab.link("del", "vg")
    seen = eventually(lambda: lab.state("lone") == "backing_off", lab.seen_within)
    lab.findings.expect(seen, f"the agent tells that lone fails, not that it is {lab.state('lone')}")
    lab.connect("vg")
    lab.expect_open("lone", "vg")


def renamed(lab):
    lab.link("set", "va", "down")
    lab.link("set", "va", "name", "vx")
    lab.link("set", "vx", "up")
    lab.expect_closed("wire", "va")
    lab.link("set", "vx", "down")
    lab.link("set", "vx", "name", "va")
    lab.link("set", "va", "up")
    lab.expect_open("wire", "va")


def replaced(lab):
    """Another device gets the name at once."""
    before = lab.log_lines("capturing on 'vc'")
    lab.link("del", "vc")
    lab.connect("vc")
    seen = eventually(lambda: lab.log_lines("capturing on 'vc'") > before, lab.open_within)
    lab.findings.expect(seen, "the log tells that 'vc' is captured on again")
    lab.expect_open("wire", "vc")


def removed(lab):
    lab.link("del", "va")
    lab.expect_closed("wire", "va")
    lab.expect_flow("all", "ve")
    lab.connect("va")
    lab.expect_open("wire", "va")
    lab.expect_flow("all", "va")


def moved_away(lab):
    lab.link("set", "va", "netns", lab.far)
    lab.expect_closed("wire", "va")
    ip("-n", lab.far, "link", "set", "va", "netns", lab.near)
    lab.link("set", "va", "up")
    lab.expect_open("wire", "va")


def namespace_gone(lab):
    """The namespace at the other end takes every interface with it."""
    # Nothing may hold it: sockets keep a namespace alive.
    old = lab.far
    lab.make_far()
    for end in lab.traffic.sockets.values():
        if end:
            end.close()
    ip("netns", "del", old)
    lab.expect_closed("wire", "va")
    for near in ["va", "vc", "ve", "vg"]:
        # Where something still holds the namespace, the pair is there.
        try:
            lab.link("del", near)
        except OSError:
            pass
        lab.connect(near)
    for source, interface in [("wire", "va"), ("wire", "vc"), ("lone", "vg")]:
        lab.expect_open(source, interface)
    lab.expect_open("all", "any", "ve")


def addresses_change(lab):
    for number in range(20):
        ip("-n", lab.near, "address", "add", f"10.9.{number}.1/24", "dev", "va")
    lab.expect_flow("wire", "va")
    ip("-n", lab.near, "address", "flush", "dev", "va")
    lab.link("set", "va", "address", "02:00:00:00:00:77")
    lab.expect_flow("wire", "va")


def mtu_changes(lab):
    for size in ["68", "9000", "1500"]:
        lab.link("set", "vc", "mtu", size)
        ip("-n", lab.far, "link", "set", "wc", "mtu", size)
        lab.expect_flow("wire", "vc")


def carrier_lost(lab):
    ip("-n", lab.far, "link", "set", "wc", "down")
    time.sleep(1.5)
    lab.findings.expect(lab.is_open("wire", "vc"), "no carrier does not end the capture")
    ip("-n", lab.far, "link", "set", "wc", "up")
    lab.expect_open("wire", "vc")


def enslaved(lab):
    lab.link("add", "vbr", "type", "bridge")
    lab.link("set", "vbr", "up")
    lab.link("set", "va", "master", "vbr")
    lab.expect_flow("wire", "va")
    lab.expect_flow("all", "va")
    lab.link("set", "va", "nomaster")
    lab.link("del", "vbr")


def flapping(lab):
    """A hundred changes in two seconds are few openings and few lines."""
    lines = lab.log_lines("capturing on 'va'")
    for _ in range(50):
        lab.link("set", "va", "down")
        time.sleep(0.02)
        lab.link("set", "va", "up")
        time.sleep(0.02)
    lab.expect_open("wire", "va")
    lab.findings.expect(lab.log_lines("capturing on 'va'") - lines <= 51, "no more openings than changes")


def buffer_overrun(lab):
    """The agent stands still for a second in which more comes than the kernel's buffer holds."""
    before = lab.series.sum("sonde.capture.packet.dropped")
    os.kill(lab.agent.pid(), signal.SIGSTOP)
    try:
        lab.traffic.burst("wc", 12_000)
    finally:
        os.kill(lab.agent.process.pid, signal.SIGCONT)
    dropped = eventually(lambda: lab.series.sum("sonde.capture.packet.dropped") > before, lab.seen_within)
    lab.findings.expect(dropped, "what the kernel dropped is told")
    lab.expect_flow("wire", "vc")


def filter_stays(lab):
    """What the filter does not name is not counted, also after the interface was opened again."""
    lab.link("set", "vg", "down")
    time.sleep(0.2)
    lab.link("set", "vg", "up")
    lab.expect_open("lone", "vg")
    sent = lab.traffic.sent["wg"]
    # What is counted comes seconds after what was sent: the second commit from now on holds all that was sent before.
    for _ in range(2):
        lab.expect_flow("lone", "vg")
    counted = lab.packets("lone", "vg")
    lab.traffic.burst("wg", 500)
    for _ in range(2):
        lab.expect_flow("lone", "vg")
    counted, sent = lab.packets("lone", "vg") - counted, lab.traffic.sent["wg"] - sent
    lab.findings.expect(counted <= sent - 500, f"{counted} of {sent} packets passed the filter")


ALL = [switched_off, only_one_switched_off, renamed, replaced, removed, only_one_long_gone, moved_away, namespace_gone,
       addresses_change, mtu_changes, carrier_lost, enslaved, flapping, buffer_overrun, filter_stays]
