import SondeDomain
import Testing

@testable import DNSLogPlugin

/// Logs that come and go between two looks: what nobody could read is told.
@Suite struct NameBirthsTests {
    @Test func aLogThatCameAndWentBetweenTwoLooksIsALoss() throws {
        let bench = try TailBench.started(lines(1...10))
        #expect(bench.turn() == texts(1...10))
        try bench.folder.remove()
        try bench.folder.append(lines(11...20))
        try bench.folder.remove()
        try bench.folder.append(lines(21...30))
        #expect(bench.turn() == texts(21...30))
        #expect(bench.losses == [.rotatedAway])
        #expect(bench.idle(seconds: 30) == [])
        #expect(bench.losses == [.rotatedAway], "once")
    }

    @Test func aLogThatCameAndWentWhileNoneWasThereIsALoss() throws {
        let bench = try TailBench.started(lines(1...10))
        try bench.folder.remove()
        #expect(bench.turn() == texts(1...10))
        try bench.folder.append(lines(11...20))
        try bench.folder.remove()
        #expect(bench.turn() == [])
        #expect(bench.losses == [.rotatedAway])
    }

    @Test func logsThatAreFoundUnderTheirOldNamesAreNone() throws {
        let bench = try TailBench.started(lines(1...10))
        #expect(bench.turn() == texts(1...10))
        for round in 1...3 {
            try bench.folder.append(lines(round...round, "more"))
            try bench.folder.move("q.log", to: "q.log.\(round)")
            try bench.folder.append("")
        }
        #expect(bench.turn().sorted() == texts(1...3, "more"))
        #expect(bench.losses == [])
    }

    @Test func oneLogAfterAnotherIsNone() throws {
        let bench = try TailBench.started(lines(1...10))
        for round in 1...20 {
            _ = bench.turn(after: .seconds(Int64(round % 3)))
            try bench.folder.remove()
            if round % 2 == 0 { _ = bench.turn() }
            try bench.folder.append(lines(round...round))
        }
        _ = bench.turn()
        #expect(bench.losses == [])
    }

    @Test func otherNamesInTheFolderAreNone() throws {
        let bench = try TailBench.started(lines(1...10))
        _ = bench.turn()
        for round in 1...500 { try bench.folder.append("other", to: "other-\(round)") }
        #expect(bench.turn() == [])
        #expect(bench.losses == [])
    }

    @Test func aFileThatIsFoundBeforeTheKernelTellsOfItIsNotMissed() {
        var births = NameBirths()
        let now = MonotonicInstant(nanoseconds: 5_000_000_000)
        births.note(births: 0, at: now)
        births.note(arrivals: 1, at: now)
        births.note(births: 1, at: now.advanced(by: .milliseconds(900)))
        let first = births.takeMissed()
        births.note(births: 1, at: now.advanced(by: .milliseconds(900)))
        let second = births.takeMissed()
        #expect(!first)
        #expect(second)
    }

    @Test func aFileThatTheKernelNeverToldOfHidesNoOther() {
        var births = NameBirths()
        let now = MonotonicInstant(nanoseconds: 5_000_000_000)
        births.note(arrivals: 1, at: now)
        births.note(births: 0, at: now.advanced(by: .seconds(1)))
        births.note(births: 1, at: now.advanced(by: .seconds(2)))
        let isMissed = births.takeMissed()
        #expect(isMissed)
    }
}
