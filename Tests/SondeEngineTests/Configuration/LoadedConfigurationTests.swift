import SondeDomain
import SondeEngine
import Testing

@Suite struct LoadedConfigurationTests {
    private func source(_ id: String) -> SourceConfiguration {
        SourceConfiguration(id: id, plugin: "procnet", interval: .seconds(10))
    }

    private func extended(_ configuration: AgentConfiguration) -> AgentConfiguration {
        var extended = configuration
        extended.sources.append(source("new"))
        return extended
    }

    @Test func aConfigurationIsChangedWithItsDraftAndKeepsWhatWasRead() {
        let problem = ConfigurationProblem(
            ErrorCode("SND-CFG001"), at: SourceMark(file: "sonde.yaml", line: 3, column: 1), "a problem",
            severity: .warning)
        let text = ConfigurationText(file: "sonde.yaml", lines: ["version: 1"])
        var provenance = ConfigurationProvenance()
        provenance.host = "h"
        let loaded = LoadedConfiguration(
            configuration: AgentConfiguration(sources: [source("kernel")]),
            draft: AgentConfiguration(sources: [source("draft")]), problems: [problem], texts: [text],
            provenance: provenance)
        let changed = loaded.mapping(extended)
        #expect(changed.configuration?.sources.map(\.id) == ["kernel", "new"])
        #expect(changed.draft.sources.map(\.id) == ["draft", "new"])
        #expect(changed.problems == [problem])
        #expect(changed.texts == [text])
        #expect(changed.provenance == provenance)
    }

    @Test func withoutAConfigurationOnlyTheDraftIsChanged() {
        let loaded = LoadedConfiguration(
            configuration: nil, draft: AgentConfiguration(sources: [source("draft")]), problems: [], texts: [])
        let changed = loaded.mapping(extended)
        #expect(changed.configuration?.sources.map(\.id) == nil)
        #expect(changed.draft.sources.map(\.id) == ["draft", "new"])
    }
}
