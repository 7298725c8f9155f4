import SondeDomain
import Testing

@testable import DNSLogPlugin

/// Rotation by renaming, while the tail runs.
@Suite struct LogRotationTests {
    @Test func whatIsWrittenToTheOldFileAfterTheRenameIsRead() throws {
        let bench = try TailBench.started(lines(1...2))
        #expect(bench.turn() == texts(1...2))
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append(lines(3...3), to: "q.log.1")
        #expect(bench.turn() == texts(3...3))
        try bench.folder.append(lines(5...5))
        try bench.folder.append(lines(4...4), to: "q.log.1")
        #expect(bench.turn() == texts(4...5), "the old file comes first")
        #expect(bench.losses == [])
        #expect(bench.tail.counts.rotations == 1)
    }

    @Test func aLineThatIsRenamedInItsMiddleIsOneWholeLine() throws {
        let bench = try TailBench.started("half of ")
        #expect(bench.turn() == [])
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append("new\n")
        #expect(bench.turn() == ["new"])
        try bench.folder.append("the line\n", to: "q.log.1")
        #expect(bench.turn() == ["half of the line"])
    }

    @Test func manyRotationsBetweenTwoLooksLoseNothing() throws {
        let bench = try TailBench.started(lines(1...2))
        #expect(bench.turn() == texts(1...2))
        for round in 1...5 {
            for number in stride(from: round, to: 1, by: -1) {
                try bench.folder.move("q.log.\(number - 1)", to: "q.log.\(number)")
            }
            try bench.folder.move("q.log", to: "q.log.1")
            try bench.folder.append(lines(10 * round...10 * round + 1))
        }
        let expected = (1...5).flatMap { texts(10 * $0...10 * $0 + 1) }
        // Files written within one tick of the kernel's clock may come in any order.
        #expect(bench.turn().sorted() == expected.sorted())
        #expect(bench.turn() == [])
        #expect(bench.losses == [])
    }

    @Test func rotatedFilesThatWereThereBeforeAreNotRead() throws {
        let bench = try TailBench()
        try bench.folder.append(lines(1...1), to: "q.log.2")
        try bench.folder.append(lines(2...2), to: "q.log.1")
        try bench.folder.append(lines(3...3))
        bench.start()
        #expect(bench.turn() == texts(3...3))
        try bench.folder.move("q.log.2", to: "q.log.3")
        try bench.folder.move("q.log.1", to: "q.log.2")
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append(lines(4...4))
        #expect(bench.turn() == texts(4...4))
    }

    @Test func compressedFilesAndOtherLogsAreNotTakenForRotatedOnes() throws {
        let bench = try TailBench.started(lines(1...1))
        #expect(bench.turn() == texts(1...1))
        try bench.folder.append("compressed\n", to: "q.log.2.gz")
        try bench.folder.append("errors\n", to: "q.log.err")
        try bench.folder.append("another\n", to: "q.log-slow")
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append(lines(2...2))
        #expect(bench.turn() == texts(2...2))
    }

    @Test func aFileThatGetsItsNameBackGoesOn() throws {
        let bench = try TailBench.started(lines(1...1))
        #expect(bench.turn() == texts(1...1))
        try bench.folder.move("q.log", to: "aside")
        #expect(bench.turn() == [])
        try bench.folder.append(lines(2...2), to: "aside")
        try bench.folder.move("aside", to: "q.log")
        try bench.folder.append(lines(3...3))
        #expect(bench.turn() == texts(2...3))
    }

    @Test func aFileThatGetsItsNameBackAfterItWasClosedGoesOn() throws {
        let bench = try TailBench.started(lines(1...1))
        #expect(bench.turn() == texts(1...1))
        try bench.folder.move("q.log", to: "aside")
        #expect(bench.idle(seconds: 10) == [])
        #expect(bench.tail.openFiles == 0)
        try bench.folder.append(lines(2...2), to: "aside")
        try bench.folder.move("aside", to: "q.log")
        #expect(bench.turn() == texts(2...2))
    }

    @Test func aFileThatWasDeletedAndMadeAnewIsReadFromItsBeginning() throws {
        let bench = try TailBench.started(lines(1...100))
        #expect(bench.turn().count == 100)
        try bench.folder.remove()
        try bench.folder.append(lines(101...300))
        #expect(bench.turn() == texts(101...300))
        #expect(bench.losses == [])
    }

    @Test func aLinkThatFlipsLeadsToTheNextFile() throws {
        let bench = try TailBench()
        try bench.folder.append(lines(1...2), to: "day1")
        try bench.folder.link("q.log", to: "day1")
        bench.start()
        #expect(bench.turn() == texts(1...2))
        try bench.folder.append(lines(3...3), to: "day1")
        try bench.folder.append(lines(4...4), to: "day2")
        try bench.folder.link("q.log", to: bench.folder.file("day2"))
        #expect(bench.turn() == texts(3...4))
    }

    @Test func aRenameFromOneFollowedNameToAnotherIsNoNewFile() throws {
        let bench = try TailBench(["*.log"])
        try bench.folder.append(lines(1...2), to: "a.log")
        bench.start()
        #expect(bench.turn() == texts(1...2))
        try bench.folder.move("a.log", to: "b.log")
        try bench.folder.append(lines(3...3), to: "b.log")
        #expect(bench.turn() + bench.turn() == texts(3...3))
    }
}
