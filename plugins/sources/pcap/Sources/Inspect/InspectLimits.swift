internal import SondeDNS

/// What bounds the analysis of a file: more than live capture may take, since nothing in a file is ever too old.
enum InspectLimits {
    /// Memory for flows: room for about three million.
    static let flowBytes = 512 << 20
    /// Transactions that wait, that have just been answered, or that were never answered.
    static let transactions = 1 << 20
    /// Streams of DNS over TCP, and what they may hold together.
    static let streams = 1 << 16
    static let streamBytes = 64 << 20
    /// How long a stream may be silent, in nanoseconds.
    static let streamIdle: Int64 = 300_000_000_000
}

extension TransactionLimits {
    /// For a whole file: a response is never too late.
    static var file: TransactionLimits {
        var limits = TransactionLimits()
        limits.lateness = .max
        limits.transactions = InspectLimits.transactions
        return limits
    }
}

extension DNSSettings {
    /// For a whole file: no names are counted, and response times are kept for their median.
    static var file: DNSSettings {
        DNSSettings(
            report: .responseTimes,
            transactions: .file,
            reassembly: ReassemblyLimits(
                streams: InspectLimits.streams, bytes: InspectLimits.streamBytes, idle: InspectLimits.streamIdle
            ),
            seed: .random(in: .min ... .max)
        )
    }
}

extension TrafficAnalysis {
    /// For a whole file.
    package static var file: TrafficAnalysis {
        TrafficAnalysis(flows: .file(bytes: InspectLimits.flowBytes), dns: .file)
    }
}
