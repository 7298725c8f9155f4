import Testing

@testable import DNSLogPlugin

/// Frames of real resolvers that got 2,402 queries each; the counts of the daemons themselves are in the comments.
@Suite struct DnstapRecordingTests {
    private func tally(_ name: String) throws -> DnstapTally {
        let bytes = try DnstapRecording.bytes(name)
        var decoder = DnstapDecoder(seed: 7)
        var stream = FrameStream()
        var tally = DnstapTally()
        let (used, step) = bytes.withUnsafeBytes { raw in stream.take(raw) { tally.take(decoder.event($0)) } }
        #expect(used == bytes.count)
        guard case .ended = step else {
            Issue.record("\(name) did not end: \(step)")
            return tally
        }
        return tally
    }

    @Test func unboundTellsOfEveryAnswerAlsoOfRefusalsWithoutAQuestion() throws {
        let tally = try tally("unbound")
        #expect(tally.kinds[.query] == 2_403)
        // num.answer.rcode.*: NOERROR 2051 (one of them a BADVERS), FORMERR 4, SERVFAIL 75, NXDOMAIN 230, REFUSED 15.
        #expect(tally.codes == [0: 2_050, 16: 1, 1: 4, 2: 75, 3: 230, 5: 15])
        // unwanted.queries: 8 clients that no rule lets in are answered with a bare header.
        #expect(tally.unasked == 0)
        #expect(tally.latencies.count == 2_375)
        #expect(tally.kinds[.unparsed] == 1, "a query of a single octet")
        #expect(tally.transports == [.udp: 1_922, .tcp: 481])
        #expect(tally.causes["127.0.0.1:5397 refused"] == 80)
    }

    @Test func kresdTellsOfEveryQueryAndAnswer() throws {
        let tally = try tally("kresd")
        #expect(tally.kinds == [.query: 2_393, .response: 2_394])
        #expect(tally.codes == [0: 2_010, 2: 143, 3: 229, 5: 12])
        #expect(tally.unanswered == 0)
        #expect(tally.transports == [.udp: 1_912, .tcp: 481])
    }

    @Test func bindTellsTheCodesThatItsLogDoesNot() throws {
        let tally = try tally("bind")
        #expect(tally.kinds[.query] == 2_377)
        #expect(tally.kinds[.response] == 2_386)
        // The statistics channel: NXDOMAIN 230, SERVFAIL 104, NOTAUTH 1.
        #expect(tally.codes == [0: 2_043, 2: 104, 3: 230, 5: 8, 9: 1])
        #expect(tally.unanswered == 0)
    }

    @Test func theRecursorOfPowerDNSTellsOfItsUpstreamsOnly() throws {
        let tally = try tally("powerdns")
        #expect(tally.kinds == [.upstreamFailure: 52, .noise: 2_058])
        #expect(tally.causes["127.0.0.1:5397 servfail"] == 32)
    }

    @Test func aRecordingReadFromAFileIsTheSame() throws {
        let folder = try LogFolder()
        let bytes = try DnstapRecording.bytes("kresd")
        try folder.append(bytes, to: "kresd.fstrm")
        #expect(DnstapFile.isPossible(Array(bytes.prefix(64))))
        for headLength in [0, 1, 64, 4_096] {
            let file = try OpenFile(folder.file("kresd.fstrm"), skipping: headLength)
            var reader = DnstapFile(file.descriptor)
            var decoder = DnstapDecoder(seed: 7)
            var tally = DnstapTally()
            let end = reader.read(head: Array(bytes.prefix(headLength))) { tally.take(decoder.event($0)) }
            #expect(end == .whole)
            #expect(tally.kinds == [.query: 2_393, .response: 2_394])
        }
    }
}
