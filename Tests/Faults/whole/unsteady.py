"""A program of `exec` that counts 1, 2, 3, … and fails at random: `unsteady.py NAME FOLDER SECONDS STEADINESS`.

It commits each number with its position, SECONDS apart, for ever; with SECONDS 0 it commits one and ends. Before a number it does something
wrong once in STEADINESS times. NAME.taken in FOLDER is the last number that the agent has taken, NAME.deeds what was done.
"""

import os
import random
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../sdk/python"))

import sonde


def leave_child():
    """Ends, and leaves a process in a session of its own."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(3600)
    sys.exit(4)


def print_garbage():
    """Lines that mean nothing: no text, half an object, more than a line may have."""
    os.write(1, random.choice([bytes(range(128, 200)) + b"\n", b'{"name":"unsteady.number","value":\n', b"[" * 5000 + b"\n",
                               b'{"type":"commit","checkpoint":7}x\n', b"x" * 300_000 + b"\n"]))


DEEDS = {"exits": lambda: sys.exit(3), "is killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
         "crashes": lambda: os.kill(os.getpid(), signal.SIGSEGV), "leaves a child": leave_child,
         "prints garbage": print_garbage, "hangs": lambda: time.sleep(20)}


def main():
    name, folder, pause, steadiness = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    source = sonde.Source()
    last = int(source.checkpoint or 0)
    while True:
        last += 1
        deeds = [random.choice(list(DEEDS))] if random.randrange(steadiness) == 0 else []
        for deed in deeds:
            with open(os.path.join(folder, f"{name}.deeds"), "a") as file:
                file.write(deed + "\n")
        # Done before the sample, nothing is lost; between it and its commit, one that the next program prints again.
        is_early = random.randrange(2) == 0
        for step in [*deeds, "sample"] if is_early else ["sample", *deeds]:
            DEEDS.get(step, lambda: source.sample("unsteady.number", last))()
        if source.commit(str(last)):
            with open(os.path.join(folder, f"{name}.taken"), "w") as file:
                file.write(str(last))
        if not pause or not source.wait(pause):
            return


main()
