import Foundation
import Testing

@testable import DNSLogPlugin

@Suite struct LogInspectionTests {
    /// Inspects `bytes`, of which the first `head` were read already.
    private func report(_ bytes: [UInt8], head: Int = 4096) throws -> LogReport {
        let file = FileManager.default.temporaryDirectory.appending(path: "sonde-log-\(UUID().uuidString)")
        try Data(bytes.dropFirst(head)).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forReadingFrom: file)
        let inspection = LogInspection()
        try inspection.read(Array(bytes.prefix(head)), handle.fileDescriptor, cancel: -1)
        return LogReport(inspection.pipeline)
    }

    private func json(_ report: LogReport) -> String { String(decoding: report.json, as: UTF8.self) }

    @Test func theReportOfUnboundHasEverything() throws {
        let report = try report(try RecordedLog.bytes("unbound-untagged"))
        #expect(
            json(report)
                == #"{"schema":"sonde.inspect/1","kind":"dnslog","format":"unbound","lines":25,"unparsed":0,"capabilities":["#
                + #""queries","qtypes","clients","responses","rcodes","failures","cached","latency","unanswered"],"#
                + #""dns":{"queries":5,"responses":5,"failures":0,"cached":1,"rcode":{"NOERROR":3,"NXDOMAIN":2},"qtype":{"A":5},"#
                + #""latency":{"count":5,"min":0.0,"median":0.000355,"max":0.005435},"upstreams":null}}"# + "\n"
        )
    }

    @Test func whatBINDDoesNotTellIsNull() throws {
        let report = try report(try RecordedLog.bytes("bind-queries"))
        #expect(
            json(report).contains(
                #""dns":{"queries":2388,"responses":null,"failures":null,"cached":null,"rcode":null,"#))
        #expect(json(report).contains(#""latency":{"count":null,"min":null,"median":null,"max":null}"#))
        #expect(
            String(decoding: report.table, as: UTF8.self).contains("unknown: not in the log"))
    }

    @Test func answersOfThePacketCacheThatMayBeFailuresAreWarnedOf() throws {
        #expect(
            try report(try RecordedLog.bytes("powerdns-structured")).warnings
                == ["825 answers of the packet cache have no code: failures among them are not counted"])
    }

    @Test func aLogInWhichNobodyAsksTellsOfNoQueries() throws {
        let other = try report(try RecordedLog.bytes("bind-other"))
        #expect(other.format == .bind)
        #expect(other.queries == nil)
        #expect(other.types == nil)
        let start = "Nov 21 01:05:39 dnsmasq[7]: started, version 2.90 cachesize 150\n"
        let idle = try report(Array(String(repeating: start, count: 3).utf8))
        #expect(idle.format == .dnsmasq)
        #expect(json(idle).contains(#""queries":null,"responses":null,"failures":null,"cached":null"#))
    }

    @Test func serversThatFailedTheResolverAreTold() throws {
        let report = try report(try RecordedLog.bytes("bind-other"))
        let failing = LogReport.Upstream(server: "127.0.0.1#5397", error: "refused", count: 16)
        #expect(report.upstreams?.contains(failing) == true)
        #expect(json(report).contains(#"{"server":"127.0.0.1#5397","error":"refused","failures":16}"#))
        #expect(String(decoding: report.table, as: UTF8.self).contains("127.0.0.1#5397, refused 16"))
    }

    @Test(arguments: RecordedLog.names)
    func everyLogIsKnownByItsFirstFourKilobytes(_ name: String) throws {
        #expect(LogInspection.isLog(Array(try RecordedLog.bytes(name).prefix(4096))))
    }

    @Test(arguments: [
        "", "hello\n", "PK\u{3}\u{4}", "{\"a\":1}\n", "Nov 21 01:05:39 host cron[1]: x\n", "# A heading\n\nText.\n",
        "127.0.0.1 - - [21/Nov/2026:01:05:39 +0000] \"GET / HTTP/1.1\" 200 12\n",
    ])
    func whatIsNoLogOfAResolverIsLeftToOthers(_ text: String) {
        #expect(!LogInspection.isLog(Array(text.utf8)))
    }

    @Test func aLineOfTenMegabytesIsSkippedAndCounted() throws {
        let line = "[1795223093] unbound[1:0] query: 192.0.2.1 a.example. A IN\n"
        let bytes = Array(line.utf8) + [UInt8](repeating: 0x78, count: 10_000_000) + Array("\n\(line)".utf8)
        let report = try report(bytes)
        #expect(report.queries == 2)
        #expect(report.lines == 3)
        #expect(report.unparsed == 1)
    }

    @Test func lineEndsOfWindowsABeginningMarkAndNoLastEndAreNoTrouble() throws {
        let line = "[1795223093] unbound[1:0] query: 192.0.2.1 a.example. A IN"
        let report = try report([0xef, 0xbb, 0xbf] + Array("\(line)\r\n\(line)".utf8))
        #expect(report.queries == 2)
        #expect(report.unparsed == 0)
    }
}
