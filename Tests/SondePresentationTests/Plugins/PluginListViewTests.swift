import Foundation
import SondeDomain
import SondePresentation
import Testing

@Suite struct PluginListViewTests {
    private let state = PluginListState(rows: [
        PluginListState.Row(
            PluginDescriptor(name: "procnet", kind: .source, version: "1.0", summary: "Reads the kernel's counters."),
            path: "/opt/plugins/procnet.so"
        ),
        PluginListState.Row(
            name: "broken",
            refusal: SondeError(
                ErrorCode("SND-PLG003"), stage: .loading, class: .configuration, message: "not an \"ELF\"")
        ),
    ])

    @Test func columnsAreAlignedAndARefusalSaysWhy() {
        #expect(
            PluginListView(state).text == """
                NAME     KIND     VERSION  SUMMARY
                procnet  source   1.0      Reads the kernel's counters.
                broken   refused  -        SND-PLG003: not an "ELF"

                """
        )
    }

    @Test func aLongSummaryGoesOnBelowBetweenWords() {
        #expect(
            PluginListView(state, columns: 50).text == """
                NAME     KIND     VERSION  SUMMARY
                procnet  source   1.0      Reads the kernel's
                                           counters.
                broken   refused  -        SND-PLG003: not an
                                           "ELF"

                """
        )
    }

    @Test func jsonLeavesOutWhatIsNotKnown() throws {
        let json = try JSONSerialization.jsonObject(with: Data(PluginListView(state).json.utf8)) as? [[String: String]]
        #expect(
            json == [
                [
                    "name": "procnet", "kind": "source", "version": "1.0", "path": "/opt/plugins/procnet.so",
                    "summary": "Reads the kernel's counters.",
                ],
                ["name": "broken", "refusal": "SND-PLG003: not an \"ELF\""],
            ]
        )
    }

    @Test func anEmptyListSaysSo() {
        #expect(PluginListView(PluginListState(rows: [])).text == "no plugins were found\n")
    }
}
