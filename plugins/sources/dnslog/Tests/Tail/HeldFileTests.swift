import Glibc
import SondeDomain
import Testing

@testable import DNSLogPlugin

/// How long files are kept open that have lost their name.
@Suite struct HeldFileTests {
    @Test func anOldFileIsClosedWhenItHasBeenQuiet() throws {
        let bench = try TailBench.started(lines(1...2))
        _ = bench.turn()
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append(lines(3...3))
        #expect(bench.idle(seconds: 5) == texts(3...3))
        #expect(bench.tail.openFiles == 2)
        #expect(bench.idle(seconds: 2) == [])
        #expect(bench.tail.openFiles == 1)
    }

    @Test func anOldFileThatIsStillWrittenToStaysOpen() throws {
        let bench = try TailBench.started(lines(1...1))
        _ = bench.turn()
        try bench.folder.move("q.log", to: "q.log.1")
        for number in 2...40 {
            try bench.folder.append(lines(number...number), to: "q.log.1")
            #expect(bench.turn(after: .seconds(3)) == texts(number...number))
        }
        #expect(bench.idle(seconds: 8) == [])
        #expect(bench.tail.openFiles == 0)
    }

    @Test func aClosedFileThatWasWrittenToLateIsReadAtTheNextRotation() throws {
        let bench = try TailBench.started(lines(1...1))
        _ = bench.turn()
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append(lines(5...5))
        #expect(bench.idle(seconds: 10) == texts(5...5))
        try bench.folder.append(lines(2...2), to: "q.log.1")
        #expect(bench.turn() == [])
        try bench.folder.move("q.log.1", to: "q.log.2")
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append(lines(6...6))
        #expect(bench.turn().sorted() == ["line 2", "line 6"])
    }

    @Test func theLastLineOfAClosedFileNeedsNoEnd() throws {
        let bench = try TailBench.started("one\ntwo")
        #expect(bench.turn() == ["one"])
        try bench.folder.move("q.log", to: "q.log.1")
        #expect(bench.idle(seconds: 8) == ["two"])
        #expect(bench.tail.counts.unterminated == 1)
        bench.commit()
        try bench.restart {}
        #expect(bench.idle(seconds: 8) == [])
    }

    @Test func aDeletedFileIsReadToItsEndAndItsDiskFreed() throws {
        let bench = try TailBench.started(lines(1...1))
        _ = bench.turn()
        let writer = open(bench.folder.file("q.log"), O_WRONLY | O_APPEND)
        try bench.folder.remove()
        #expect(write(writer, "late\n", 5) == 5)
        #expect(bench.turn() == ["late"])
        #expect(bench.tail.openFiles == 1)
        #expect(bench.idle(seconds: 8) == [])
        #expect(bench.tail.openFiles == 0)
        close(writer)
        #expect(bench.losses == [])
    }

    @Test func aDeletedFileThatIsStillWrittenToIsGivenUpAtTheLimitAndThatIsALoss() throws {
        let bench = try TailBench.started(lines(1...1))
        _ = bench.turn()
        let writer = open(bench.folder.file("q.log"), O_WRONLY | O_APPEND)
        defer { close(writer) }
        try bench.folder.remove()
        for _ in 0..<59 {
            #expect(write(writer, "late\n", 5) == 5)
            #expect(bench.turn(after: .seconds(1)) == ["late"])
        }
        #expect(bench.losses == [])
        for _ in 0..<3 {
            #expect(write(writer, "late\n", 5) == 5)
            _ = bench.turn(after: .seconds(1))
        }
        #expect(bench.losses == [.deleted])
        #expect(bench.tail.openFiles == 0)
    }

    @Test func noMoreFilesAreHeldThanTheLimitAndNothingIsLostForIt() throws {
        let bench = try TailBench.started("") { $0.limits.heldFiles = 3 }
        var found: [String] = []
        for round in 1...12 {
            try bench.folder.append(lines(round...round))
            found += bench.turn(after: .milliseconds(10))
            try bench.folder.move("q.log", to: "q.log.\(round)")
        }
        found += bench.turn()
        #expect(found == texts(1...12))
        #expect(bench.tail.openFiles <= 3)
    }
}
