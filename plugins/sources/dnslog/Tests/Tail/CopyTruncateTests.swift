import SondeDomain
import Testing

@testable import DNSLogPlugin

/// Rotation by copying and truncating: what can be read is read, and the rest is reported.
@Suite struct CopyTruncateTests {
    @Test func aFileThatIsShorterIsReadFromItsBeginning() throws {
        let bench = try TailBench.started(lines(1...100))
        #expect(bench.turn().count == 100)
        try bench.folder.truncate()
        try bench.folder.append(lines(200...201))
        #expect(bench.turn() == texts(200...201))
        #expect(bench.tail.counts.truncations == 1)
        #expect(bench.losses == [.truncated], "whether anything was cut away unread, nobody knows")
    }

    @Test func aFileThatIsLongerAlreadyIsReadFromItsBeginning() throws {
        let bench = try TailBench.started(lines(1...10))
        #expect(bench.turn().count == 10)
        try bench.folder.truncate()
        try bench.folder.append(lines(200...400))
        #expect(bench.turn() == texts(200...400))
        #expect(bench.tail.counts.truncations == 1)
    }

    @Test func aFileThatIsLongerAlreadyAndBeginsTheSameIsReadFromItsBeginning() throws {
        let banner = String(repeating: "the same banner of every start of the resolver\n", count: 40)
        let bench = try TailBench.started(banner + lines(1...10))
        #expect(bench.turn().count == 50)
        try bench.folder.truncate()
        try bench.folder.append(banner + lines(200...400))
        #expect(bench.turn().suffix(201) == texts(200...400)[...])
        #expect(bench.tail.counts.truncations == 1)
    }

    @Test func theRestIsReadFromTheCopy() throws {
        let bench = try TailBench.started(lines(1...100))
        #expect(bench.turn().count == 100)
        try bench.folder.append(lines(101...110))
        try bench.folder.copy("q.log", to: "q.log.1")
        try bench.folder.truncate()
        try bench.folder.append(lines(111...120))
        #expect(bench.turn() == texts(101...120))
        #expect(bench.losses == [])
        #expect(bench.tail.counts.truncations == 1)
    }

    @Test func aCopyOfWhatWasReadIsNotReadAgain() throws {
        let bench = try TailBench.started(lines(1...300))
        #expect(bench.turn().count == 300)
        try bench.folder.copy("q.log", to: "q.log.1")
        #expect(bench.turn() == [])
        try bench.folder.append(lines(301...302))
        #expect(bench.turn() == texts(301...302))
        try bench.folder.truncate()
        try bench.folder.append(lines(303...304))
        #expect(bench.turn() == texts(303...304))
        #expect(bench.idle(seconds: 10) == [])
    }

    @Test func roundsOfCopyAndCutLoseNothingThatIsInTheCopies() throws {
        let bench = try TailBench.started("begin\n")
        var found: [String] = bench.turn()
        for round in 1...6 {
            try bench.folder.append(lines(round * 100...round * 100 + 50))
            if round % 2 == 0 { found += bench.turn() }
            try bench.folder.append(lines(round * 100 + 51...round * 100 + 99))
            if round > 1 { try bench.folder.move("q.log.1", to: "q.log.2") }
            try bench.folder.copy("q.log", to: "q.log.1")
            try bench.folder.truncate()
            try bench.folder.append("mark \(round)\n")
            found += bench.turn()
        }
        #expect(found.filter { $0.first == "m" } == (1...6).map { "mark \($0)" })
        #expect(found.filter { $0.first == "l" } == texts(100...699))
        #expect(bench.losses == [])
    }

    @Test func aFileThatIsCutBeforeAnythingWasReadOfItIsReadFromItsCopy() throws {
        let bench = try TailBench.started("half of a line")
        #expect(bench.turn() == [])
        try bench.folder.append(", whole\n")
        try bench.folder.copy("q.log", to: "q.log.1")
        try bench.folder.truncate()
        try bench.folder.append("what comes after that is longer than it was\n")
        #expect(bench.turn() == ["half of a line, whole", "what comes after that is longer than it was"])
    }

    @Test func theHoleOfAWriterThatGoesOnAtItsOldOffsetIsNoLine() throws {
        let bench = try TailBench.started(lines(1...30_000))
        #expect(bench.turn().count == 30_000)
        try bench.folder.truncate()
        try bench.folder.truncate(to: 300_001)
        try bench.folder.append(lines(1...3, "after"))
        #expect(bench.turn() == texts(1...3, "after"))
        #expect(bench.tail.counts.tooLong == 0)
        try bench.folder.append(lines(4...4, "after"))
        #expect(bench.turn() == texts(4...4, "after"))
    }

    @Test func aLineUnderWayWhenTheFileIsCutIsNotMixedWithTheNext() throws {
        let bench = try TailBench.started("one\nhalf of a")
        #expect(bench.turn() == ["one"])
        try bench.folder.truncate()
        try bench.folder.append("two\n")
        #expect(bench.turn() == ["two"])
    }

    @Test func aCopyOverARotatedFileThatIsStillOpenIsNotReadTwice() throws {
        let bench = try TailBench.started(lines(1...12))
        #expect(bench.turn() == texts(1...12))
        for round in 1...4 {
            let first = round * 12 + 1
            try bench.folder.append(lines(first...first + 5))
            try bench.folder.copy("q.log", to: "q.log.1")
            try bench.folder.truncate()
            try bench.folder.append(lines(first + 6...first + 11))
            #expect(bench.turn(after: .seconds(1)) == texts(first...first + 11))
            #expect(bench.turn(after: .seconds(1)) == [])
        }
        #expect(bench.losses == [])
    }

    @Test func aLookWhileARotatedFileIsCopiedOverLosesNothing() throws {
        let bench = try TailBench.started(lines(1...12))
        _ = bench.turn()
        try bench.folder.copy("q.log", to: "q.log.1")
        try bench.folder.truncate()
        try bench.folder.append(lines(13...24))
        #expect(bench.turn() == texts(13...24))
        _ = bench.turn()
        try bench.folder.truncate("q.log.1")
        #expect(bench.turn() == [])
        try bench.folder.append(lines(25...30))
        #expect(bench.turn() == texts(25...30))
        try bench.folder.append(lines(31...36))
        try bench.folder.copy("q.log", to: "q.log.1")
        #expect(bench.turn() == texts(31...36))
        try bench.folder.append(lines(37...42))
        try bench.folder.copy("q.log", to: "q.log.1")
        try bench.folder.truncate()
        try bench.folder.append(lines(43...48))
        #expect(bench.turn() == texts(37...48))
        #expect(bench.losses == [])
    }

    @Test func aRotatedFileThatIsEmptiedBeforeItWasReadIsALoss() throws {
        let bench = try TailBench.started(lines(1...12))
        _ = bench.turn()
        try bench.folder.append(lines(13...24))
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.truncate("q.log.1")
        try bench.folder.append(lines(25...36))
        #expect(bench.turn() == texts(25...36))
        #expect(bench.idle(seconds: 10) == [])
        #expect(bench.losses == [.truncated])
        #expect(bench.tail.openFiles == 1)
    }

    @Test func anEmptyRotatedFileThatIsCopiedOverIsNotReadTwice() throws {
        let bench = try TailBench()
        try bench.folder.append("")
        try bench.folder.append("", to: "q.log.1")
        bench.start()
        for round in 0..<3 {
            let numbers = round * 10 + 1...round * 10 + 10
            try bench.folder.append(lines(numbers))
            #expect(bench.turn(after: .seconds(1)) == texts(numbers))
            try bench.folder.copy("q.log", to: "q.log.1")
            if round == 1 { #expect(bench.turn() == []) }
            try bench.folder.truncate()
            #expect(bench.idle(seconds: 8) == [])
        }
        #expect(bench.losses == [])
    }

    @Test func anEmptyRotatedFileThatIsStillOpenAndCopiedOverIsNotReadTwice() throws {
        let bench = try TailBench.started("")
        _ = bench.turn()
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append(lines(1...10))
        #expect(bench.turn() == texts(1...10))
        try bench.folder.copy("q.log", to: "q.log.1")
        #expect(bench.turn() == [])
        try bench.folder.truncate()
        try bench.folder.append(lines(11...12))
        #expect(bench.turn() == texts(11...12))
        #expect(bench.idle(seconds: 8) == [])
        #expect(bench.losses == [])
    }

    @Test(arguments: ["q.log.1", "q.log.2"])
    func aLogThatIsFilledCopiedAndCutBetweenTwoLooksIsReadFromItsCopy(_ second: String) throws {
        let bench = try TailBench.started(lines(1...1))
        #expect(bench.turn() == texts(1...1))
        try bench.folder.copy("q.log", to: "q.log.1")
        try bench.folder.truncate()
        #expect(bench.turn() == [])
        try bench.folder.append(lines(2...8))
        try bench.folder.copy("q.log", to: second)
        try bench.folder.truncate()
        #expect(bench.turn() == texts(2...8))
        try bench.folder.append(lines(9...9))
        #expect(bench.turn() == texts(9...9))
        #expect(bench.idle(seconds: 8) == [])
        #expect(bench.losses == [])
    }

    @Test func aCopyOfALogOfWhichNothingWasReadYetIsNotReadBesideIt() throws {
        let bench = try TailBench.started(lines(1...1))
        _ = bench.turn()
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append("")
        #expect(bench.turn() == [])
        try bench.folder.append(lines(2...8))
        try bench.folder.copy("q.log", to: "q.log.2")
        #expect(bench.turn() == texts(2...8))
        try bench.folder.append(lines(9...9))
        #expect(bench.turn() == texts(9...9))
        #expect(bench.idle(seconds: 8) == [])
    }

    @Test func aLogThatIsFilledCopiedAndCutBetweenLookAndReadingIsReadFromItsCopy() throws {
        let bench = try TailBench.started(lines(1...1))
        #expect(bench.turn() == texts(1...1))
        try bench.folder.copy("q.log", to: "q.log.1")
        try bench.folder.truncate()
        #expect(bench.turn() == [])
        let path = try #require(bench.tail.paths.first)
        try bench.folder.append(lines(2...8))
        try bench.folder.copy("q.log", to: "q.log.2")
        try bench.folder.truncate()
        try bench.folder.append(lines(9...9))
        var found: [String] = []
        var notes = TailNotes()
        var budget = 1 << 20
        _ = path.drain(ReadBuffer(lineLimit: 1 << 16), &notes, &budget, at: bench.now, [path]) { line, _ in
            found.append(String(decoding: line, as: UTF8.self))
        }
        #expect(found.sorted() == texts(2...9))
        #expect(bench.turn() == [])
    }

    @Test func aLogThatIsCopiedAndCutAndThenRenamedBetweenTwoLooksIsReadOnce() throws {
        let bench = try TailBench.started(lines(1...60))
        #expect(bench.turn() == texts(1...60))
        try bench.folder.append(lines(61...62))
        try bench.folder.copy("q.log", to: "q.log.1")
        try bench.folder.truncate()
        try bench.folder.append(lines(63...64))
        try bench.folder.move("q.log", to: "q.log-20261122")
        try bench.folder.append(lines(65...66))
        #expect(bench.turn().sorted() == texts(61...66))
        #expect(bench.idle(seconds: 8) == [])
        #expect(bench.losses == [])
    }
}
