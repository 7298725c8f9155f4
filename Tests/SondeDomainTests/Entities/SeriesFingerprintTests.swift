import SondeDomain
import Testing

@Suite struct SeriesFingerprintTests {
    private func series(
        id: UInt64 = 1,
        source: String = "eth",
        name: String = "system.network.io",
        kind: MetricKind = .counter,
        unit: String = "By",
        attributes: [Attribute] = [Attribute("network.interface.name", "eth0")],
        labels: [Attribute] = [Attribute("site", "a")]
    ) -> Series {
        Series(
            id: SeriesID(rawValue: id), source: source, name: name, kind: kind, unit: unit, attributes: attributes,
            labels: labels)
    }

    @Test func equalSeriesOfDifferentNumbersHaveOne() {
        #expect(SeriesFingerprint(series()) == SeriesFingerprint(series(id: 2)))
        #expect(SeriesFingerprint(series()) == SeriesFingerprint(series().numbered(SeriesID(rawValue: 3))))
    }

    @Test func whateverElseDiffersTellsThemApart() {
        let others = [
            series(source: "eth1"), series(name: "system.network.i"), series(kind: .gauge), series(unit: "bit"),
            series(attributes: []), series(attributes: [Attribute("network.interface.name", "eth1")]),
            series(attributes: [Attribute("network.interface.nam", "eeth0")]), series(labels: []),
            series(attributes: [], labels: [Attribute("network.interface.name", "eth0"), Attribute("site", "a")]),
        ]
        #expect(Set((others + [series()]).map(SeriesFingerprint.init)).count == others.count + 1)
    }

    @Test func aNumberedSeriesIsTheSameButForItsNumber() {
        let copy = series().numbered(SeriesID(rawValue: 9))
        #expect(
            copy.id.rawValue == 9 && copy.attribute("network.interface.name") == "eth0"
                && copy.labels == series().labels)
    }
}
