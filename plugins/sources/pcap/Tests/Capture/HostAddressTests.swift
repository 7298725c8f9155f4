import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

/// The host's own addresses, as reported by the kernel.
@Suite(.enabled(if: Iproute.isUsable, "needs root and iproute2"))
struct HostAddressTests {
    private static let address = IPAddress(ipv4: 0x0a01_0203)

    @Test func addressesAreReadAsTheyAreConfigured() throws {
        let addresses = try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            try Iproute.run("addr add 10.1.2.3/24 dev va")
            try Iproute.run("addr add 10.9.9.1 peer 10.9.9.2 dev vb")
            try Iproute.run("link set lo up")
            return try HostLinks.here.addresses(besides: []).entries
        }
        let expected = ["10.1.2.3", "10.9.9.1", "127.0.0.1"]
        #expect(addresses.map(\.address).filter(\.isIPv4).map(\.description).sorted() == expected)
    }

    @Test func addressesAreFollowedAsTheyComeAndGo() throws {
        try OwnNamespace.run {
            try Iproute.addPair("va", "vb")
            var settings = AnalysisSettings()
            settings.flows = FlowSettings(bytes: 1 << 20)
            let bench = try CaptureBench(["interface": .string("va"), "buffer_size": .size(4 << 20)], settings)
            let isOwn = { bench.pipeline.analysis?.pointee.flows?.host.contains(Self.address) ?? false }
            #expect(!isOwn())
            try Iproute.run("addr add 10.1.2.3/24 dev va")
            try bench.turn { isOwn() }
            try Iproute.run("addr del 10.1.2.3/24 dev va")
            try bench.turn { !isOwn() }
        }
    }

    @Test func theWholeLoopbackNetworkIsTheHosts() {
        let host = HostAddresses([Self.address])
        #expect(host.contains(IPAddress(ipv4: 0x7f00_0035)))
        #expect(!host.contains(IPAddress(ipv4: 0x8000_0001)))
        #expect(!HostAddresses().contains(IPAddress(ipv4: 0x7f00_0001)))
    }
}
