@testable import DNSLogPlugin

/// The dnstap of a real resolver, from the folder of fixtures.
enum DnstapRecording {
    static func bytes(_ name: String) throws -> [UInt8] { try Recording.bytes("\(name).fstrm") }
}

/// The totals of frames, in plain values.
struct DnstapTally {
    var kinds: [LogEvent.Kind: Int] = [:]
    var codes: [Int16: Int] = [:]
    var transports: [LogTransport: Int] = [:]
    var causes: [String: Int] = [:]
    var latencies: [UInt64] = []
    /// Responses whose key no query had before.
    var unasked = 0
    private var asked: [UInt64: Int] = [:]

    mutating func take(_ event: LogEvent) {
        kinds[event.kind, default: 0] += 1
        switch event.kind {
        case .query:
            asked[event.key, default: 0] += 1
            transports[event.transport, default: 0] += 1
        case .response:
            codes[event.outcome.code, default: 0] += 1
            if event.outcome.latency != LogEvent.Outcome.unknownLatency { latencies.append(event.outcome.latency) }
            if asked[event.key, default: 0] > 0 { asked[event.key]? -= 1 } else { unasked += 1 }
        case .upstreamFailure:
            let server = String(decoding: event.server.buffer, as: UTF8.self)
            causes["\(server) \(event.cause.attribute)", default: 0] += 1
        default: break
        }
    }

    /// Queries that no response followed.
    var unanswered: Int { asked.values.reduce(0, +) }
}
