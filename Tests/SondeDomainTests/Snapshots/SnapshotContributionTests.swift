import SondeDomain
import Testing

@Suite struct SnapshotContributionTests {
    private func series(_ name: String, _ attributes: [Attribute] = []) -> Series {
        Series(
            id: SeriesID(rawValue: 1), source: "kernel", name: name, kind: .counter, unit: "By", attributes: attributes)
    }

    @Test func interfaceBytesWithADirectionContributeToBandwidth() {
        let attributes = [
            Attribute("network.io.direction", "transmit"), Attribute("network.interface.name", "eth0"),
        ]
        #expect(
            SnapshotContribution(series("system.network.io", attributes)) == .bandwidth(interface: "eth0", .transmit))
    }

    @Test(arguments: [[], [Attribute("network.interface.name", "eth0")], [Attribute("network.io.direction", "up")]])
    func interfaceBytesWithoutBothAttributesContributeNothing(attributes: [Attribute]) {
        #expect(SnapshotContribution(series("system.network.io", attributes)) == nil)
    }

    @Test func bothIPVersionsContributeToOneGroup() {
        #expect(SnapshotContribution(series("sonde.kernel.sockstat.tcp.inuse")) == .connections(.tcpInUse))
        #expect(SnapshotContribution(series("sonde.kernel.sockstat.tcp6.inuse")) == .connections(.tcpInUse))
    }

    @Test func anyOtherSeriesContributesNothing() {
        #expect(SnapshotContribution(series("system.cpu.time")) == nil)
    }
}
