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

    @Test func ofTwoTimesThatPeaksAreOfTheLongerOneIsTold() {
        let flow = { (seconds: String) in #"{"peak":2000,"peak_step_seconds":\#(seconds)}"# }
        let board = board(
            #""bandwidth":{"interfaces":{"eth0":{"receive":\#(flow("0.1")),"transmit":\#(flow("1"))}}}"#)
        #expect(
            text(TableView.lines(board, size: .unbounded)).contains { $0.hasPrefix("eth0") && $0.hasSuffix(" ≤1 s") })
    }

    @Test(arguments: [(80, ["current", "average", "peak"]), (60, ["current", "peak"]), (40, ["current"])])
    func columnsGoAsTheWindowGetsNarrow(_ columns: Int, _ heads: [String]) {
        let lines = text(TableView.lines(board(interfaces: 1), size: TableSize(columns: columns, rows: 24)))
        let head = lines.first { $0.hasPrefix("interface") } ?? ""
        let of = heads.contains("peak") ? ["of"] : []
        #expect(head.split(separator: " ").dropFirst().map { String($0) } == heads + heads + of)
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

    @Test(arguments: [
        ("0.1", "0.1 s"), ("0.02", "20 ms"), ("0.25", "0.3 s"), ("1", "1 s"), ("1.5", "1.5 s"), ("10", "10 s"),
        ("300", "5min"), ("7200", "2 h"), ("-1e300", ""), ("0", ""), ("null", ""), ("1e300", ""),
    ])
    func besideAPeakStandsWhatItIsTheAverageOf(_ seconds: String, _ step: String) {
        let flow = #"{"current":1,"average":1,"peak":2000,"peak_step_seconds":\#(seconds)}"#
        let board = board(#""bandwidth":{"interfaces":{"eth0":{"receive":\#(flow),"transmit":null}}}"#)
        for columns in [60, 80, 100] {
            let lines = text(TableView.lines(board, size: TableSize(columns: columns, rows: 24)))
            #expect(lines.contains { $0.hasPrefix("eth0") && $0.contains("2.00 kB/s") && $0.hasSuffix(step) })
            #expect(lines.contains { $0.hasPrefix("interface") && $0.contains("peak") && $0.hasSuffix(" of") })
        }
    }

    @Test func rowsThatWereZeroForAllOfTheWindowAreThereWhereTheyAreAskedFor() {
        let zero = #"{"current":0,"average":0,"peak":0}"#
        let board = board(
            #"""
            "window":"1h","bandwidth":{"interfaces":{
            "eth0":{"covered_seconds":3600,"receive":{"current":0,"peak":5},"transmit":\#(zero)},
            "quiet":{"covered_seconds":3300,"receive":\#(zero),"transmit":\#(zero)},
            "young":{"covered_seconds":3200,"receive":\#(zero),"transmit":\#(zero)},
            "unknown":{"covered_seconds":3600,"receive":{"current":null},"transmit":null}}},
            "connections":{"covered_seconds":3600,"current":3,"by_state":{"tcp":{"closing":0,"listen":0,"time_wait":0}},
            "state_peaks":{"tcp":{"closing":0,"listen":2}}}
            """#)
        let busy = text(TableView.lines(board, size: .unbounded, rows: .busy(hint: "--all shows them")))
        // What is not known, and what was not looked at for so long, may have been something.
        for name in ["eth0", "unknown", "young"] { #expect(busy.contains { $0.hasPrefix(name) }) }
        for state in ["listen", "time_wait"] { #expect(busy.contains { $0.contains(state) }) }
        #expect(!busy.contains { $0.hasPrefix("quiet") || $0.contains("closing") })
        #expect(busy.contains("… 1 quiet interface (--all shows them)"))
        #expect(busy.contains("… 1 quiet state (--all shows them)"))
        let all = text(TableView.lines(board, size: .unbounded, rows: .all))
        #expect(all.contains { $0.hasPrefix("quiet") } && all.contains { $0.contains("closing") })
        #expect(!all.contains { $0.hasPrefix("…") })
    }

    private func list(_ title: String, unit: String, interval: String, rows: Int) -> String {
        let rows = (0..<rows).map {
            #"{"label":"\#(title.lowercased())\#($0)\u001b[2J","value":\#(500 - $0),"attributes":{}}"#
        }
        return #"{"title":"\#(title)","source":"wire","unit":"\#(unit)","interval_seconds":\#(interval),"total":1000,"#
            + #""count":40,"rows":[\#(rows.joined(separator: ","))]}"#
    }

    @Test func listsHaveTheirShares() {
        let lists = [
            list("Peers", unit: "By", interval: "10", rows: 2), list("Units", unit: "By", interval: "null", rows: 1),
            list("Names", unit: "{query}", interval: "10", rows: 1), list("None", unit: "By", interval: "1", rows: 0),
        ]
        let board = board(
            #""lists":[\#(lists.joined(separator: ","))],"absent_lists":[{"title":"Pods","needs":"a pod"}]"#)
        let lines = text(TableView.lines(board, size: .unbounded))
        #expect(lines.contains("Peers  bytes/s · wire · last 10s · 38 more"))
        #expect(lines.contains("peers0?[2J   50.0  B/s   50 %") || lines.contains("peers0?[2J     50  B/s   50 %"))
        #expect(lines.contains("Units  bytes · wire · 39 more"))
        #expect(lines.contains { $0.hasPrefix("Names  queries · wire · last 10s") })
        #expect(!lines.contains { $0.hasPrefix("None") || $0.contains("Pods") })
        #expect(text(TableView.lines(board, size: .unbounded, rows: .all)).contains("– Pods: needs a pod"))
    }

    @Test func listsHaveTheRoomThatIsLeft() {
        let lists = (0..<8).map { list("L\($0)", unit: "{query}", interval: "10", rows: 10) }
        let board = board(#""connections":{"current":3},"lists":[\#(lists.joined(separator: ","))]"#)
        for rows in 4...80 {
            let lines = text(TableView.lines(board, size: TableSize(columns: 80, rows: rows)))
            #expect(lines.count < rows)
            #expect(rows < 10 || lines.contains { $0.contains("connected") })
        }
        let lines = text(TableView.lines(board, size: TableSize(columns: 80, rows: 24)))
        #expect(lines.contains { $0.hasPrefix("L0 ") } && lines.contains { $0.hasPrefix("L1 ") })
        #expect(lines.filter { $0.hasPrefix("l0") }.count == 5)
    }

    @Test func aHostileListIsShownOrLeftOut() {
        for rows in [
            "[]", "7", "[1]", #"[{"label":7}]"#, #"[{"label":"a","value":1e308}]"#, #"[{"label":"a","value":-1e308}]"#,
        ] {
            for total in ["0", "1e-308", "null", "1e308"] {
                let board = board(
                    #""lists":[{"title":"T","unit":"By","interval_seconds":1e-300,"total":\#(total),"rows":\#(rows)}]"#)
                for columns in [20, 80] {
                    for line in TableView.lines(board, size: TableSize(columns: columns, rows: nil)) {
                        #expect(line.width <= columns)
                    }
                }
            }
        }
    }

    @Test func whatFailsStandsAboveEverythingElse() {
        let board = board(
            #"""
            "failures":[
            {"code":"SND-NET001","plugin":"central","since":"2026-01-02T00:00:03.000Z","message":"refused\u001b[2J","advice":["Start it\u0007.","Or wait."]},
            {"code":"SND-PRC008","plugin":"kernel","since":"2026-01-01T23:00:03.000Z","message":"gone"}]
            """#)
        let lines = text(TableView.lines(board, size: TableSize(columns: 80, rows: 24)))
        #expect(
            lines.prefix(4) == [
                "sonde  h  2026-01-02 00:00:10 UTC",
                "✗ central  SND-NET001  since 00:00:03  refused?[2J",
                "  try: Start it?.",
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
