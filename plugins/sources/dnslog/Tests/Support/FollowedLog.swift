import SondeDomain

@testable import DNSLogPlugin

/// A log of which the lines come one by one, with time between them.
struct FollowedLog {
    private let pipeline: LogPipeline
    private let stream: LogStream

    init(_ settings: LogSettings = .forTests) {
        pipeline = LogPipeline(settings, seed: 7)
        stream = pipeline.open()
    }

    mutating func take(_ line: String) {
        Array(line.utf8).withUnsafeBytes { pipeline.take($0, stream) }
    }

    /// Time passes in which no line comes.
    mutating func pass(seconds: Int64) {
        pipeline.pass(.milliseconds(seconds * 1000))
        pipeline.settle()
    }

    /// A number of all formats together.
    func count(_ body: (borrowing LogTotals) -> UInt64) -> UInt64 {
        var count: UInt64 = 0
        pipeline.withEach { count += body($0.totals) }
        return count
    }

    var failures: [String: UInt64] {
        var counts: [String: UInt64] = [:]
        pipeline.withEach { for (type, count) in $0.failures { counts[type, default: 0] += count } }
        return counts
    }

    /// What is said to the agent's log.
    func sentences() -> [String] { pipeline.takeReasons() + pipeline.takeSamples().map(\.sentence) }
}
