"""How a case says what it found."""


class Skipped(Exception):
    """The case cannot run here."""


class Findings:
    """Claims of one case, with the numbers behind them."""

    def __init__(self):
        self.failed, self.notes = [], []

    def expect(self, holds, claim):
        if not holds:
            self.failed.append(claim)

    def note(self, text):
        self.notes.append(str(text))

    def delivered(self, verdict, through, missing=0):
        """Everything up to `through` has arrived in order, but for what may be missing."""
        self.note(verdict)
        self.expect(verdict.last >= through, f"{verdict.last} of {through} acknowledged numbers arrived")
        self.expect(verdict.missing <= missing, f"{verdict.missing} numbers are lost, {missing} were told")
        self.expect(not verdict.flaws, "the oracle found flaws")

    def result(self):
        """Whether all claims hold, and the line that says so."""
        failures = "; ".join(f"NOT: {claim}" for claim in self.failed)
        return not self.failed, "; ".join(self.notes) + (f"; {failures}" if failures else "")
