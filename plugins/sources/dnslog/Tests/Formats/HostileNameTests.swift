import Testing

@testable import DNSLogPlugin

/// Clients with odd names, and servers with odd texts, cannot change a number.
@Suite struct HostileNameTests {
    private let head = "Nov 21 01:06:03 dnsmasq[1]: 1 192.0.2.1/5 "

    @Test(arguments: [
        "sp ace.example", "a from 192.0.2.9", "\"quoted\";\\.example", "<script>alert(1)</script>.example",
        "x] y from 198.51.100.1 from", "query[AAAA] b.example from 198.51.100.1 .example", " ",
    ])
    func aQueryOfDnsmasqIsReadFromItsRightEnd(_ name: String) {
        let log = CountedLog([head + "query[TXT] \(name) from 192.0.2.1"])
        #expect(log.types == ["TXT": 1])
        #expect(log.clients == ["192.0.2.1": 1])
        #expect(log.unparsed == 0)
    }

    @Test(arguments: [
        "reply t.example is this text is NXDOMAIN", "reply a is b.example is NXDOMAIN",
        "reply t.example is x is NODATA",
    ])
    func anAnswerOfTwoReadingsHasNoCode(_ line: String) {
        let log = CountedLog([head + "query[TXT] t.example from 192.0.2.1", head + line])
        #expect(log.codes == ["unknown": 1])
        #expect(log.unanswered == 0 && log.classes.isEmpty)
    }

    @Test func withoutASerialNumberSuchAnAnswerIsUnparsed() {
        let log = CountedLog([
            "Nov 21 01:06:03 dnsmasq[1]: query[TXT] t.example from 192.0.2.1",
            "Nov 21 01:06:03 dnsmasq[1]: reply t.example is this text is NXDOMAIN",
        ])
        #expect(log.codes.isEmpty && log.unparsed == 1)
    }

    @Test func aTextThatNamesAnErrorIsNone() {
        let log = CountedLog([
            head + "query[TXT] t.example from 192.0.2.1", head + "reply t.example is error is SERVFAIL",
        ])
        #expect(log.codes == ["NOERROR": 1])
    }

    @Test func aNameOf255OctetsIsCountedAndNotToldOneByOne() {
        let name = String(repeating: #"\255"#, count: 250) + ".example"
        let log = CountedLog(["client @0x7f 192.0.2.1#53 (\(name)): query: \(name) IN A + (192.0.2.2)"])
        #expect(log.queries == 1 && log.names.isEmpty && log.otherNames == 1)
    }

    @Test func aNameThatIsTooLongToBeKeptFailsWithTheOtherNames() {
        let name = String(repeating: "long.", count: 30) + "example"
        let log = CountedLog([head + "query[A] \(name) from 192.0.2.1", head + "reply error is SERVFAIL"])
        #expect(log.codes == ["SERVFAIL": 1] && log.names == [name: 1])
        #expect(log.failingNames.isEmpty && log.otherFailingNames == 1)
    }

    @Test func invalidBytesAreNoText() {
        let line =
            Array("client @0x7f 192.0.2.1#53 (x): query: ".utf8) + [0xff, 0x00, 0xc3]
            + Array(" IN A + (192.0.2.2)".utf8)
        #expect(CountedLog([[line]]).names == [#"\255\000\195"#: 1])
    }
}
