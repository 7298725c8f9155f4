internal import SondeDNS

/// What is in a log.
///
/// What the log does not contain is nil, and `null` in the JSON: never 0.
package struct LogReport {
    /// How often another server failed the resolver, and how.
    struct Upstream: Equatable {
        /// Its address; nil where the log does not name it, and beyond the servers that are distinguished.
        let server: String?
        let error: String
        var count: UInt64
    }

    /// The format of most of its lines.
    package var format: LogFormat?
    package var lines: UInt64 = 0
    package var unparsed: UInt64 = 0
    var capabilities: [LogCapability] = []
    package var queries: UInt64?
    var responses: UInt64?
    package var failures: UInt64?
    var cached: UInt64?
    var codes: [NamedCount]?
    var types: [NamedCount]?
    var latency = ResponseTimeSummary()
    var upstreams: [Upstream]?
    /// Why some counts are not exact.
    var warnings: [String] = []

    /// The report of a log that was read; several formats in one file are counted together.
    package init(_ pipeline: LogPipeline) {
        var most: UInt64 = 0
        pipeline.withEach { analysis in
            if analysis.totals.lines >= most {
                most = analysis.totals.lines
                format = analysis.format
            }
            add(analysis)
        }
        lines &+= pipeline.undecidedLines
    }

    private mutating func add(_ analysis: borrowing LogAnalysis) {
        let contained = analysis.capabilities
        capabilities = LogCapability.allCases.filter { capabilities.contains($0) || contained.contains($0) }
        lines &+= analysis.totals.lines
        unparsed &+= analysis.totals.unparsed
        if contained.contains(.queries) { queries = (queries ?? 0) &+ analysis.totals.queries }
        if contained.contains(.responses) { responses = (responses ?? 0) &+ analysis.totals.responses }
        if contained.contains(.failures) {
            failures = (failures ?? 0) &+ analysis.failures.reduce(0) { $0 &+ $1.count }
        }
        if contained.contains(.cached) { cached = (cached ?? 0) &+ analysis.cachedResponses }
        // Some formats have the codes of a few answers only: those are there as well.
        if contained.contains(.codes) || !analysis.codes.isEmpty { Self.add(analysis.codes, to: &codes) }
        if contained.contains(.types) { Self.add(analysis.types, to: &types) }
        if contained.contains(.latency) { latency = analysis.totals.latencies.summary ?? latency }
        if contained.contains(.upstreams) { upstreams = (upstreams ?? []) + analysis.upstreamFailures }
        let codeless = analysis.format == .powerdns ? analysis.codelessCachedResponses : 0
        if codeless > 0 {
            warnings.append("\(codeless) answers of the packet cache have no code: failures among them are not counted")
        }
        guard analysis.totals.evicted > 0 else { return }
        warnings.append(
            "\(analysis.totals.evicted) queries were forgotten to stay within the bound of memory: how many were not "
                + "answered is not exact"
        )
    }

    private static func add(_ counts: [NamedCount], to known: inout [NamedCount]?) {
        var list = known ?? []
        for named in counts {
            if let place = list.firstIndex(where: { $0.name == named.name }) {
                list[place].count &+= named.count
            } else {
                list.append(named)
            }
        }
        known = list
    }
}
