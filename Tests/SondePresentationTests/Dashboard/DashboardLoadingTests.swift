import SondeDomain
import SondeFormats
import SondePresentation
import Testing

/// What is asked when, and how far each part is.
@Suite struct DashboardLoadingTests {
    @Test func nothingIsAskedBeforeItIsOpened() {
        var state = DashboardState()
        #expect(state.loading == .idle)
        #expect(state.wake == nil)
        #expect(state.reduce(.tick, at: MonotonicInstant(nanoseconds: 0)) == [])
    }

    @Test func theFirstAnswerIsWaitedForThenRefreshed() throws {
        var bench = DashboardBench()
        #expect(bench.asked.map(\.name) == ["snapshot", "status"])
        #expect(bench.state.snapshot.loading == .loading)
        #expect(bench.state.loading == .loading)
        #expect(!bench.state.isSettled)
        try bench.answer("snapshot", DashboardBench.snapshot())
        #expect(bench.state.snapshot.loading == .success)
        #expect(bench.state.snapshot.value?.host == "edge-1")
        // The chart waits for the snapshot, which tells the source.
        #expect(bench.state.history.loading == .refreshing)
        try bench.settle()
        #expect(bench.state.loading == .success)
        #expect(bench.state.isSettled)
        bench.pass(.seconds(1))
        #expect(bench.state.snapshot.loading == .refreshing)
        #expect(bench.state.loading == .refreshing)
        #expect(bench.state.snapshot.value?.host == "edge-1")
    }

    @Test func snapshotsAreAskedForEverySecondAndRangesEveryThirty() throws {
        var bench = DashboardBench()
        try bench.settle()
        var counts: [String: Int] = [:]
        for _ in 0..<60 {
            bench.pass(.seconds(1))
            for request in bench.asked { counts[request.name, default: 0] += 1 }
            try bench.settle()
        }
        #expect(counts == ["snapshot": 60, "status": 60, "history": 2, "changes": 1])
    }

    @Test func nothingIsAskedBeforeItsTimeAndTheNextTimeIsKnown() throws {
        var bench = DashboardBench()
        try bench.settle()
        #expect(bench.state.wake == bench.now.advanced(by: .seconds(1)))
        bench.pass(.milliseconds(999))
        #expect(bench.asked == [])
        bench.pass(.milliseconds(1))
        #expect(bench.asked.map(\.name) == ["snapshot", "status"])
    }

    @Test func anAnswerThatComesLateToAnOlderRequestIsDropped() throws {
        var bench = DashboardBench()
        try bench.answer("snapshot", DashboardBench.snapshot())
        let old = try #require(bench.request("history"))
        bench.send(.metric(.bandwidthTransmit))
        bench.pass(.milliseconds(250))
        let new = try #require(bench.request("history"))
        #expect(new.id != old.id)
        try bench.answer(old, DashboardBench.history(.bandwidthReceive, points: 3))
        #expect(bench.state.history.value == nil)
        #expect(bench.state.history.loading == .loading)
        try bench.answer(new, DashboardBench.history(.bandwidthTransmit, points: 7))
        #expect(bench.state.history.value?.points.count == 7)
    }

    @Test func aFailureOfAnOlderRequestIsDroppedToo() throws {
        var bench = DashboardBench()
        try bench.answer("snapshot", DashboardBench.snapshot())
        let old = try #require(bench.request("history"))
        bench.send(.range(.day))
        bench.send(.failed(old.id, DashboardBench.error(.historyOff)))
        #expect(bench.state.history.failure == nil)
    }

    @Test func anAnswerThatDoesNotComeIsAFailureAfterAWhile() throws {
        var bench = DashboardBench()
        let late = try #require(bench.request("snapshot"))
        bench.pass(.milliseconds(4_999))
        #expect(!bench.state.isAgentGone)
        bench.pass(.milliseconds(1))
        #expect(bench.state.isAgentGone)
        #expect(bench.state.snapshot.failure?.message == "the agent has not answered for 5s")
        // One that is later than that is of no use any more: another was asked for.
        bench.pass(.seconds(1))
        try bench.answer(late, DashboardBench.snapshot())
        #expect(bench.state.snapshot.value == nil)
    }

    @Test func whileTheAgentIsGoneOnlyItIsLookedForAndWhatWasKnownStays() throws {
        var bench = DashboardBench()
        try bench.settle()
        bench.pass(.seconds(1))
        bench.loseAgent()
        #expect(bench.state.isAgentGone)
        #expect(bench.state.loading == .failed)
        #expect(bench.state.isSettled)
        #expect(bench.state.failure?.recovery == .retry)
        #expect(bench.state.snapshot.value?.host == "edge-1")
        for _ in 0..<5 {
            bench.pass(.seconds(1))
            #expect(bench.asked.map(\.name) == ["snapshot"])
            #expect(bench.state.wake == bench.now.advanced(by: .seconds(5)))
            bench.loseAgent()
        }
    }

    @Test func anAgentThatIsBackIsAskedForEverythingAtOnce() throws {
        var bench = DashboardBench()
        try bench.settle()
        bench.pass(.seconds(1))
        bench.loseAgent()
        bench.pass(.seconds(1))
        try bench.answer("snapshot", DashboardBench.snapshot(2))
        #expect(!bench.state.isAgentGone)
        #expect(bench.state.failure == nil)
        #expect(Set(bench.asked.map(\.name)) == ["status", "history", "changes"])
    }

    @Test func aPausedDashboardAsksNothingAndGoesOnWhereItWas() throws {
        var bench = DashboardBench()
        try bench.settle()
        bench.send(.togglePause)
        #expect(bench.state.isPaused)
        #expect(bench.state.wake == nil)
        bench.pass(.seconds(3_600))
        #expect(bench.asked == [])
        bench.send(.togglePause)
        #expect(bench.asked.map(\.name) == ["snapshot", "status", "changes", "history"])
    }

    @Test func onlyWhatThePageShowsIsAskedFor() throws {
        var bench = DashboardBench(.services)
        try bench.settle()
        bench.pass(.seconds(60))
        #expect(bench.asked.map(\.name) == ["snapshot"])
        try bench.settle()
        bench.send(.show(.interfaces))
        bench.pass(.seconds(1))
        #expect(bench.asked.map(\.name) == ["snapshot", "history", "history"])
    }

    @Test func coursesOfAllMembersComeInPagesAndAreReplacedAsAWhole() throws {
        var bench = DashboardBench(.interfaces)
        try bench.answer("snapshot", DashboardBench.snapshot())
        bench.pass(.milliseconds(250))
        func courses() throws -> DashboardRequest {
            try #require(bench.asked.first { if case .courses = $0.question { true } else { false } })
        }
        let first = try courses()
        #expect(first.members.contains(JSONValue.Member("resolution", "2m30s")))
        try bench.answer(first, DashboardBench.history(.bandwidthReceive, "eth0", next: #"{"metric":"x"}"#))
        #expect(bench.state.courses.loading == .loadingMore)
        #expect(bench.state.courses.value?.members.keys.sorted() == ["eth0"])
        let second = try courses()
        #expect(second.members.last == JSONValue.Member("after", .object([.init("metric", "x")])))
        try bench.answer(second, DashboardBench.history(.bandwidthReceive, "wg0"))
        #expect(bench.state.courses.loading == .success)
        #expect(bench.state.courses.value?.members.keys.sorted() == ["eth0", "wg0"])
        #expect(bench.state.courses.value?.members["wg0"]?.last == .some(.some(3)))
        bench.pass(.seconds(30))
        try bench.answer(try courses(), DashboardBench.history(.bandwidthReceive, "wg0"))
        #expect(bench.state.courses.value?.members.keys.sorted() == ["wg0"])
    }

    @Test func aPointOfACourseHoldsForItsWholeStep() throws {
        var bench = DashboardBench(.interfaces)
        try bench.answer("snapshot", DashboardBench.snapshot())
        bench.pass(.milliseconds(250))
        let request = try #require(bench.asked.first { if case .courses = $0.question { true } else { false } })
        try bench.answer(
            request,
            #"{"from":"2026-01-01T03:00:00.000Z","to":"2026-01-01T04:00:00.000Z","items":[{"metric":"bandwidth.receive","#
                + #""unit":"By/s","interface":"eth0","source":"kernel","step_seconds":240.0,"points":["#
                + #"{"time":"2026-01-01T03:52:00.000Z","average":1},{"time":"2026-01-01T03:56:00.000Z","average":2}]}]}"#
        )
        #expect(bench.state.courses.value?.members["eth0"]?.suffix(5) == [nil, 1, 1, 2, 2])
    }

    @Test func aSeriesThatIsOnALaterPageIsLookedForThere() throws {
        var bench = DashboardBench()
        try bench.answer("snapshot", DashboardBench.snapshot())
        try bench.answer("history", DashboardBench.history(.bandwidthReceive, points: 0, next: #"{"source":"a"}"#))
        #expect(bench.state.history.loading == .loadingMore)
        #expect(bench.request("history")?.members.last == JSONValue.Member("after", .object([.init("source", "a")])))
        try bench.answer("history", DashboardBench.history(.bandwidthReceive))
        #expect(bench.state.history.loading == .success)
        #expect(bench.state.history.value?.points.count == 3)
    }

    @Test func aSnapshotThatCannotBeReadIsAFailureThatIsNoAbsence() throws {
        var bench = DashboardBench()
        try bench.answer("snapshot", #"{"document":{"schema":"acme/7"}}"#)
        #expect(bench.state.snapshot.failure?.code == "SND-CTL010")
        #expect(!bench.state.isAgentGone)
        bench.pass(.seconds(1))
        #expect(bench.request("snapshot") != nil)
    }
}
