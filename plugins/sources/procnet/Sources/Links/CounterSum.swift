internal import SondeNetlink

/// The sum of the counts of devices that come and go: it only rises.
struct CounterSum {
    private(set) var total = LinkCounters()

    init() {}

    /// Adds what a device counted.
    mutating func add(_ step: LinkCounters) {
        total.add(step)
    }
}
