internal import SondeDomain

/// The times that bound when a count was zero.
struct ReadingTimes {
    /// When the kernel started, if known.
    private let boot: Timestamp?
    /// The time of the tick.
    let now: Timestamp

    init(boot: Timestamp?, now: Timestamp) {
        self.boot = boot
        self.now = now
    }

    /// When the counts of a section that the last reading of its table did not have were zero, if known.
    ///
    /// An interface did not exist then. A protocol's column only shows once it is not zero (`icmpmsg_put`,
    /// net/ipv4/proc.c), and has counted since the kernel started. A clock that was set back would put the start of a
    /// count behind its samples: it is unknown then.
    func start(of table: ProcTable, lastReading: Timestamp?) -> Timestamp? {
        let start = table == .dev ? lastReading ?? boot : boot
        return start.flatMap { $0 <= now ? $0 : nil }
    }
}
