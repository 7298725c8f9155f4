import SondeFormats
import Testing

struct TableViewTests {
    private func board(interfaces: Int) -> SnapshotBoard {
        let rows = (0..<interfaces).map { index in
            let rate = 1_000_000 - index
            return #""if\#(index)":{"receive":{"current":\#(rate),"average":\#(rate)},"transmit":{"current":null}}"#
        }
        let head = #"{"schema":"sonde.snapshot/1","time":"2026-01-01T00:00:10.000Z","host":"h","window":"1h","#
        let bandwidth = #""bandwidth":{"source":"kernel","interfaces":{\#(rows.joined(separator: ","))}},"#
        let connections = #""connections":{"source":"kernel","current":3,"by_state":{"tcp":{"established":3}}}}"#
        var board = SnapshotBoard()
        board.take(Array((head + bandwidth + connections).utf8))
        return board
    }

    private func text(_ lines: [StyledLine]) -> [String] {
        lines.map { line in
            var buffer = ByteBuffer()
            line.append(to: &buffer, color: .none)
            return String(decoding: buffer.bytes, as: UTF8.self)
        }
    }

    @Test func noLineIsWiderThanTheWindow() {
        for columns in 20...130 {
            for line in TableView.lines(board(interfaces: 3), size: TableSize(columns: columns, rows: 24)) {
                #expect(line.width <= columns)
            }
        }
    }

    @Test func noTableIsHigherThanTheWindow() {
        for rows in 4...60 {
            let size = TableSize(columns: 80, rows: rows)
            let lines = TableView.lines(board(interfaces: 30), size: size)
            #expect(lines.count < rows)
        }
    }

    @Test func aTableThatFitsIsWhole() {
        let lines = text(TableView.lines(board(interfaces: 18), size: TableSize(columns: 80, rows: 31)))
        #expect(lines.contains { $0.hasPrefix("if17 ") })
        #expect(!lines.contains { $0.contains("more") })
    }

    @Test func whatDoesNotFitIsCounted() {
        let lines = text(TableView.lines(board(interfaces: 30), size: TableSize(columns: 80, rows: 16)))
        #expect(lines.contains { $0.hasSuffix("more interfaces") })
        #expect(lines.contains { $0.hasPrefix("tcp") })
    }

    @Test(arguments: [(80, ["current", "average", "peak"]), (60, ["current", "peak"]), (40, ["current"])])
    func columnsGoAsTheWindowGetsNarrow(_ columns: Int, _ heads: [String]) {
        let lines = text(TableView.lines(board(interfaces: 1), size: TableSize(columns: columns, rows: 24)))
        let head = lines.first { $0.hasPrefix("interface") } ?? ""
        #expect(head.split(separator: " ").dropFirst().map { String($0) } == heads + heads)
    }

    @Test func anUnknownValueIsNoZero() {
        let lines = text(TableView.lines(board(interfaces: 1), size: .unbounded))
        let row = lines.first { $0.hasPrefix("if0") } ?? ""
        #expect(row.split(separator: " ") == ["if0", "1.00", "MB/s", "1.00", "MB/s", "–", "–", "–", "–"])
    }

    @Test func aNewerSnapshotReplacesTheOlderWithEverythingThatItDoesNotTell() {
        var board = board(interfaces: 1)
        #expect(board.page.views.map(\.domain) == ["bandwidth", "connections"])
        board.take(Array(#"{"schema":"sonde.snapshot/1","bandwidth":{"source":"a","interfaces":{}}}"#.utf8))
        #expect(board.page.views.map(\.source) == ["a"])
        #expect(text(TableView.lines(board, size: .unbounded)).contains("no interface is known yet"))
    }

    private func board(_ members: String) -> SnapshotBoard {
        let head = #"{"schema":"sonde.snapshot/1","time":"2026-01-02T00:00:10.000Z","host":"h","#
        var board = SnapshotBoard()
        board.take(Array((head + members + "}").utf8))
        return board
    }

    @Test func whatPeaksAreOfIsSaidWhereItIsNotTheSameForAll() {
        let known = board(#""bandwidth":{"source":"k","peak_step_seconds":0.1,"interfaces":{}},"window":"1h""#)
        let lines = text(TableView.lines(known, size: TableSize(columns: 80, rows: 24)))
        #expect(lines.contains("Bandwidth  bytes/s · k · over 1h · peak of 100ms (uplinks) or an interval"))
        let unknown = board(#""bandwidth":{"source":"k","peak_step_seconds":-1e300,"interfaces":{}},"window":"1h""#)
        #expect(text(TableView.lines(unknown, size: .unbounded)).contains("Bandwidth  bytes/s · k · over 1h"))
    }

    @Test func whatFailsStandsAboveEverythingElse() {
        let board = board(
            #"""
            "failures":[
            {"code":"SND-NET001","plugin":"central","since":"2026-01-02T00:00:03.000Z","message":"refused\u001b[2J"},
            {"code":"SND-PRC008","plugin":"kernel","since":"2026-01-01T23:00:03.000Z","message":"gone"}]
            """#)
        let lines = text(TableView.lines(board, size: TableSize(columns: 80, rows: 24)))
        #expect(
            lines.prefix(3) == [
                "sonde  h  2026-01-02 00:00:10 UTC",
                "✗ central  SND-NET001  since 00:00:03  refused?[2J",
                "✗ kernel  SND-PRC008  since 2026-01-01 23:00:03 UTC  gone",
            ])
    }

    @Test func manyFailuresLeaveRoomForTheRest() {
        let failures = (1...9).map { #"{"code":"SND-NET00\#($0)","plugin":"s\#($0)","message":"m"}"# }
        let board = board(#""connections":{"current":3},"failures":[\#(failures.joined(separator: ","))]"#)
        let lines = text(TableView.lines(board, size: TableSize(columns: 80, rows: 24)))
        #expect(lines.filter { $0.hasPrefix("✗") }.count == 5)
        #expect(lines.contains("✗ … 5 more fail"))
        #expect(lines.contains { $0.hasPrefix("tcp") })
    }

    @Test func rowsOfZerosGoFirstWhereThereIsNoRoom() {
        let idle = (0..<12).map { #""idle\#($0)":{"receive":{"current":0},"transmit":{"current":null}}"# }
        let states = [
            "close_wait", "closing", "established", "fin_wait_1", "last_ack", "listen", "syn_sent", "time_wait",
        ]
        let counts = states.map { #""\#($0)":\#($0 == "time_wait" ? 7 : 0)"# }
        let board = board(
            #""bandwidth":{"interfaces":{"eth0":{"receive":{"current":5}},\#(idle.joined(separator: ","))}},"#
                + #""connections":{"current":3,"by_state":{"tcp":{\#(counts.joined(separator: ","))}}}"#)
        let lines = text(TableView.lines(board, size: TableSize(columns: 80, rows: 24)))
        #expect(lines.contains { $0.hasPrefix("eth0") } && lines.contains { $0.contains("time_wait") })
        #expect(lines.contains("… 12 idle interfaces") && lines.contains("… 7 idle states"))
        #expect(!lines.contains { $0.contains("established") || $0.contains("more") })
        // Where there is room, they are there: that nothing happens is worth knowing.
        let all = text(TableView.lines(board, size: TableSize(columns: 80, rows: 60)))
        #expect(all.contains { $0.contains("established") } && all.contains { $0.hasPrefix("idle11") })
    }

    @Test func notesAreBounded() {
        var board = SnapshotBoard()
        for index in 0..<1_000 { board.take(Array(#"{"schema":"s\#(index)/1"}"#.utf8)) }
        #expect(board.page.views.isEmpty && board.notes.count == 3)
    }

    @Test func anEmptyBoardSaysThatItWaits() {
        #expect(text(TableView.lines(SnapshotBoard(), size: .unbounded)).last == "waiting for the first snapshot")
    }
}
