import SondeDomain
import Testing

@testable import DNSLogPlugin

/// Logs that come and go between two looks: what could not be read is reported.
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
        #expect(bench.losses == [], "it may yet be found under another name")
        #expect(bench.idle(seconds: 6) == [])
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

    @Test func aLogThatIsFoundUnderItsOldNameOneLookLaterIsNone() throws {
        let bench = try TailBench.started(lines(1...10))
        _ = bench.turn()
        try bench.folder.move("q.log", to: "q.log.2")
        try bench.folder.append(lines(11...12))
        try bench.folder.move("q.log", to: "q.log.1")
        #expect(bench.turn() == [])
        try bench.folder.append(lines(13...14))
        #expect(bench.turn() == texts(11...14))
        #expect(bench.idle(seconds: 8) == [])
        #expect(bench.losses == [])
    }

    @Test func aLogThatIsRenamedAwayAndBackIsNone() throws {
        let bench = try TailBench.started(lines(1...10))
        _ = bench.turn()
        for round in 11...14 {
            try bench.folder.move("q.log", to: "aside")
            try bench.folder.move("aside", to: "q.log")
            try bench.folder.append(lines(round...round))
            #expect(bench.turn() == texts(round...round))
        }
        #expect(bench.losses == [])
    }

    @Test func aLinkThatWasTurnedTwiceBetweenTwoLooksIsALoss() throws {
        let bench = try TailBench()
        try bench.folder.append(lines(1...3), to: "a")
        try bench.folder.link("q.log", to: "a")
        bench.start()
        #expect(bench.turn() == texts(1...3))
        for (name, number) in [("b", 4), ("c", 5)] {
            try bench.folder.append(lines(number...number), to: name)
            try bench.folder.link("q.log", to: name)
        }
        #expect(bench.turn() == texts(5...5))
        #expect(bench.losses == [.rotatedAway])
    }

    @Test func aMatchOfAWildcardThatCameAndWentIsALoss() throws {
        let bench = try TailBench.started(lines(1...10), ["q*.log"])
        _ = bench.turn()
        try bench.folder.append(lines(1...3), to: "qa.log")
        try bench.folder.remove("qa.log")
        #expect(bench.turn() == [])
        #expect(bench.losses == [.rotatedAway])
        try bench.folder.append(lines(4...5), to: "qb.log")
        #expect(bench.turn() == texts(4...5))
        #expect(bench.losses == [.rotatedAway])
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
