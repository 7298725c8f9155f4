import SondeDomain
import Testing

@Suite struct SeriesTests {
    @Test func attributesAndLabelsAreSorted() {
        let series = Series(
            id: SeriesID(rawValue: 1), source: "s", name: "n", kind: .gauge, unit: "1",
            attributes: [Attribute("b", "1"), Attribute("a", "2")], labels: [Attribute("z", ""), Attribute("y", "")])
        #expect(series.attributes.map(\.name) == ["a", "b"])
        #expect(series.labels.map(\.name) == ["y", "z"])
        #expect(series.attribute("b") == "1")
        #expect(series.attribute("c") == nil)
    }

    @Test(arguments: MetricKind.allCases)
    func kindsAreFoundByTheirWord(kind: MetricKind) {
        #expect(MetricKind(name: kind.name) == kind)
    }
}
