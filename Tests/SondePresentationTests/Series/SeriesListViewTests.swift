import SondeFormats
import SondePresentation
import Testing

@Suite struct SeriesListViewTests {
    private static let items = [
        #"{"id":1,"source":"kernel","name":"system.network.io","kind":"counter","unit":"By","#
            + #""attributes":{"a":"lo","b":"receive"},"time":"2026-01-01T00:00:00.000Z","value":12}"#,
        #"{"id":2,"source":"wire","name":"dns.latency","kind":"histogram","time":"2026-01-01T00:00:01.000Z","#
            + #""count":3,"bounds":[1.0],"counts":[1,2]}"#,
        #"{"id":3,"ended":true}"#,
        #"{"id":4,"source":"x\u001b[2J","name":"n","time":"t","value":0.5}"#,
    ]

    private func lines(_ layout: SeriesListView.Layout) throws -> [String] {
        let items = try Self.items.map { try JSONReader.parse($0) }
        return SeriesListView(items, layout).lines.map { $0.spans.map(\.text).joined() }
    }

    @Test func seriesStandInColumnsBelowAHeading() throws {
        let lines = try lines(.table)
        #expect(lines.count == 4)
        #expect(lines[0] == "TIME                      SOURCE  METRIC             ATTRIBUTES      VALUE     UNIT")
        #expect(lines[1] == "2026-01-01T00:00:00.000Z  kernel  system.network.io  a=lo b=receive  12        By")
        #expect(lines[2].contains("3 values"))
    }

    @Test func pointsThatComeOneByOneHaveALineEach() throws {
        let lines = try lines(.rows)
        #expect(lines[0] == "2026-01-01T00:00:00.000Z  kernel  system.network.io  a=lo b=receive  12  By")
        #expect(lines[1] == "2026-01-01T00:00:01.000Z  wire  dns.latency  3 values")
        #expect(lines.count == 3)
    }

    @Test func noTextMovesTheCursor() throws {
        for line in try lines(.table) + lines(.rows) { #expect(!line.utf8.contains(0x1b)) }
    }
}
