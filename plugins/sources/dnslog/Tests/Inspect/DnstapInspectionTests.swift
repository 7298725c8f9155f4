import Testing

@testable import DNSLogPlugin

@Suite struct DnstapInspectionTests {
    private func inspect(_ bytes: [UInt8], head: Int = 4_096) throws -> (json: String, warning: String?) {
        let folder = try LogFolder()
        try folder.append(bytes, to: "q.fstrm")
        let file = try OpenFile(folder.file("q.fstrm"), skipping: min(head, bytes.count))
        let inspection = DnstapInspection()
        let warning = try inspection.read(Array(bytes.prefix(head)), file.descriptor, cancel: -1)
        return (String(decoding: LogReport(inspection.pipeline).json, as: UTF8.self), warning)
    }

    @Test func theReportOfKresdHasEverythingButTheCacheAndServersThatFail() throws {
        let (json, warning) = try inspect(try DnstapRecording.bytes("kresd"))
        #expect(
            json.hasPrefix(
                #"{"schema":"sonde.inspect/1","kind":"dnslog","format":"dnstap","lines":4787,"unparsed":0,"capabilities":["#
                    + #""queries","qtypes","clients","transport","responses","rcodes","failures","latency","unanswered"],"#
                    + #""dns":{"queries":2393,"responses":2394,"failures":155,"cached":null,"#
                    + #""rcode":{"NOERROR":2010,"NXDOMAIN":229,"REFUSED":12,"SERVFAIL":143},"#
            )
        )
        #expect(warning == nil)
    }

    @Test func aRecursorThatTellsOfItsUpstreamsAloneHasNoQueries() throws {
        let (json, _) = try inspect(try DnstapRecording.bytes("powerdns"))
        #expect(json.contains(#""capabilities":["upstreams"]"#))
        #expect(json.contains(#""queries":null,"responses":null,"failures":null"#))
    }

    @Test func aStreamThatIsCutSaysSo() throws {
        let bytes = try DnstapRecording.bytes("kresd")
        let (json, warning) = try inspect(Array(bytes.prefix(bytes.count / 2)))
        #expect(warning?.contains("does not end as it should") == true)
        #expect(json.contains(#""format":"dnstap""#))
    }

    @Test func whatFollowsABrokenFrameIsNotGuessedAt() throws {
        let start = ControlFrame.bytes(.start, content: .dnstap)
        let (_, warning) = try inspect(start + [0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff] + start)
        #expect(warning?.contains("broken") == true)
    }

    @Test func streamsOfOtherContentAreLeftToOthers() {
        var start = ControlFrame.bytes(.start, content: .dnstap)
        #expect(DnstapFile.isPossible(start))
        start[start.count - 1] ^= 1
        #expect(!DnstapFile.isPossible(start))
        #expect(DnstapFile.isPossible(ControlFrame.bytes(.start)))
        for length in 0..<12 { #expect(!DnstapFile.isPossible(Array(ControlFrame.bytes(.start).prefix(length)))) }
    }
}
