import SondeFormats
import SondePresentation
import Testing

@Suite struct HistoryViewTests {
    private let items = """
        [{"metric":"bandwidth.receive","unit":"By/s","interface":"eth0","source":"kernel","step_seconds":60,
          "summary":{"average":1500,"maximum":3000,"peak":9000,"last":0},
          "points":[{"time":"2026-01-01T00:00:00Z","average":3000},{"time":"2026-01-01T00:59:00Z","average":1500}]},
         {"metric":"dns.latency","unit":"s","source":"wire","summary":{"average":0.00123,"maximum":0.5},"points":[]},
         {"unit":"no metric"}, 7]
        """

    private func lines(columns: Int) throws -> [String] {
        let state = HistoryState(
            try #require(try JSONReader.parse(items).asArray), from: .string("2026-01-01T00:00:00Z"),
            to: .string("2026-01-01T01:00:00Z"))
        return HistoryView(state, columns: columns).lines.map { $0.spans.map(\.text).joined() }
    }

    @Test func eachSeriesIsALineWithItsCourse() throws {
        let lines = try lines(columns: 120)
        #expect(lines.count == 5)
        #expect(lines[0] == "2026-01-01 00:00:00 UTC to 2026-01-01 01:00:00 UTC")
        #expect(lines[2].hasPrefix("bandwidth.receive eth0  kernel  1.50 kB/s  3.00 kB/s  9.00 kB/s  0  B/s"))
        #expect(lines[2].contains("█                      ▅"))
        #expect(lines[3].contains("1.2 ms"))
        #expect(lines[4] == "maximum: of whole intervals; peak: within them, where a source looks so closely")
    }

    @Test func whatIsNotKnownIsADashAndNotZero() throws {
        let line = try lines(columns: 120)[3]
        #expect(line.contains("–"))
        #expect(!line.contains(" 0 "))
    }

    @Test func aNarrowTerminalLosesTheCourseAndNotTheNames() throws {
        let lines = try lines(columns: 80)
        #expect(!lines[1].contains("COURSE"))
        #expect(lines[2].hasPrefix("bandwidth.receive eth0"))
    }

    @Test func anAnswerWithoutSeriesSaysSo() {
        let lines = HistoryView(HistoryState([], from: nil, to: nil), columns: 80).lines
        #expect(lines.last?.spans.map(\.text).joined() == "nothing is kept of this time")
    }
}
