import SondeDNS
import SondePluginKit
import SondeWire

@testable import DNSLogPlugin

/// The totals of a log, in plain values.
struct CountedLog {
    var format: LogFormat?
    var capabilities: Set<LogCapability> = []
    var lines: UInt64 = 0
    var unparsed: UInt64 = 0
    var queries: UInt64 = 0
    var responses: UInt64 = 0
    var unanswered: UInt64 = 0
    var dropped: UInt64 = 0
    var unasked: UInt64 = 0
    var repeated: UInt64 = 0
    var evicted: UInt64 = 0
    var codes: [String: UInt64] = [:]
    var classes: [ResponseClass: UInt64] = [:]
    var cached: UInt64 = 0
    var types: [String: UInt64] = [:]
    var transports: [LogTransport: UInt64] = [:]
    var families: [String: UInt64] = [:]
    var upstreams: [String: UInt64] = [:]
    var latencies: UInt64 = 0
    var longestLatency: UInt64?
    var names: [String: UInt64] = [:]
    /// Queries and failures for names that are not reported individually.
    var otherNames: UInt64 = 0
    var otherFailingNames: UInt64 = 0
    var failingNames: [String: UInt64] = [:]
    var clients: [String: UInt64] = [:]

    /// Reads `files`, each from its first line to its last; there is one format.
    init(_ files: [[[UInt8]]], _ settings: LogSettings = .forTests) {
        let pipeline = LogPipeline(settings, seed: 7)
        for lines in files {
            let stream = pipeline.open()
            for line in lines { line.withUnsafeBytes { pipeline.take($0, stream) } }
        }
        pipeline.finish()
        pipeline.withEach { take($0) }
        lines += pipeline.undecidedLines
    }

    /// Reads one file of these lines.
    init(_ lines: [String], _ settings: LogSettings = .forTests) {
        self.init([lines.map { Array($0.utf8) }], settings)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func others(_ ranking: borrowing SpaceSaving) -> UInt64 {
        ranking.total - ranking.top(1000).entries.reduce(0) { $0 + $1.count }
    }

    private mutating func take(_ analysis: borrowing LogAnalysis) {
        format = analysis.format
        capabilities.formUnion(analysis.capabilities)
        lines += analysis.totals.lines
        unparsed += analysis.totals.unparsed
        queries += analysis.totals.queries
        responses += analysis.totals.responses
        unanswered += analysis.totals.unanswered
        dropped += analysis.totals.dropped
        unasked += analysis.totals.unasked
        repeated += analysis.totals.repeated
        evicted += analysis.totals.evicted
        for cell in ResponseCell.all {
            let count = analysis.totals[cell]
            guard count > 0 else { continue }
            codes[cell.codeName ?? "unknown", default: 0] += count
            if let kind = cell.responseClass { classes[kind, default: 0] += count }
            if cell.cache == .hit { cached += count }
        }
        for lane in LogLane.all where analysis.totals[lane] > 0 {
            transports[lane.transport, default: 0] += analysis.totals[lane]
            families[lane.family ?? "unknown", default: 0] += analysis.totals[lane]
        }
        for (code, count) in analysis.totals.types.all { types[DNSType(rawValue: code).mnemonic, default: 0] += count }
        for (server, cause, count) in analysis.totals.upstreams.all {
            upstreams["\(server ?? "?") \(cause.attribute)", default: 0] += count
        }
        if let times = analysis.totals.latencies.summary {
            latencies += times.count ?? 0
            longestLatency = times.maximum
        }
        for entry in analysis.totals.top.names.top(1000).entries {
            names[String(decoding: entry.key, as: UTF8.self)] = entry.count
        }
        for entry in analysis.totals.top.failingNames.top(1000).entries {
            failingNames[String(decoding: entry.key, as: UTF8.self)] = entry.count
        }
        otherNames += Self.others(analysis.totals.top.names)
        otherFailingNames += Self.others(analysis.totals.top.failingNames)
        for entry in analysis.totals.top.clients.top(1000).entries {
            let high = Self.number(entry.key.prefix(8))
            let low = Self.number(entry.key.dropFirst(8))
            clients["\(IPAddress(high: high, low: low))"] = entry.count
        }
    }
}

extension LogSettings {
    /// With names, clients and response times.
    static var forTests: LogSettings {
        var settings = LogSettings()
        settings.top = 20
        settings.report = .responseTimes
        return settings
    }
}
