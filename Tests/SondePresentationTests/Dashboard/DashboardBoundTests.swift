import SondeDomain
import SondeFormats
import SondePresentation
import Testing

/// What a dashboard holds is bounded, however long it is looked at.
@Suite struct DashboardBoundTests {
    /// So many seconds after the first snapshot.
    private func live(_ bench: inout DashboardBench, seconds: Range<Int>) throws {
        for second in seconds {
            bench.pass(.seconds(1))
            while let request = bench.asked.first {
                switch request.question {
                case .snapshot:
                    try bench.answer(request, DashboardBench.snapshot(second, receive: Double(second)))
                case .history: try bench.fail("history", .historyOff)
                default: try bench.answer(request, DashboardBench.status)
                }
            }
        }
    }

    @Test func aChartHoldsAThousandPointsAndReleasesTheOldest() throws {
        var bench = DashboardBench()
        try bench.answer("snapshot", DashboardBench.snapshot())
        try live(&bench, seconds: 1..<7_200)
        let chart = try #require(bench.state.history.value)
        #expect(DashboardChart.pointBound == 1_000)
        #expect((890...1_000).contains(chart.points.count))
        // They are 3.6 s apart, a thousandth of the range.
        #expect(try #require(chart.points.last).average >= 7_196)
        let begin = try #require(chart.begin)
        #expect(try #require(chart.points.first?.time) >= begin)
    }

    @Test func anAnswerWithMorePointsIsCutToTheNewest() throws {
        var bench = DashboardBench()
        try bench.answer("snapshot", DashboardBench.snapshot())
        let parts = DashboardBench.history(.bandwidthReceive, points: 700).split(separator: #""points":["#)
        let points = parts[1].dropLast("]}]}".count)
        try bench.answer("history", #"\#(parts[0])"points":[\#(points),\#(points)]}]}"#)
        #expect(bench.state.history.value?.points.count == 1_000)
    }

    @Test func aValueAtTheSameInstantIsNotAddedTwice() throws {
        var bench = DashboardBench()
        for _ in 0..<3 {
            try bench.answer("snapshot", DashboardBench.snapshot(5))
            bench.pass(.seconds(1))
        }
        #expect(bench.state.history.value?.points.count == 1)
    }

    @Test func coursesHoldAThousandPointsInAll() throws {
        var bench = DashboardBench(.interfaces)
        try bench.answer("snapshot", DashboardBench.snapshot())
        bench.pass(.milliseconds(250))
        var pages = 0
        while let request = bench.asked.first(where: { if case .courses = $0.question { true } else { false } }) {
            try bench.answer(
                request, DashboardBench.history(.bandwidthReceive, "if\(pages)", next: #"{"n":\#(pages)}"#))
            pages += 1
            try #require(pages < 100)
        }
        let courses = try #require(bench.state.courses.value)
        #expect(courses.members.values.reduce(0) { $0 + $1.count } <= 1_000)
        #expect(courses.members.count == pages)
    }

    @Test func aThousandOpeningsHoldNoMoreThanOne() throws {
        var bench = DashboardBench()
        func held() -> Int {
            (bench.state.history.value?.points.count ?? 0) + (bench.state.courses.value?.members.count ?? 0)
                + bench.state.table.allRows.count + bench.asked.count
        }
        var first: Int?
        for round in 0..<1_000 {
            bench.send(.open)
            bench.send(.show(DashboardTab.allCases[round % 7]))
            bench.send(.range(HistoryTier.allCases[round % 5]))
            bench.send(.move(1))
            bench.pass(.milliseconds(250))
            try bench.settle()
            bench.send(.show(.interfaces))
            bench.send(.select(nil))
            bench.send(.range(.hour))
            bench.pass(.milliseconds(250))
            try bench.settle()
            if first == nil { first = held() }
        }
        #expect(held() == first)
        #expect(bench.state.failure == nil)
    }
}
