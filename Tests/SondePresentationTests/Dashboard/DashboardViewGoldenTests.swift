import Foundation
import SondeDomain
import SondeFormats
import SondePresentation
import Testing

/// What a terminal shows of a dashboard, line by line.
@Suite struct DashboardViewGoldenTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    private func expect(_ text: String, equals name: String) throws {
        let file = Self.folder.appending(path: "\(name).txt")
        if ProcessInfo.processInfo.environment["SONDE_UPDATE_GOLDEN"] == "1" {
            return try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(name): run 'make golden' and review")
    }

    /// The lines of a view, without color.
    static func text(_ state: DashboardState, columns: Int = 80, rows: Int? = 24) -> String {
        let lines = DashboardView(state, size: TableSize(columns: columns, rows: rows)).lines
        var buffer = ByteBuffer()
        for line in lines {
            line.append(to: &buffer, color: .none)
            buffer.append(0x0a)
        }
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// A dashboard on a terminal of 80 by 24, with answers and a chart of a quarter of an hour.
    static func bench(
        _ tab: DashboardTab, failures: String = "", columns: Int = 80, rows: Int = 24
    ) throws -> DashboardBench {
        var bench = DashboardBench(tab)
        try answer(&bench, failures)
        // Another page may have another chart.
        bench.pass(.milliseconds(250))
        try answer(&bench, failures)
        fit(&bench, columns: columns, rows: rows)
        return bench
    }

    /// Answers all that is asked.
    static func answer(_ bench: inout DashboardBench, _ failures: String = "") throws {
        while let request = bench.asked.first {
            switch request.question {
            case .snapshot: try bench.answer(request, DashboardBench.snapshot(failures: failures))
            case .status: try bench.answer(request, DashboardBench.status)
            case .history(let subject, _):
                try bench.answer(request, DashboardBench.history(subject.metric, subject.member, points: 180))
            case .courses(let subject, _):
                try bench.answer(request, DashboardBench.history(subject.metric, "eth0", points: 400))
            case .changes: try bench.answer(request, DashboardBench.changes(DashboardBench.change, moved: 3))
            case .export, .retry, .list: throw DashboardBench.error(.controlAnswerUnreadable)
            }
        }
    }

    static func fit(_ bench: inout DashboardBench, columns: Int = 80, rows: Int = 24) {
        bench.send(.fit(rows: DashboardView(bench.state, size: TableSize(columns: columns, rows: rows)).rowRoom))
    }

    @Test(arguments: DashboardTab.allCases)
    func everyPageInEightyByTwentyFour(_ tab: DashboardTab) throws {
        let bench = try Self.bench(tab, failures: DashboardBench.failure)
        try expect(Self.text(bench.state), equals: tab.rawValue)
    }

    @Test(arguments: ChartKind.allCases)
    func everyKindOfChart(_ kind: ChartKind) throws {
        var bench = try Self.bench(.interfaces)
        bench.send(.chart(kind))
        try expect(Self.text(bench.state), equals: "chart-\(kind.rawValue)")
    }

    @Test func aRowThatIsSelectedInAWideWindow() throws {
        var bench = try Self.bench(.interfaces, columns: 120, rows: 40)
        bench.send(.toggleIdleRows)
        bench.send(.select("eth0"))
        bench.pass(.milliseconds(250))
        try Self.answer(&bench)
        Self.fit(&bench, columns: 120, rows: 40)
        try expect(Self.text(bench.state, columns: 120, rows: 40), equals: "selected-wide")
    }

    @Test func rowsThatHaveNoRoomAreOnOtherPages() throws {
        var bench = try Self.bench(.connections, rows: 12)
        bench.send(.toggleIdleRows)
        Self.fit(&bench, rows: 12)
        bench.send(.move(.max))
        try expect(Self.text(bench.state, rows: 12), equals: "paged")
    }

    @Test func theKeysAreExplained() throws {
        var bench = try Self.bench(.overview)
        bench.send(.toggleHelp)
        try expect(Self.text(bench.state), equals: "help")
    }

    @Test func anAgentThatIsGone() throws {
        var bench = try Self.bench(.overview)
        bench.pass(.seconds(1))
        bench.loseAgent()
        try expect(Self.text(bench.state), equals: "gone")
    }

    @Test func whatIsConfiguredWhereNoHistoryIsKept() throws {
        var bench = DashboardBench()
        try bench.answer("snapshot", DashboardBench.snapshot())
        try bench.answer("status", DashboardBench.status)
        try bench.fail("history", .historyOff, "this agent keeps no history: agent.state_dir is not set")
        Self.fit(&bench)
        bench.send(.recover)
        try expect(Self.text(bench.state), equals: "no-history")
    }

    @Test func whatAKeyHasDoneIsSaidForAMomentOverAFailureThatLasts() throws {
        var bench = DashboardBench()
        try bench.answer("snapshot", DashboardBench.snapshot())
        try bench.answer("status", DashboardBench.status)
        try bench.fail("history", .historyOff)
        bench.send(.retry("central"))
        try bench.answer("retry", "{}")
        #expect(Self.text(bench.state).contains("central tries again now"))
        #expect(!Self.text(bench.state).contains("t shows what to configure"))
        bench.pass(.seconds(5))
        #expect(!Self.text(bench.state).contains("tries again now"))
    }

    @Test func oneFrameOfAPipe() throws {
        let bench = try Self.bench(.overview, failures: DashboardBench.failure)
        try expect(Self.text(bench.state, columns: 100, rows: nil), equals: "pipe")
    }
}

/// What holds for every page, in every window.
@Suite struct DashboardViewTests {
    private static let hostile = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}x"

    /// Sizes that a window may have, and less than it may have.
    private static let sizes = [(1, 1), (20, 4), (40, 10), (80, 24), (81, 25), (200, 60), (1_000, 200)]

    @Test(arguments: DashboardTab.allCases)
    func aPageHasAsManyLinesAsTheWindowAndNoneIsLonger(_ tab: DashboardTab) throws {
        for (columns, rows) in Self.sizes {
            let size = TableSize(columns: columns, rows: rows)
            var bench = try DashboardViewGoldenTests.bench(tab, failures: DashboardBench.failure)
            for kind in ChartKind.allCases {
                bench.send(.chart(kind))
                bench.send(.fit(rows: DashboardView(bench.state, size: size).rowRoom))
                let lines = DashboardView(bench.state, size: size).lines
                #expect(lines.count == size.rows)
                #expect(lines.allSatisfy { $0.width <= size.columns }, "\(columns) by \(rows)")
            }
        }
    }

    @Test func namesThatWouldSteerATerminalDoNot() throws {
        let escaped = #"\u001b]0;owned\u0007\u001b[2J\u202ex"#
        let failure = DashboardBench.failure.replacing("central", with: escaped).replacing(
            "no connection", with: escaped)
        for tab in DashboardTab.allCases {
            var bench = DashboardBench(tab)
            try bench.answer(
                "snapshot",
                DashboardBench.snapshot(failures: failure).replacing("wg0", with: escaped).replacing(
                    "edge-1", with: escaped
                )
                .replacing("time_wait", with: escaped).replacing("socket_rcvbuff", with: escaped)
                .replacing("reads", with: escaped))
            if bench.request("status") != nil {
                try bench.answer(
                    "status",
                    [
                        "central", "procnet", "backing_off", "no connection", "the route", "Check host",
                        "spool_overflow", ":7:5", "url",
                    ]
                    .reduce(DashboardBench.status) { $0.replacing($1, with: escaped) })
            }
            for request in bench.asked {
                bench.send(.failed(request.id, DashboardBench.error(.controlAnswerUnreadable, Self.hostile)))
            }
            bench.send(.move(1))
            bench.send(.editFilter)
            let entries = [bench.state]
            bench.send(.type(Self.hostile))
            let typed = [bench.state]
            bench.send(.applyFilter)
            for state in entries + typed + [bench.state] {
                let text = DashboardViewGoldenTests.text(state)
                #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
                #expect(!text.contains("\u{202e}"))
            }
        }
    }

    @Test func colorChangesNothingButColor() throws {
        let bench = try DashboardViewGoldenTests.bench(.plugins, failures: DashboardBench.failure)
        var buffer = ByteBuffer()
        for line in DashboardView(bench.state, size: TableSize(columns: 80, rows: 24)).lines {
            line.append(to: &buffer, color: .ansi)
            buffer.append(0x0a)
        }
        let text = String(decoding: buffer.bytes, as: UTF8.self)
        #expect(text.contains("\u{1b}[33m"))
        #expect(text.replacing(/\u{1b}\[[0-9]*m/, with: "") == DashboardViewGoldenTests.text(bench.state))
    }

    @Test func whatFailsAndWhatToDoIsOnTheOverview() throws {
        let bench = try DashboardViewGoldenTests.bench(.overview, failures: DashboardBench.failure)
        let text = DashboardViewGoldenTests.text(bench.state)
        #expect(text.contains("✗ central  SND-CRL003  for 1m"))
        #expect(text.contains("do: Check host and port of url."))
    }

    @Test func whatMendsASinkIsALineOfYAMLWithItsPlace() throws {
        let bench = try DashboardViewGoldenTests.bench(.plugins, failures: DashboardBench.failure)
        let text = DashboardViewGoldenTests.text(bench.state)
        #expect(text.contains("/etc/sonde/sonde.yaml:7:5: sinks: [{ id: central, url: … }]"))
    }
}
