"""Whether the memory of an agent stays where it is."""

import threading

from agent import family

# The most in MiB that resident memory may grow once everything has happened often enough.
GROWTH = 2.0


class Memory:
    """Samples resident memory once a second, of the agent and its children."""

    def __init__(self, agent):
        self.agent, self.samples, self.stopped = agent, [], threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        pid = self.agent.process.pid
        while not self.stopped.wait(1):
            sizes = [self._size(process) for process in family(pid)]
            if sizes[0] is None:
                return
            self.samples.append(sum(size or 0 for size in sizes) / 1024)

    @staticmethod
    def _size(pid):
        """In KiB; None: it has ended."""
        try:
            with open(f"/proc/{pid}/status") as file:
                return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        except (OSError, StopIteration):
            return None

    def verdict(self, findings):
        """The highest of the second quarter and of the last one: the first quarter is for warming up."""
        quarter = len(self.samples) // 4
        if quarter < 60:
            findings.note("too short a run to judge memory")
            return
        early, late = max(self.samples[quarter:2 * quarter]), max(self.samples[3 * quarter:])
        steps = [f"{max(self.samples[i * len(self.samples) // 12:(i + 1) * len(self.samples) // 12]):.1f}" for i in range(12)]
        findings.note(f"resident MiB by twelfths of the time {' '.join(steps)}")
        findings.expect(late - early <= GROWTH, f"resident memory grew from {early:.1f} to {late:.1f} MiB")
