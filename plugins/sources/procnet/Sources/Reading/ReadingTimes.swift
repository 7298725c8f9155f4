internal import SondeDomain

/// The times that bound when a count was zero.
struct ReadingTimes {
    /// When the kernel started, if known.
    let boot: Timestamp?
    /// When the tables were read before this time, if they were.
    let previous: Timestamp?

    /// When the counts of something that the last reading did not have were zero.
    ///
    /// An interface did not exist then. A protocol's column only shows once it is not zero (`icmpmsg_put`,
    /// net/ipv4/proc.c), and has counted since the kernel started.
    func startOfNew(_ table: ProcTable) -> Timestamp? {
        table == .dev ? previous : boot
    }
}
