import Testing

@testable import DNSLogPlugin

/// Logs that are in another format than that of the option.
@Suite struct WrongFormatTests {
    private func pipeline(_ format: LogFormat, _ lines: [[UInt8]]) -> LogPipeline {
        var settings = LogSettings.forTests
        settings.format = format
        let pipeline = LogPipeline(settings, seed: 7)
        let stream = pipeline.open()
        for line in lines { line.withUnsafeBytes { pipeline.take($0, stream) } }
        return pipeline
    }

    private func unparsed(_ pipeline: LogPipeline) -> UInt64 {
        var count: UInt64 = 0
        pipeline.withEach { count += $0.totals.unparsed }
        return count
    }

    /// The format of each recorded log.
    private static let formats: [String: LogFormat] = [
        "unbound": .unbound, "unbound-untagged": .unbound, "bind-queries": .bind, "bind-query-errors": .bind,
        "dnsmasq-extra": .dnsmasq, "dnsmasq-plain": .dnsmasq, "powerdns-structured": .powerdns,
        "powerdns-classic": .powerdns, "kresd": .kresd,
    ]

    @Test(arguments: formats.keys.sorted())
    func aRecordedLogIsUnparsedInEveryOtherFormat(_ name: String) throws {
        let lines = try RecordedLog.lines(name)
        for format in LogFormat.allCases where format != Self.formats[name] && format != .dnstap {
            let pipeline = pipeline(format, lines)
            #expect(unparsed(pipeline) >= UInt64(lines.count) / 4, "\(name) as \(format)")
            let samples = pipeline.takeSamples()
            #expect(samples.map(\.format) == [format])
            #expect(samples.first?.sentence.contains("no line of \(format)") == true)
        }
    }

    @Test(arguments: formats.keys.sorted())
    func aRecordedLogIsReadTheSameWithAndWithoutItsFormat(_ name: String) throws {
        let lines = try RecordedLog.lines(name)
        #expect(unparsed(pipeline(try #require(Self.formats[name]), lines)) == CountedLog([lines]).unparsed)
    }

    @Test func linesThatAreInNoFormatCountOnceThereAreManyOfThem() {
        let line = Array("2026-11-21 01:06:03 request for a.example done".utf8)
        #expect(unparsed(pipeline(.bind, [[UInt8]](repeating: line, count: 100))) == 0)
        #expect(unparsed(pipeline(.bind, [[UInt8]](repeating: line, count: 784))) == 684)
    }

    @Test func whatOtherProgramsWriteIsNoneOfItHoweverMuch() {
        let other = Array("Nov 21 01:05:39 host postfix/smtpd[9]: connect from x".utf8)
        let own = Array("Nov 21 01:05:39 host dnsmasq[1]: query[A] a.example from 192.0.2.1".utf8)
        let untagged = Array("Nov 21 01:05:39 host -- MARK --".utf8)
        let lines = [[UInt8]](repeating: other, count: 500) + [own] + [[UInt8]](repeating: untagged, count: 500)
        let pipeline = pipeline(.dnsmasq, lines)
        #expect(unparsed(pipeline) == 0)
        #expect(pipeline.takeSamples().isEmpty)
    }

    /// Where two resolvers write one log, each source has its own lines.
    @Test func linesOfAnotherResolverAreItsOwnOnceOneWasOfTheFormat() {
        let own = Array("Nov 21 01:05:39 host dnsmasq[1]: query[A] a.example from 192.0.2.1".utf8)
        let other = Array("Nov 21 01:05:39 host unbound[1]: [1:0] query: 192.0.2.1 a.example. A IN".utf8)
        #expect(unparsed(pipeline(.dnsmasq, [own] + [[UInt8]](repeating: other, count: 500))) == 0)
        #expect(unparsed(pipeline(.unbound, [other] + [[UInt8]](repeating: own, count: 500))) == 0)
    }
}
