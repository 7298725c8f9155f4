import Foundation
import SondePluginKit
import SondeTestKit
import SondeWire
import Testing

@testable import DNSLogPlugin

/// The address at which the resolver of a log is queried.
@Suite struct ResolverAddressTests {
    private static let loopback = IPAddress(ipv4: 0x7f00_0001)
    private static let one = IPAddress(high: 0x2001_0db8 << 32, low: 1)

    @Test(arguments: [
        ("127.0.0.1:53", ResolverAddress(loopback, port: 53)), ("127.0.0.1", ResolverAddress(loopback, port: 53)),
        ("127.0.0.1:5353", ResolverAddress(loopback, port: 5_353)),
        ("[2001:db8::1]:853", ResolverAddress(one, port: 853)), ("[2001:db8::1]", ResolverAddress(one, port: 53)),
        ("2001:db8::1", ResolverAddress(one, port: 53)), ("[::]:53", ResolverAddress(.unspecified, port: 53)),
        ("0.0.0.0:53", ResolverAddress(IPAddress(ipv4: 0), port: 53)),
    ])
    func anAddressHasItsPortOrThatOfDNS(_ text: String, _ address: ResolverAddress) {
        #expect(ResolverAddress(text) == address)
    }

    @Test(arguments: [
        "", ":", ":53", "localhost", "localhost:53", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:-1",
        "127.0.0.1:5 3", "127.0.0.256:53", "[::1", "::1]", "[::1]53", "[::1]:", "[127.0.0.1:53", "[]:53", "[", "]",
        "127.0.0.1:53:53", "[::1]:53:", "\u{301}:53",
    ])
    func anythingElseIsRefused(_ text: String) {
        #expect(ResolverAddress(text) == nil)
    }

    private func failure(_ options: [String: FakeHost.Option]) throws -> PluginError? {
        #expect(throws: PluginError.self) {
            _ = try PluginHarness(
                sonde_plugin_dnslog(), options: options.merging(["path": .string("/var/log/x.log")]) { $1 })
        }
    }

    @Test func aWrongAddressIsAnErrorWithItsPlace() throws {
        let one = try failure(["resolver": .string("localhost:53")])
        #expect(one?.code == "SND-DLG001")
        #expect(one?.optionPath == "resolver")
        let several = try failure(["resolvers": .list(["127.0.0.1:53", "nowhere"])])
        #expect(several?.optionPath == "resolvers[1]")
        let many = try failure(["resolvers": .list((1...17).map { "192.0.2.\($0)" })])
        #expect(many?.optionPath == "resolvers")
    }

    @Test func messagesTellAtMostSomeAddresses() {
        var seen = SeenResolvers()
        seen.add(nil, 53)
        seen.add(Self.loopback, nil)
        #expect(seen.all.isEmpty)
        for round in 0..<2 {
            for number in UInt32(0)..<40 { seen.add(IPAddress(ipv4: number), 53) }
            #expect(seen.all.count == SeenResolvers.bound, "round \(round)")
        }
        #expect(seen.all.first == ResolverAddress(IPAddress(ipv4: 0), port: 53))
    }

    @Test func whatThePersonSaysIsTold() throws {
        let folder = try LogFolder()
        try folder.write("[1795223093] unbound[1:0] query: 192.0.2.1 a.example. A IN\n", to: "q.log")
        let source = try RunningSource([
            "path": .string(folder.file("q.log")), "start": .string("beginning"),
            "resolvers": .list(["127.0.0.1:53", "[::1]"]),
        ])
        try source.run { source.sum("sonde.dns.resolver.query.count") == 1 }
        let metric = "sonde.dns.resolver.address"
        #expect(source.sum(metric, ["server.address": "127.0.0.1", "server.port": "53"]) == 1)
        #expect(source.sum(metric, ["server.address": "::1", "server.port": "53"]) == 1)
    }
}
