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
        #expect(board.views.map(\.domain) == ["bandwidth", "connections"])
        board.take(Array(#"{"schema":"sonde.snapshot/1","bandwidth":{"source":"a","interfaces":{}}}"#.utf8))
        #expect(board.views.map(\.source) == ["a"])
        #expect(text(TableView.lines(board, size: .unbounded)).contains("no interface is known yet"))
    }

    @Test func notesAreBounded() {
        var board = SnapshotBoard()
        for index in 0..<1_000 { board.take(Array(#"{"schema":"s\#(index)/1"}"#.utf8)) }
        #expect(board.views.isEmpty && board.notes.count == 3)
    }

    @Test func anEmptyBoardSaysThatItWaits() {
        #expect(text(TableView.lines(SnapshotBoard(), size: .unbounded)).last == "waiting for the first snapshot")
    }
}
