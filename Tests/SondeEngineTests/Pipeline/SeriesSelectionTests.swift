import SondeDomain
import SondeEngine
import Testing

@testable import SondeEngine

@Suite struct SeriesSelectionTests {
    private let series = Series(
        id: SeriesID(rawValue: 1), source: "kernel", name: "system.network.io", kind: .counter, unit: "By",
        attributes: [Attribute("network.interface.name", "eth0"), Attribute("sonde.scope", "host")],
        labels: [Attribute("rack", "r1")], meaning: "Bytes.")

    private func selection(_ change: (inout SeriesSelection.Rules) -> Void) -> SeriesSelection {
        var rules = SeriesSelection.Rules()
        change(&rules)
        return SeriesSelection(rules)
    }

    @Test func withoutRulesTheSeriesIsTheSameObject() {
        #expect(selection { _ in }.series(series) === series)
        let resource = Resource(host: "h", labels: [Attribute("site", "fra1")])
        #expect(selection { _ in }.resource(resource) == resource)
    }

    @Test func aPrefixComesBeforeTheNameThatFiltersSee() {
        let selection = selection {
            $0.prefix = "acme."
            $0.metrics.include = ["system.*"]
        }
        let made = selection.series(series)
        #expect(made?.name == "acme.system.network.io")
        #expect(made?.id == series.id)
        #expect(made?.meaning == "Bytes.")
    }

    @Test(arguments: [
        ([("network.interface.name", "eth*")], true), ([("network.interface.name", "lo")], false),
        ([("rack", "r1")], true), ([("missing", "*")], false),
        ([("network.interface.name", "eth*"), ("rack", "r2")], false),
    ])
    func allThatKeepNamesMustMatch(_ rules: [(String, String)], _ isKept: Bool) {
        let selection = selection { $0.relabel.keep = rules.map { Attribute($0.0, $0.1) } }
        #expect((selection.series(series) != nil) == isKept)
    }

    @Test(arguments: [
        ([("network.interface.name", "veth*")], true), ([("network.interface.name", "eth?")], false),
        ([("missing", "*")], true), ([("network.interface.name", "lo"), ("rack", "r?")], false),
    ])
    func noneThatDropNamesMayMatch(_ rules: [(String, String)], _ isKept: Bool) {
        let selection = selection { $0.relabel.drop = rules.map { Attribute($0.0, $0.1) } }
        #expect((selection.series(series) != nil) == isKept)
    }

    @Test func labelsAreRenamedThenRemovedAndOthersAdded() {
        let selection = selection {
            $0.relabel.rename = [Attribute("network.interface.name", "device"), Attribute("site", "place")]
            $0.relabel.remove = ["sonde.*", "place"]
            $0.relabel.add = [Attribute("team", "net"), Attribute("rack", "own")]
        }
        #expect(selection.series(series)?.attributes == [Attribute("device", "eth0")])
        #expect(selection.series(series)?.labels == [Attribute("rack", "r1")])
        let resource = Resource(host: "h", labels: [Attribute("site", "fra1"), Attribute("team", "ops")])
        #expect(selection.resource(resource).labels == [Attribute("rack", "own"), Attribute("team", "ops")])
        #expect(selection.resource(resource).host == "h")
        // A label of the series stays before that of the agent.
        let labels = selection.series(series).map(selection.resource(resource).allLabels)
        #expect(labels == [Attribute("rack", "r1"), Attribute("team", "ops")])
    }

    @Test func aSeriesThatRulesLeaveAsItIsIsTheSameObject() {
        let selection = selection {
            $0.relabel.drop = [Attribute("rack", "r9")]
            $0.relabel.rename = [Attribute("nothing", "something")]
            $0.relabel.remove = ["nobody*"]
            $0.relabel.add = [Attribute("team", "ops")]
        }
        #expect(selection.series(series) === series)
    }

    @Test func eachSeriesIsChangedOnce() {
        let selection = selection { $0.prefix = "a." }
        #expect(selection.series(series) === selection.series(series))
    }
}
