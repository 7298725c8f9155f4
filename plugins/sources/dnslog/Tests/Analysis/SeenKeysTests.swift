import Testing

@testable import DNSLogPlugin

/// Lines that the format of their file does not know.
@Suite struct SeenKeysTests {
    private let pipeline = LogPipeline(.forTests, seed: 7)
    private let query = "[1795223093] unbound[1:0] query: 192.0.2.1 a.example. A IN"
    private let entry =
        #"{"T":"2026-11-21T01:06:03Z","QH":"a.example","QT":"A","QC":"IN","CP":"","Upstream":"","IP":"192.0.2.1","Elapsed":1}"#

    private var queries: [LogFormat: UInt64] {
        var queries: [LogFormat: UInt64] = [:]
        pipeline.withEach { queries[$0.format] = $0.totals.queries }
        return queries
    }

    private func take(_ lines: [String]) {
        let stream = pipeline.open()
        for line in lines { Array(line.utf8).withUnsafeBytes { pipeline.take($0, stream) } }
    }

    @Test func aLineThatWasDoubtedIsReadWhereItStandsWithoutAPrefix() {
        take([query, "Nov 21 01:06:03 \(entry)", entry])
        #expect(queries == [.unbound: 1, .adguard: 1])
    }

    @Test func aLineThatWasDoubtedInOneFormatIsReadWhereAnotherIsKnown() {
        take([query, entry, query, entry])
        #expect(queries == [.unbound: 2, .adguard: 2])
    }

    @Test(arguments: [
        ("[reqdbg][policy][47278.00] request packet:", LogEvent.Kind.noise),
        ("[system] warning: hard limit is only 20000", .noise),
        ("[INFO] plugin/reload: Running configuration", .unrelated),
        ("[] nothing", .unrelated),
        ("[toolongagroup] text", .unrelated),
    ])
    func otherLinesOfKnotResolverAreKnownByTheirGroup(_ line: String, _ kind: LogEvent.Kind) {
        let parser = LineParser(seed: 7)
        let found = Array(line.utf8).withUnsafeBytes { bytes in
            parser.event(.kresd, LogBytes(bytes), LogPrefix(LogBytes(bytes))).kind
        }
        #expect(found == kind)
    }
}
