import Testing

@testable import DNSLogPlugin

/// Logs to which several programs write.
@Suite struct OtherProgramsTests {
    @Test(
        arguments: [
            ("unbound[1]: [1:0] query: 192.0.2.1 a.example. A IN", "unbound"),
            ("dnsmasq[1]: query[A] a.example from 192.0.2.1", "dnsmasq"),
            ("named[1]: client @0x7f 192.0.2.1#53 (a.example): query: a.example IN A + (192.0.2.2)", "bind"),
        ])
    func whatOtherProgramsWriteIsNeitherUnparsedNorAQuery(_ line: String, _ format: String) {
        let head = "Nov 21 01:05:39 4host "
        let others = [
            "kernel: [123.4] query: 192.0.2.1 b.example. A IN", "sudo: root : query[A] b.example from 192.0.2.1",
            "postfix/smtpd[9]: reply: 192.0.2.1 x", "-- MARK --", "last message repeated 3 times",
            "CRON[8]: (root) CMD (x)", "systemd-resolved[5]: Got DNS stub UDP query packet",
            "dnsmasq-dhcp[1]: DHCPACK(eth0) x",
        ]
        let log = CountedLog([head + line] + others.map { head + $0 })
        #expect(log.format?.rawValue == format)
        #expect(log.queries == 1 && log.lines == 9 && log.unparsed == 0 && log.responses == 0)
    }
}
