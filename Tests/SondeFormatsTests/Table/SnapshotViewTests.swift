import SondeFormats
import Testing

struct SnapshotViewTests {
    private func views(_ members: String) throws -> [SnapshotView] {
        try SnapshotPage(json: Array(#"{"schema":"sonde.snapshot/1",\#(members)}"#.utf8)).views
    }

    private func names(_ interfaces: [(String, Double?)]) throws -> [String] {
        let rows = interfaces.map { name, average in
            let average = average.map { "\($0)" } ?? "null"
            return #""\#(name)":{"receive":{"average":\#(average)},"transmit":{"average":0}}"#
        }
        let members = #""bandwidth":{"interfaces":{\#(rows.joined(separator: ","))}}"#
        guard case .bandwidth(let interfaces, nil)? = try views(members).first?.content else { return [] }
        return interfaces.map(\.name)
    }

    @Test func theBusiestComesFirstAndTheIdleLast() throws {
        #expect(try names([("a", 0), ("b", nil), ("c", 10), ("d", 100_000), ("e", 0.5)]) == ["d", "c", "e", "a", "b"])
    }

    @Test func neighboursChangePlacesOnlyWhenOneDoubles() throws {
        #expect(try names([("a", 1_100), ("b", 1_900)]) == ["a", "b"])
        #expect(try names([("a", 1_900), ("b", 1_100)]) == ["a", "b"])
        #expect(try names([("a", 1_000), ("b", 2_100)]) == ["b", "a"])
    }

    @Test func whatIsNullOrMissingIsUnknown() throws {
        let members = #""connections":{"current":null,"peak":"x","by_state":{"tcp":{"established":null}}}"#
        guard case .connections(let groups)? = try views(members).first?.content else {
            Issue.record("no connections")
            return
        }
        #expect(groups.allSatisfy { $0.count.current == nil && $0.count.average == nil && $0.count.peak == nil })
        #expect(groups.map(\.state) == ["connected", "established"])
    }

    @Test func aTotalNamesItsInterfaces() throws {
        let members = #""bandwidth":{"interfaces":{},"uplinks":["a","b"],"receive":{"current":3}}"#
        guard case .bandwidth([], let total?)? = try views(members).first?.content else {
            Issue.record("no total")
            return
        }
        #expect(total.name == "total a + b" && total.receive.current == 3 && total.transmit.current == nil)
    }

    @Test func namesCannotMoveTheCursor() throws {
        let members =
            #""bandwidth":{"source":"\u001b[2J","interfaces":{"a\u001b]0;x\u0007\u009b\u202eb":{}}}"#
        let view = try #require(try views(members).first)
        guard case .bandwidth(let interfaces, nil) = view.content else {
            Issue.record("no interfaces")
            return
        }
        #expect(interfaces.map(\.name) == ["a?]0;x???b"])
        #expect(view.source == "?[2J")
    }

    @Test func aReasonNamesWhatCountsItWithoutOne() throws {
        let members =
            #""drops":{"source":"why","packets":10,"reasons":[{"reason":"no_socket","count":7},{"reason":"socket_rcvbuff","count":3}],"beside":[{"counter":"udp_receive_errors","count":3,"top":{"reason":"socket_rcvbuff","count":3}},{"counter":"interface_dropped","count":5,"top":null}]}"#
        guard case .drops(let rows)? = try views(members).first?.content else {
            Issue.record("no drops")
            return
        }
        #expect(rows.map(\.reason) == ["no_socket", "socket_rcvbuff", nil])
        #expect(rows.map(\.packets) == [7, 3, nil])
        #expect(rows.map(\.counters) == [[], ["udp_receive_errors 3"], ["interface_dropped 5"]])
        var board = SnapshotBoard()
        board.take(Array(#"{"schema":"sonde.snapshot/1",\#(members)}"#.utf8))
        let lines = TableView.lines(board, size: .unbounded).map { $0.spans.map(\.text).joined() }
        #expect(
            lines.contains { $0.hasPrefix("socket_rcvbuff ") && $0.hasSuffix("3  udp_receive_errors 3") }, "\(lines)")
    }

    @Test func whatIsDroppedIsNamedAboveTheTablesWithWhatToTry() throws {
        let top =
            #"{"reason":"socket_rcvbuff","count":3,"meaning":"the program is too slow\u001b[2J","advice":"ss -lunm"}"#
        let members =
            #""drops":{"reasons":[],"beside":[{"counter":"udp_receive_errors","count":3,"top":\#(top)},{"counter":"interface_dropped","count":5,"top":null},{"counter":"no_route","count":1,"top":null}]}"#
        let page = try SnapshotPage(json: Array(#"{"schema":"sonde.snapshot/1",\#(members)}"#.utf8))
        #expect(page.drops.map(\.advice) == ["ss -lunm", nil, nil])
        var board = SnapshotBoard()
        board.take(Array(#"{"schema":"sonde.snapshot/1",\#(members)}"#.utf8))
        let lines = TableView.lines(board, size: .unbounded).map { $0.spans.map(\.text).joined() }
        #expect(
            lines[1...4] == [
                "▼ interface_dropped  5  without a reason from the kernel",
                "▼ udp_receive_errors  3  socket_rcvbuff  the program is too slow?[2J", "  try: ss -lunm",
                "▼ … 1 more count drops",
            ], "\(lines)")
    }

    @Test func whatIsNotKnownHasNoView() throws {
        #expect(try views(#""bandwidth":null,"connections":null,"dns":null"#) == [])
    }

    @Test(
        arguments: [("{", "unexpected end at byte 1"), ("[]", nil), (#"{"schema":"x/1"}"#, nil)] as [(String, String?)])
    func whatIsNoSnapshotIsRefused(_ json: String, _ reason: String?) {
        let refusal = #expect(throws: SnapshotPage.Refusal.self) { try SnapshotPage(json: Array(json.utf8)) }
        if let reason { #expect(refusal == .malformed(reason)) }
    }

    @Test func absurdNumbersAndShapesDoNotTrap() throws {
        for value in ["1e308", "-1e308", "18446744073709551615", "-9223372036854775808", "1e-320", "[]", "{}", "\"\""] {
            let members =
                #""bandwidth":{"interfaces":{"a":{"receive":{"current":\#(value),"average":\#(value)}}}},"dns":{"log":{"queries":\#(value),"latency":{"p95":\#(value)}}}"#
            var board = SnapshotBoard()
            board.take(Array(#"{"schema":"sonde.snapshot/1",\#(members)}"#.utf8))
            #expect(board.page.views.count == 2)
            #expect(!TableView.lines(board, size: .unbounded).isEmpty)
        }
    }
}
