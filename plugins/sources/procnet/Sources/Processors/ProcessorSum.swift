/// The sum of counters that every processor keeps for itself, in 32 bits: it only rises.
struct ProcessorSum {
    private static let range: UInt64 = 1 << 32

    private var last: [Int: UInt64] = [:]
    private(set) var total: UInt64 = 0
    private var hasBegun = false

    init() {}

    /// Begins a reading.
    mutating func begin() {
        hasBegun = hasBegun || !last.isEmpty
    }

    /// Takes what one processor has counted.
    ///
    /// A processor that comes later brings what it counts from then on.
    mutating func take(_ processor: Int, _ new: UInt64) {
        if let old = last[processor] {
            total &+= Self.step(new, since: old)
        } else if !hasBegun {
            total &+= new
        }
        last[processor] = new
    }

    /// A fall is the end of 32 bits where that is plausible, and no spike where it is not.
    private static func step(_ new: UInt64, since old: UInt64) -> UInt64 {
        guard new < old else { return new &- old }
        guard old < range else { return 0 }
        let step = range &- old &+ new
        return step <= range / 2 ? step : 0
    }
}
