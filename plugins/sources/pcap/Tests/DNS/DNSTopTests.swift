import SondeDNS
import SondePluginKit
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

@Suite struct DNSTopTests {
    private static let key = SipKey(first: 1, second: 2)

    private func monitor(_ privacy: NamePrivacy, top: Int = 10) -> DNSMonitor {
        var settings = DNSSettings.testing
        settings.rankingCapacity = top
        settings.privacy = privacy
        var monitor = DNSMonitor(settings)
        for (index, name) in ["www.Example.org", "mail.example.org", "WWW.example.org", "org", "."].enumerated() {
            let client = 0x0a00_0001 + UInt32(index % 2)
            monitor.see(DNSMessageBuilder(id: UInt16(index)).asking(name).bytes, .query(client: client), at: 0)
        }
        let missing = DNSMessageBuilder(id: 9, flags: 0x8183).asking("Nowhere.test")
        monitor.see(missing.bytes, FlowTuple.query().reversed, at: 0)
        return monitor
    }

    private func names(_ keys: TopKeys, _ privacy: NamePrivacy) -> [String: UInt64] {
        Dictionary(keys.entries.map { (privacy.text(name: $0.key), $0.count) }) { $0 + $1 }
    }

    @Test func namesAreCountedInLowerCase() {
        let monitor = monitor(.full)
        let expected: [String: UInt64] = ["www.example.org": 2, "mail.example.org": 1, "org": 1, ".": 1]
        #expect(names(monitor.totals.top.names.top(10), .full) == expected)
        #expect(names(monitor.totals.top.failingNames.top(10), .full) == ["nowhere.test": 1])
    }

    @Test func namesAreCutToTheirLastTwoLabels() {
        let monitor = monitor(.domain)
        #expect(names(monitor.totals.top.names.top(10), .domain) == ["example.org": 3, "org": 1, ".": 1])
        #expect(monitor.totals.top.names.top(10).entries.count == 3)
        // Both clients are of one network.
        #expect(monitor.totals.top.clients.top(10).entries.map(\.count) == [5])
    }

    @Test func hashedNamesTellNothingButAreTheSame() {
        let privacy = NamePrivacy.hashed(Self.key)
        let shown = names(monitor(privacy).totals.top.names.top(10), privacy)
        #expect(shown.values.sorted() == [1, 1, 1, 2])
        #expect(shown.keys.allSatisfy { $0.utf8.count == 16 && !$0.contains(".") })
        let other = NamePrivacy.hashed(SipKey(first: 1, second: 3))
        #expect(Set(shown.keys).isDisjoint(with: names(monitor(other).totals.top.names.top(10), other).keys))
    }

    @Test func noNamesAreKeptWhenNobodyMayKnowThem() {
        let monitor = monitor(.none)
        #expect(monitor.totals.top.names.top(10).entries.isEmpty)
        #expect(monitor.totals.top.failingNames.top(10).entries.isEmpty)
        #expect(monitor.totals.top.clients.top(10).entries.isEmpty)
        // The number of names discloses no name.
        #expect(monitor.totals.top.distinctNames.estimate == 4)
        #expect(monitor.totals.top.distinctClients.estimate == 2)
    }

    @Test func nothingIsKeptWithoutATop() {
        let monitor = monitor(.full, top: 0)
        #expect(monitor.totals.top.names.top(10).entries.isEmpty)
        #expect(monitor.totals.lanes.total(.queries) == 5)
    }

    @Test func clientsAreKeptByTheirAddress() {
        let entries = monitor(.full).totals.top.clients.top(10).entries
        #expect(entries.map { Array($0.key.suffix(4)) } == [[10, 0, 0, 1], [10, 0, 0, 2]])
        #expect(entries.map(\.count) == [3, 2])
    }

    @Test func manyNamesLeaveAFewAndTrueSums() {
        var settings = DNSSettings.testing
        settings.rankingCapacity = 50
        settings.transactions.transactions = 1000
        var monitor = DNSMonitor(settings)
        for index in 0..<20_000 {
            monitor.see(DNSMessageBuilder(id: 1).asking("n\(index).example").bytes, .query(), at: 0)
        }
        let top = monitor.totals.top.names.top(10)
        #expect(top.entries.count == 10)
        #expect(top.entries.map(\.count).reduce(0, +) + top.other == 20_000)
        let estimate = monitor.totals.top.distinctNames.estimate
        #expect(abs(Int(estimate) - 20_000) < 1300)
    }

    @Test func clientsOfIPv6AreCutToTheirNetwork() {
        let address = IPAddress(high: 0x2001_0db8_0001_0002, low: 3)
        #expect(NamePrivacy.domain.client(address) == IPAddress(high: 0x2001_0db8_0001_0000, low: 0))
        #expect(NamePrivacy.domain.client(IPAddress(ipv4: 0xc000_02ff)) == IPAddress(ipv4: 0xc000_0200))
        #expect(NamePrivacy.none.client(address) == nil)
        #expect(NamePrivacy.full.client(address) == address)
        #expect(NamePrivacy.full.hash(client: address) == nil)
        #expect(NamePrivacy.hashed(Self.key).hash(client: address)?.utf8.count == 16)
    }

    @Test func theHashIsSipHash() {
        // The vector of the paper's appendix A.
        let key = SipKey(first: 0x0706_0504_0302_0100, second: 0x0f0e_0d0c_0b0a_0908)
        #expect(key.hash((0..<15).map { UInt8($0) }) == 0xa129_ca61_49be_45e5)
    }
}
