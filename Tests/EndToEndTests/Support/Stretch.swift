/// The stretch of the log that a Sonde-Batch header names: `<agent id>/<epoch>/<first>-<last>`; nil for one that names none,
/// since it went ahead of the log.
struct Stretch: Hashable {
    let log: Substring
    let first: UInt64
    let last: UInt64

    init?(_ header: String?) {
        guard let match = header?.wholeMatch(of: /([0-9a-f-]{36}\/[^\/]+)\/(\d+)-(\d+)/) else { return nil }
        guard let first = UInt64(match.2), let last = UInt64(match.3), first <= last else { return nil }
        guard !match.1.hasSuffix("-now") else { return nil }
        log = match.1
        self.first = first
        self.last = last
    }

    /// Whether stretches are of one log and follow each other without a gap or an overlap.
    static func areConsecutive(_ stretches: [Stretch]) -> Bool {
        zip(stretches, stretches.dropFirst()).allSatisfy { $0.log == $1.log && $0.last + 1 == $1.first }
    }
}
