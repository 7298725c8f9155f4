import Testing

@testable import DNSLogPlugin

@Suite struct LogFormatTests {
    @Test func theSixResolversAdGuardHomeAndDnstapHaveAFormatEach() {
        let names = ["unbound", "bind", "dnsmasq", "powerdns", "kresd", "coredns", "adguard", "dnstap"]
        #expect(LogFormat.allCases.map(\.rawValue) == names)
    }
}
