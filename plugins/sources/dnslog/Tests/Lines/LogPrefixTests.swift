import SondeTestKit
import Testing

@testable import DNSLogPlugin

@Suite struct LogPrefixTests {
    private func prefix(_ line: String) -> (message: String, tag: LogTag, process: UInt32, time: Int64?) {
        let bytes = Array(line.utf8)
        return bytes.withUnsafeBytes { buffer in
            let line = LogBytes(buffer)
            let prefix = LogPrefix(line)
            let message = String(decoding: line.from(prefix.start).buffer, as: UTF8.self)
            return (message, prefix.tag, prefix.process, prefix.time)
        }
    }

    @Test(arguments: [
        "[1795223093] unbound[22771:0] query: x",
        "Nov 21 01:05:39 unbound[24996:1f] query: x",
        "Nov  1 01:05:39 host unbound[24996]: query: x",
        "<30>Nov 21 01:05:39 host unbound: query: x",
        "<30>1 2026-11-21T01:05:39.123456+01:00 host unbound 24996 - - query: x",
        "<30>1 2026-11-21T01:05:39Z host unbound 24996 id [a@1 b=\"c\"] query: x",
        "2026-11-21T01:05:39.123456+01:00 host unbound[24996]: query: x",
        "2026-11-21T01:05:39+0100 host unbound[24996]: query: x",
        "1795223093.123456 host unbound[24996]: query: x",
        "Nov 21 01:05:39.123456 host unbound[24996]: query: x",
    ])
    func theMessageIsFoundBehindEveryPrefixOfADaemonSyslogOrJournald(_ line: String) {
        let prefix = prefix(line)
        #expect(prefix.message == "query: x")
        #expect(prefix.tag == .unbound)
        #expect(prefix.time != nil)
    }

    @Test func aContainerRuntimesPrefixHasNoTag() {
        let prefix = prefix("2026-10-06T00:17:09.669794202Z stdout F [INFO] x")
        #expect(prefix.message == "[INFO] x")
        #expect(prefix.tag == .none)
    }

    @Test(arguments: [
        ("21-Nov-2026 01:08:58.981 queries: info: client x", "queries: info: client x"),
        ("Nov 21 01:09:37 2 [96/1] question", "2 [96/1] question"), ("[INFO] 1.2.3.4:5 - x", "[INFO] 1.2.3.4:5 - x"),
    ])
    func aFileOfTheResolverItselfMayHaveNoTag(_ line: String, _ message: String) {
        #expect(prefix(line).message == message)
        #expect(prefix(line).tag == .none)
    }

    @Test func otherProgramsAreTold() {
        #expect(prefix("Nov 21 01:05:39 host cron[1]: query: x").tag == .foreign)
        #expect(prefix("Nov 21 01:05:39 dnsmasq-dhcp[1]: DHCPACK(eth0) 192.0.2.1").tag == .foreign)
        #expect(prefix("Nov 21 01:05:39 dnsmasq[77]: query[A] x from 192.0.2.1").process == 77)
    }

    @Test(arguments: [
        ("Nov 30 23:59:59 x", "Dec  1 00:00:00 x"), ("[1795223093] x", "[1795223094] x"),
        ("2024-02-28T23:59:59Z x", "2024-02-29T00:00:00Z x"),
        ("31-Dec-2026 23:59:59.500 x", "01-Jan-2027 00:00:00.500 x"),
        ("2026/11/21 01:05:39 x", "2026/11/21 01:05:40 x"),
    ])
    func timesOfAllKindsDifferAsTheyShould(_ earlier: String, _ later: String) throws {
        let times = (try #require(prefix(earlier).time), try #require(prefix(later).time))
        #expect(times.1 - times.0 == 1000)
    }

    /// A reader's state from the lines before changes nothing.
    @Test(arguments: RecordedLog.names)
    func aPrefixBehindOthersIsReadAsByItself(_ name: String) throws {
        var reader = PrefixReader()
        for line in try RecordedLog.lines(name) {
            line.withUnsafeBytes { bytes in
                _ = reader.read(LogBytes(bytes))
                let alone = LogPrefix(LogBytes(bytes))
                #expect(reader.prefix.time == alone.time)
                #expect(reader.prefix.start == alone.start)
                #expect(reader.prefix.tag == alone.tag)
                #expect(reader.prefix.process == alone.process)
            }
        }
    }

    /// Lines of many programs, threads and moments, some of them damaged: each is read independently of the lines
    /// before.
    @Test(arguments: 1...4)
    func aPrefixBehindThoseOfOtherProgramsIsReadAsByItself(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var lines = try RecordedLog.names.flatMap { try RecordedLog.lines($0).shuffled(using: &generator).prefix(60) }
        lines += [
            "2026-11-21T01:06:03.123+01:00 host named[7]: a b", "2026-11-21T01:06:03.124+01:00 host named[7]: a b",
            "2026-11-21T01:06:03.123Z stdout F a b", "1795223093.123 a b", "1795223093.456 named: b", "a: b c", "x",
            "<30>1 2026-11-21T01:06:03.123Z host unbound 7 - - a b", "21-Nov-2026 01:06:03.123 a",
        ].map { Array($0.utf8) }
        var reader = PrefixReader()
        for _ in 0..<20_000 {
            // From few lines at a time, so that the same ones meet again.
            let window = Int.random(in: 0..<lines.count, using: &generator)
            var line = lines[min(window & ~7 | Int.random(in: 0...7, using: &generator), lines.count - 1)]
            if Bool.random(using: &generator), !line.isEmpty {
                let bytes = Array("0123456789 :.[]-T<Zsn".utf8)
                line[Int.random(in: 0..<min(line.count, 70), using: &generator)] =
                    bytes.randomElement(using: &generator) ?? 0
            }
            line.withUnsafeBytes { bytes in
                _ = reader.read(LogBytes(bytes))
                let alone = LogPrefix(LogBytes(bytes))
                let isSame =
                    reader.prefix.time == alone.time && reader.prefix.start == alone.start
                    && reader.prefix.tag == alone.tag && reader.prefix.process == alone.process
                #expect(isSame, "\(String(decoding: line.prefix(100), as: UTF8.self))")
            }
        }
    }

    @Test(arguments: [
        ["1795223093.123 x", "1795223093.5 x", "17952230931 x", "1795223093 x", "1795223093x"],
        ["[1795223093] x", "[1795223093.25] x", "[1795223093", "[17952230939] x"],
        [
            "2026-11-21T01:06:03.123+01:00 x", "2026-11-21T01:06:03Z x", "2026-11-21T01:06:03,5 x",
            "2026-11-21T01:06:034 x",
        ],
        ["21-Nov-2026 01:06:03.123 x", "21-Nov-2026 01:06:03 x", "21-Nov-2026 01:06:04.9 x", "21-Nov-2026 01:06:0"],
        ["Nov 21 01:06:03 x", "Nov 21 01:06:03.123456 x", "Nov 21 01:06:03", "Nov  1 01:06:03 x"],
    ])
    func aTimeBehindOthersIsReadAsByItself(_ lines: [String]) {
        for order in [lines, lines.reversed(), lines.flatMap { [lines[0], $0] }] {
            var reader = PrefixReader()
            for line in order {
                Array(line.utf8).withUnsafeBytes { bytes in
                    _ = reader.read(LogBytes(bytes))
                    #expect(reader.prefix.time == LogPrefix(LogBytes(bytes)).time, "\(line)")
                    #expect(reader.prefix.start == LogPrefix(LogBytes(bytes)).start, "\(line)")
                }
            }
        }
    }
}
