import SondeDomain
import Testing

@Suite struct HistoryCatalogTests {
    private func contributions(_ name: String, _ attributes: [String: String] = [:]) -> [HistoryContribution] {
        let series = Series(
            id: SeriesID(rawValue: 1), source: "s", name: name, kind: .gauge, unit: "",
            attributes: attributes.map { Attribute($0.key, $0.value) })
        return HistoryCatalog.contributions(of: series)
    }

    @Test func bandwidthIsKeptByInterfaceAndDirection() {
        let found = contributions(
            "system.network.io", ["network.interface.name": "eth0", "network.io.direction": "transmit"])
        let series = HistorySeries(.bandwidthTransmit, member: "eth0", source: "s")
        #expect(found == [HistoryContribution(series, .rate, rank: .further)])
        #expect(contributions("system.network.io", ["network.interface.name": "eth0"]) == [])
        #expect(contributions("system.network.io", ["network.io.direction": "receive"]) == [])
    }

    @Test func socketsOfBothIPVersionsAreOneSeries() {
        let four = contributions("sonde.kernel.sockstat.tcp.inuse")
        #expect(four.count == 1)
        #expect(four == contributions("sonde.kernel.sockstat.tcp6.inuse"))
    }

    @Test func statesAreThoseOfTheWalkAlone() {
        func state(_ word: String, _ transport: String = "tcp") -> [HistoryContribution] {
            contributions(
                "system.network.connections",
                ["network.transport": transport, "network.connection.state": word, "network.type": "ipv4"])
        }
        // Tcp.CurrEstab has close-wait in it, and tw of sockstat a part of fin-wait-2.
        #expect(contributions("sonde.kernel.tcp.curr_estab") == [])
        #expect(contributions("sonde.kernel.sockstat.tcp.tw") == [])
        for word in ["established", "time_wait", "close_wait"] {
            #expect(state(word).map(\.series.member) == [word])
        }
        #expect(state("established", "udp").map(\.series.member) == ["established"])
    }

    @Test func responsesAreKeptInAllAndByCode() {
        let found = contributions("sonde.dns.wire.response.count", ["sonde.dns.rcode": "NXDOMAIN"])
        #expect(found.map(\.series.metric) == [.dnsResponses, .dnsResponseCodes])
        #expect(found.map(\.series.member) == [nil, "nxdomain"])
        #expect(
            contributions("sonde.dns.wire.response.count", ["sonde.dns.rcode": "BADVERS"])[1].series.member == "other")
    }

    @Test func whatAHostAsksIsNotAddedToWhatItIsAsked() {
        #expect(contributions("sonde.dns.wire.query.count", ["sonde.dns.role": "server"]).count == 1)
        #expect(contributions("sonde.dns.wire.query.count", ["sonde.dns.role": "client"]) == [])
        #expect(contributions("sonde.dns.resolver.query.count").count == 1)
    }

    @Test func everythingElseIsNotKept() {
        #expect(contributions("system.network.errors") == [])
        #expect(contributions("") == [])
    }

    @Test func everyMetricIsInAGroupThatCanBeAskedFor() {
        for metric in HistoryMetric.allCases {
            #expect(HistoryMetric.groups.contains { HistoryMetric.named($0).contains(metric) })
            #expect(HistoryMetric.named(metric.rawValue) == [metric])
        }
    }
}
