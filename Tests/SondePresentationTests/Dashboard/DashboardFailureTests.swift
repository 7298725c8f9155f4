import SondeDomain
import SondeFormats
import SondePresentation
import Testing

/// Each failure has something that a person can do about it with one key.
@Suite struct DashboardFailureTests {
    private func bench(_ tab: DashboardTab = .overview) throws -> DashboardBench {
        var bench = DashboardBench(tab)
        try bench.settle()
        bench.pass(.milliseconds(250))
        try bench.settle()
        bench.pass(.seconds(30))
        return bench
    }

    /// Another connection than that of the snapshots may notice late that the agent was started again.
    @Test func aRangeThatFailsSinceNobodyAnswersIsAskedForSoon() throws {
        var bench = DashboardBench(.interfaces)
        try bench.answer("snapshot", DashboardBench.snapshot())
        let range = try #require(bench.request("history"))
        // Courses are asked for by the same name.
        try bench.fail("history", .controlNotAnswered)
        try bench.fail("history", .controlNotAnswered)
        #expect(bench.state.failure?.part == .history)
        bench.pass(.seconds(1))
        #expect(bench.request("history").map { $0.id != range.id } == true)
        try bench.settle()
        #expect(bench.state.failure == nil)
    }

    @Test func whatFailedIsAskedForAgainAtOnce() throws {
        var bench = try bench()
        try bench.fail("status", .controlAnswerUnreadable)
        #expect(bench.state.failure?.part == .status)
        #expect(bench.state.failure?.advice == ["Do it."])
        #expect(bench.state.status.loading == .failed)
        #expect(bench.state.status.value != nil)
        bench.send(.recover)
        #expect(bench.state.status.loading == .refreshing)
        #expect(bench.request("status") != nil)
        try bench.fail("history", .controlAnswerUnreadable)
        #expect(bench.state.failure?.part == .history)
        bench.send(.recover)
        #expect(bench.request("history") != nil)
    }

    @Test func anAgentThatIsGoneIsLookedForAtOnce() throws {
        var bench = try bench()
        bench.loseAgent()
        #expect(bench.state.failure?.recovery == .retry)
        bench.send(.recover)
        #expect(bench.request("snapshot") != nil)
    }

    @Test func aRangeThatCannotBeAskedForIsReset() throws {
        var bench = try bench()
        bench.send(.range(.month))
        bench.pass(.seconds(1))
        try bench.fail("history", .controlArgumentInvalid)
        #expect(bench.state.failure?.recovery == .resetRange)
        bench.send(.recover)
        #expect(bench.state.range == .hour)
        #expect(bench.state.failure == nil)
        #expect(bench.request("history")?.members[1] == JSONValue.Member("range", "1h"))
    }

    @Test func whereNoHistoryIsKeptTheLineOfYAMLIsShownAndTheChartGoesOnLive() throws {
        var bench = try bench()
        try bench.fail("history", .historyOff)
        #expect(bench.state.failure?.recovery == .reconfigure(yaml: "agent: { state_dir: /var/lib/sonde }"))
        bench.send(.recover)
        #expect(bench.state.showsConfiguration)
        bench.send(.recover)
        #expect(!bench.state.showsConfiguration)
        try bench.answer("snapshot", DashboardBench.snapshot(40))
        #expect(bench.state.history.value?.points.last?.average == 1_200)
    }

    @Test func aUserWhoIsNotAnsweredIsToldOfTheGroup() throws {
        var bench = DashboardBench()
        try bench.fail("snapshot", .controlPeerRefused)
        #expect(bench.state.failure?.recovery == .reconfigure(yaml: "agent: { control_group: GROUP }"))
        #expect(!bench.state.isAgentGone)
    }

    @Test func aFailureIsDismissed() throws {
        for part in ["snapshot", "status", "history"] {
            var bench = try bench()
            try bench.fail(part, .controlAnswerUnreadable)
            #expect(bench.state.failure?.part.rawValue == part)
            bench.send(.dismiss)
            #expect(bench.state.failure == nil)
            #expect(bench.state.loading != .failed)
        }
        var bench = DashboardBench()
        try bench.fail("status", .controlAnswerUnreadable)
        bench.send(.dismiss)
        #expect(bench.state.status.loading == .idle)
        bench.send(.dismiss)
        bench.send(.recover)
        #expect(bench.state.failure == nil)
    }

    @Test func coursesFailByThemselves() throws {
        var bench = try bench(.interfaces)
        let request = try #require(bench.asked.first { if case .courses = $0.question { true } else { false } })
        bench.send(.failed(request.id, DashboardBench.error(.controlAnswerUnreadable)))
        #expect(bench.state.failure?.part == .courses)
        bench.send(.recover)
        #expect(bench.state.courses.loading == .refreshing)
        bench.pass(.seconds(5))
        #expect(bench.state.courses.failure?.isAbsence == true)
        bench.send(.dismiss)
        bench.send(.dismiss)
    }

    @Test func theFailedSinkTriesAgainAndItsStatusIsAskedFor() throws {
        var bench = try bench(.plugins)
        #expect(bench.state.table.rows.map(\.id) == ["central", "kernel", "local"])
        bench.send(.recover)
        #expect(bench.request("retry")?.members == [JSONValue.Member("plugin", "central")])
        #expect(bench.state.order.loading == .loading)
        try bench.answer("status", DashboardBench.status)
        try bench.answer("retry", #"{"plugin":"central"}"#)
        #expect(bench.state.order.value == "central")
        #expect(bench.request("status") != nil)
        bench.pass(.seconds(6))
        #expect(bench.state.order.value == nil, "it was said for a moment")
    }

    @Test func whatWasOrderedIsNotSaidOnAnotherPage() throws {
        var bench = try bench(.plugins)
        bench.send(.recover)
        try bench.answer("retry", #"{"plugin":"central"}"#)
        bench.send(.show(.talkers))
        #expect(bench.state.order.value == nil)
    }

    @Test func oneThatWorksIsNotToldToTryAgain() throws {
        var bench = try bench(.plugins)
        bench.send(.select("local"))
        bench.send(.recover)
        #expect(bench.request("retry") == nil)
    }

    @Test func anOrderThatIsRefusedIsDismissed() throws {
        var bench = try bench(.plugins)
        bench.send(.recover)
        try bench.fail("retry", .controlArgumentInvalid)
        #expect(bench.state.failure?.recovery == .dismiss)
        bench.send(.show(.overview))
        bench.send(.recover)
        #expect(bench.state.failure == nil)
        bench.send(.show(.plugins))
        bench.send(.recover)
        try bench.fail("retry", .controlChangeRefused)
        #expect(bench.state.failure?.recovery == .reconfigure(yaml: "agent: { control_group: GROUP }"))
        bench.send(.dismiss)
        #expect(bench.state.order.failure == nil)
    }

    @Test func aFileIsWrittenInPieces() throws {
        var bench = try bench()
        bench.send(.export(format: "csv"))
        #expect(bench.request("export")?.members.contains(JSONValue.Member("format", "csv")) == true)
        #expect(bench.state.export.loading == .refreshing)
        try bench.answer("export", #"{"done":1,"count":2,"text":"a\n","next":{"line":1}}"#)
        #expect(bench.state.export.loading == .loadingMore)
        #expect(bench.state.export.value?.isComplete == false)
        #expect(bench.request("export")?.members.last?.key == "after")
        try bench.answer("export", #"{"done":2,"count":2,"text":"b\n"}"#)
        #expect(bench.state.export.value?.isComplete == true)
        #expect(bench.written.map(\.text) == ["a\n", "b\n"])
        #expect(bench.written.map(\.isFirst) == [true, false])
        #expect(bench.written.map(\.isLast) == [false, true])
        #expect(bench.written.first?.fileName == "sonde-bandwidth.receive-1h.csv")
    }

    @Test func anExportThatFailsIsMadeAgain() throws {
        var bench = try bench()
        bench.send(.export(format: "ndjson"))
        try bench.fail("export", .historyExportFailed)
        #expect(bench.state.failure?.recovery == .retryExport)
        bench.send(.recover)
        let request = try #require(bench.request("export"))
        #expect(request.members.contains(JSONValue.Member("format", "ndjson")))
        bench.send(.exportFailed(DashboardBench.error(.historyExportFailed, "the disk is full")))
        #expect(bench.state.failure?.message == "the disk is full")
        // What the agent still answers belongs to a file that is given up.
        try bench.answer(request, #"{"done":2,"count":2,"text":"b\n"}"#)
        #expect(bench.written == [])
        bench.send(.dismiss)
        #expect(bench.state.failure == nil)
    }

    @Test func aPageWithoutAChartHasNothingToExport() throws {
        var bench = try bench(.services)
        bench.send(.export(format: "csv"))
        #expect(bench.request("export") == nil)
    }

    @Test func anExportThatIsNotAnsweredFails() throws {
        var bench = try bench()
        bench.send(.togglePause)
        bench.send(.export(format: "csv"))
        #expect(bench.state.wake == bench.now.advanced(by: .seconds(5)))
        bench.pass(.seconds(5))
        #expect(bench.state.failure != nil)
        #expect(bench.state.export.failure?.part == .export)
    }
}
