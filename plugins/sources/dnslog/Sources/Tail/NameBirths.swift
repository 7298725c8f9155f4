internal import SondeDomain

/// Whether more files had a name than were opened: those in between came and went between two looks.
struct NameBirths {
    /// How long the kernel may take to report a file that was found already.
    private static let delay = Nanoseconds.seconds(1)

    private var balance = 0
    private var lastArrival = MonotonicInstant(nanoseconds: .min)

    /// The kernel reported that files got the name.
    mutating func note(births: Int, at now: MonotonicInstant) {
        // A file was there before names were watched: it will not be reported again.
        if births == 0, balance < 0, now.since(lastArrival) >= Self.delay { balance = 0 }
        balance += births
    }

    /// Files were opened that have the name or had it.
    mutating func note(arrivals: Int, at now: MonotonicInstant) {
        balance -= arrivals
        lastArrival = now
    }

    /// The file that had the name has it: where it had lost it, it has come back.
    mutating func noteReturn(at now: MonotonicInstant) {
        if balance > 0 { note(arrivals: 1, at: now) }
    }

    /// Whether files were missed since the last question.
    mutating func takeMissed() -> Bool {
        guard balance > 0 else { return false }
        balance = 0
        return true
    }
}
