import Testing

@testable import DNSLogPlugin

@Suite struct LogFormatTests {
    @Test func theSixResolversAndAdGuardHomeHaveAFormatEach() {
        let names = ["unbound", "bind", "dnsmasq", "powerdns", "kresd", "coredns", "adguard"]
        #expect(LogFormat.allCases.map(\.rawValue) == names)
    }
}
