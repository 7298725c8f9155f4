import Testing

@testable import DNSLogPlugin

/// Logs of real resolvers beside what their clients sent and got.
///
/// Clients sent 2,402 queries (1,502 in the shorter recordings), 17 of which were malformed messages. The numbers of the
/// clients are named where they differ from those of the log.
@Suite struct RecordedLogTests {
    private func count(_ names: String...) throws -> CountedLog {
        CountedLog(try names.map { try RecordedLog.lines($0) })
    }

    // MARK: unbound: 2,048 NOERROR, 230 NXDOMAIN, 75 SERVFAIL, 15 REFUSED, 7 FORMERR, 3 NOTIMP, 24 without an answer

    @Test func unboundTellsEveryAnswerAndThreeQueriesOfTheStatisticsToolMore() throws {
        let log = try count("unbound")
        #expect(log.format == .unbound)
        #expect(log.queries == 2385)
        #expect(log.codes["NOERROR"] == 2048 + 3)
        #expect(log.codes["NXDOMAIN"] == 230 + 1)
        #expect(log.codes["SERVFAIL"] == 75)
        #expect(log.codes["REFUSED"] == 15)
        #expect(log.cached == 1365)
        #expect(log.unparsed == 0)
    }

    @Test func unboundLogsFourOfSevenFormatErrorsAndNoAnswerToUnknownOpcodes() throws {
        let log = try count("unbound")
        #expect(log.codes["FORMERR"] == 4)
        #expect(log.codes["NOTIMP"] == nil)
        #expect(log.responses == 2376)
    }

    @Test func unboundAnswersRefusedClientsWithoutAQueryInTheLog() throws {
        // 2,385 queries and 2,372 answers with a question, of which 8 were to refused clients and have no query.
        let log = try count("unbound")
        #expect(log.unasked == 8)
        #expect(log.unanswered == 2385 - (2372 - 8))
    }

    @Test func unboundTellsLatencyInMicroseconds() throws {
        let log = try count("unbound")
        #expect(log.latencies == 2372)
        #expect(log.longestLatency == 776_260_000)
        #expect(log.upstreams.values.reduce(0, +) == 63)
        #expect(log.upstreams["127.0.0.1 servfail"] ?? 0 > 20)
    }

    @Test func unboundWithoutTagsTellsTheSame() throws {
        let log = try count("unbound-untagged")
        #expect(log.format == .unbound)
        #expect(log.queries == 5)
        #expect(log.responses == 5)
        #expect(log.codes == ["NOERROR": 3, "NXDOMAIN": 2])
        #expect(log.cached == 1)
        #expect(log.unanswered == 0)
        #expect(log.unparsed == 0)
    }

    // MARK: BIND: 98 SERVFAIL, 9 REFUSED, and 2,295 that its log does not have

    @Test func bindTellsQueriesAndNothingOfMostAnswers() throws {
        let log = try count("bind-queries", "bind-query-errors", "bind-other")
        #expect(log.format == .bind)
        #expect(log.queries == 2388)
        #expect(log.transports[.tcp] == 481)
        #expect(log.codes["NXDOMAIN"] == nil)
        #expect(log.codes["NOERROR"] == nil)
        #expect(!log.capabilities.contains(.responses))
        #expect(log.unparsed == 0)
    }

    @Test func bindTellsSixFailuresForWhichClientsDidNotWait() throws {
        let log = try count("bind-queries", "bind-query-errors", "bind-other")
        #expect(log.codes["SERVFAIL"] == 98 + 6)
        #expect(log.capabilities.contains(.failures))
    }

    @Test func bindTellsEightOfNineRefusalsAlthoughTwoCategoriesTellOfEach() throws {
        let log = try count("bind-queries", "bind-query-errors", "bind-other")
        #expect(log.codes["REFUSED"] == 8)
    }

    @Test func bindFailuresAreUnknownWithoutTheirCategory() throws {
        let log = try count("bind-queries")
        #expect(!log.capabilities.contains(.failures))
        #expect(log.responses == 0)
    }

    // MARK: dnsmasq: 2,052 NOERROR, 228 NXDOMAIN, 46 SERVFAIL, 26 REFUSED, 2 FORMERR, 1 NOTIMP, 47 without an answer

    @Test func dnsmasqWithExtraTellsHowQueriesEnded() throws {
        let log = try count("dnsmasq-extra")
        #expect(log.format == .dnsmasq)
        #expect(log.queries == 2399)
        #expect(log.codes["NXDOMAIN"] == 228)
        #expect(log.codes["SERVFAIL"] == 46)
        #expect(log.codes["FORMERR"] == 2)
        #expect(log.codes["NOTIMP"] == 1)
        #expect(log.cached == 962)
        #expect(log.unparsed == 0)
    }

    @Test func dnsmasqLogsFourRefusalsOfServersWhoseQueriesWereTriedAgain() throws {
        #expect(try count("dnsmasq-extra").codes["REFUSED"] == 26 + 4)
    }

    @Test func dnsmasqLogsNoCodeOfTruncatedAndSharedAnswers() throws {
        let log = try count("dnsmasq-extra")
        // Ten were truncated, eleven shared; two more came over a connection that the client closed.
        #expect(log.codes["NOERROR"] == 2041)
        #expect(log.codes["unknown"] == 10)
        #expect(log.repeated == 11)
    }

    @Test func dnsmasqQueriesWithoutAnyOutcomeAreUnanswered() throws {
        // The clients saw 45 time-outs and 2 closed connections, one of each for messages that were no queries.
        // The clients saw 45 time-outs and 2 closed connections: nine for what was no query, four after a server had refused.
        #expect(try count("dnsmasq-extra").unanswered == 45 + 2 - 9 - 4)
    }

    @Test func dnsmasqWithoutExtraTellsQueriesAndDenialsAndErrorsAlone() throws {
        // The clients saw 147 NXDOMAIN, 30 SERVFAIL, 9 REFUSED, 2 FORMERR and 1 NOTIMP, and 1,272 NOERROR.
        let log = try count("dnsmasq-plain")
        #expect(log.queries == 1499)
        #expect(log.codes["NXDOMAIN"] == 147)
        #expect(log.codes["SERVFAIL"] == 30)
        #expect(log.codes["FORMERR"] == 2)
        #expect(log.codes["NOTIMP"] == 1)
        #expect(log.codes["NOERROR"] == nil)
        #expect(log.unanswered == 0)
        #expect(!log.capabilities.contains(.responses))
        #expect(!log.capabilities.contains(.unanswered))
    }

    @Test func dnsmasqWithoutExtraTellsRefusalsOfServersToo() throws {
        #expect(try count("dnsmasq-plain").codes["REFUSED"] == 9 + 3)
    }

    // MARK: PowerDNS: 2,045 NOERROR, 226 NXDOMAIN, 109 SERVFAIL; 1,269, 144 and 67 in the classic recording

    @Test func powerDNSTellsNoCodeOfThePacketCache() throws {
        let log = try count("powerdns-structured")
        #expect(log.format == .powerdns)
        #expect(log.queries == 1559 + 825)
        #expect(log.codes == ["NOERROR": 1254, "NXDOMAIN": 214, "SERVFAIL": 89, "unknown": 825 + 3])
        #expect(log.cached == 825)
        #expect(log.latencies == 1560)
        #expect(log.longestLatency == 1_503_885_000)
        #expect(log.unparsed == 0)
    }

    @Test func powerDNSDropsEightQueriesThatItMayNotAnswer() throws {
        let log = try count("powerdns-structured")
        #expect(log.dropped == 8)
        #expect(try count("powerdns-classic").dropped == 8)
    }

    @Test func powerDNSClassicTellsTheSameWithoutNamesOfThePacketCache() throws {
        let log = try count("powerdns-classic")
        #expect(log.format == .powerdns)
        #expect(log.queries == 1095 + 389)
        // Two of the answers were to queries that wanted no recursion.
        #expect(log.codes == ["NOERROR": 895 + 2, "NXDOMAIN": 140, "SERVFAIL": 56, "unknown": 389 + 3])
        #expect(log.cached == 389)
        #expect(log.unparsed == 0)
    }

    // MARK: Knot Resolver: 2,007 NOERROR, 229 NXDOMAIN, 143 SERVFAIL, 12 REFUSED, 11 without an answer

    @Test func kresdTellsEveryAnswerAndThreeToItself() throws {
        let log = try count("kresd")
        #expect(log.format == .kresd)
        #expect(log.queries == 2394)
        #expect(log.codes == ["NOERROR": 2007 + 3, "NXDOMAIN": 229, "SERVFAIL": 143, "REFUSED": 12])
        #expect(log.cached == 1361)
        #expect(log.unparsed == 0)
    }

    // MARK: all

    @Test(arguments: RecordedLog.names)
    func everyLineOfALogIsCounted(_ name: String) throws {
        let lines = try RecordedLog.lines(name)
        #expect(CountedLog([lines]).lines == UInt64(lines.count))
    }
}
