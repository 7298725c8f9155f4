import SondeFormats
import SondePresentation
import Testing

@Suite struct ChangesViewTests {
    private static let items = """
        [{"metric":"bandwidth.receive","unit":"By/s","interface":"eth0","source":"kernel","change":"higher","score":40,
          "value":85000000,"usual":{"median":1200000,"low":800000,"high":2000000},"basis":"days_before",
          "since":"2026-01-01T00:42:00.000Z","may_be_earlier":false},
         {"metric":"connections.tcp","unit":"{connection}","state":"established","source":"kernel","change":"lower",
          "score":9,"value":50,"usual":{"median":200,"low":150,"high":260},"basis":"time_before",
          "since":"2026-01-01T00:10:00.000Z","may_be_earlier":true,"until":"2026-01-01T00:15:00.000Z"},
         {"metric":"dns.failures","unit":"{failure}/s","source":"log","change":"higher","score":5,"value":2.5,
          "usual":{"median":0,"low":0,"high":0.04},"basis":"days_before","since":"2026-01-01T00:50:00.000Z"},
         {"metric":"bandwidth.transmit","unit":"By/s","interface":"tun0","source":"kernel","change":"appeared",
          "score":4,"value":3000000,"basis":"days_before","since":"2026-01-01T00:20:00.000Z"},
         {"metric":"agent.cpu","unit":"1","source":"agent","change":"higher","score":4,"value":0.25,
          "usual":{"median":0.01,"low":0,"high":0.02},"basis":"days_before","since":"2026-01-01T00:20:00.000Z"},
         {"metric":"dns.latency","unit":"s","source":"log","change":"higher","score":4,"value":0.25,
          "usual":{"median":0.001,"low":0,"high":0.02},"basis":"days_before","since":"2026-01-01T00:20:00.000Z"},
         {"metric":"agent.memory","unit":"By","source":"agent","change":"vanished","score":3,
          "usual":{"median":9000000,"low":0,"high":1},"basis":"days_before","since":"2026-01-01T00:20:00.000Z"},
         {"metric":"x","change":"sideways"}, 7]
        """

    private func lines(_ rest: String, items: String = "[]", columns: Int = 120) throws -> [String] {
        let text = """
            {"from":"2026-01-01T00:10:00.000Z","to":"2026-01-01T01:10:00.000Z","step_seconds":60.0,\(rest),"items":\(items)}
            """
        let state = ChangesState(try JSONReader.parse(Array(text.utf8)))
        return ChangesView(state, columns: columns).lines.map { $0.spans.map(\.text).joined() }
    }

    private static let counts =
        #""against":"7d","days_kept":6,"compared":40,"unknown":2,"moved":9,"silent_sources":["wire"]"#

    @Test func eachChangeIsALineWithBothValuesAndSinceWhen() throws {
        let lines = try lines(Self.counts, items: Self.items)
        #expect(lines[0] == "2026-01-01 00:10 to 2026-01-01 01:10 UTC")
        #expect(lines[1] == "compared with the same time of 6 of the 7 days before")
        func words(_ index: Int) -> [String] { lines[index].split(separator: " ").map(String.init) }
        #expect(words(2) == ["SERIES", "SOURCE", "USUAL", "NOW", "CHANGE", "SINCE"])
        #expect(words(3) == ["bandwidth.receive", "eth0", "kernel", "1.20", "MB/s", "85.0", "MB/s", "×71", "00:42"])
        #expect(
            words(4) == [
                "connections.tcp", "established", "kernel", "200", "50", "-75", "%", "before", "00:10-00:15", "*",
            ])
        #expect(words(5) == ["dns.failures", "log", "0/s", "2.5/s", "up", "00:50"])
        #expect(words(6) == ["bandwidth.transmit", "tun0", "kernel", "–", "3.00", "MB/s", "new", "00:20"])
        #expect(words(7) == ["agent.cpu", "agent", "1", "%", "25", "%", "×25", "00:20"])
        #expect(words(8) == ["dns.latency", "log", "1", "ms", "250", "ms", "×250", "00:20"])
        #expect(words(9) == ["agent.memory", "agent", "8.6", "MiB", "–", "gone", "00:20"])
        #expect(
            lines.dropFirst(10) == [
                "7 of 9 are shown; --limit 100 shows more",
                "* compared with the time before: no earlier day is kept of it",
                "wire has reported nothing for 5 minutes: sonde status says why",
                "2 series have too little history to say what is usual",
            ])
    }

    @Test func whereNothingHasMovedThatIsSaid() throws {
        let counts = #""against":"1d","days_kept":1,"compared":40,"unknown":0,"moved":0,"silent_sources":[]"#
        #expect(
            try lines(counts) == [
                "2026-01-01 00:10 to 2026-01-01 01:10 UTC", "compared with the same time of the day before",
                "nothing has moved: all 40 series are within what is usual",
            ])
    }

    @Test func withoutDaysTheHeadingSaysWhatIsCompared() throws {
        let counts = #""against":"7d","days_kept":0,"compared":0,"unknown":5,"moved":0,"silent_sources":[]"#
        let lines = try lines(counts)
        #expect(lines[1] == "compared with the time before: no earlier day is kept")
        #expect(lines[2] == "nothing can be compared yet")
    }

    @Test func aHostileNameDoesNotActOnTheTerminal() throws {
        let counts = #""against":"7d","days_kept":0,"compared":0,"unknown":0,"moved":0,"silent_sources":["a\u001b[2J"]"#
        #expect(try lines(counts).allSatisfy { !$0.contains("\u{1b}") })
    }

    @Test func anEmptyAnswerIsNoTrap() {
        #expect(ChangesView(ChangesState(.null), columns: 0).lines.count == 3)
    }
}
