import Glibc
import SondeDomain
import Testing

@testable import DNSLogPlugin

/// FIFOs and standard input.
@Suite struct PipeInputTests {
    /// Both ends of a pipe, closed with it.
    private final class Ends {
        let read: Int32
        private(set) var write: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw LogFolder.failure }
            (read, write) = (ends[0], ends[1])
        }

        deinit {
            close(read)
            hangUp()
        }

        func send(_ text: String) {
            #expect(Glibc.write(write, text, text.utf8.count) == text.utf8.count)
        }

        func hangUp() {
            if write >= 0 { close(write) }
            write = -1
        }
    }

    @Test func standardInputIsReadUntilItsEnd() throws {
        let ends = try Ends()
        let bench = try TailBench(["-"], standardInput: ends.read)
        bench.start()
        #expect(bench.turn() == [])
        ends.send("one\ntw")
        #expect(bench.turn() == ["one"])
        ends.send("o\nthree")
        #expect(bench.turn() == ["two"])
        ends.hangUp()
        #expect(bench.turn() == ["three"])
        #expect(bench.turn() == [])
        #expect(bench.events == [.ended(path: "-")])
        #expect(fcntl(ends.read, F_GETFD) >= 0, "the descriptor is not ours to close")
    }

    @Test func aLineLongerThanTheLimitIsSkipped() throws {
        let ends = try Ends()
        let bench = try TailBench(["-"], standardInput: ends.read)
        bench.start()
        for _ in 0..<100 {
            ends.send(String(repeating: "x", count: 10_000))
            #expect(bench.turn() == [])
        }
        ends.send("\nafter\n")
        #expect(bench.turn() == ["after"])
        #expect(bench.tail.counts.tooLong == 1)
    }

    @Test func aFIFOIsOpenedWithoutWaitingAndReadThroughManyWriters() throws {
        let bench = try TailBench()
        #expect(mkfifo(bench.folder.file("q.log"), 0o600) == 0)
        bench.start()
        #expect(bench.turn() == [])
        for round in 1...3 {
            let writer = open(bench.folder.file("q.log"), O_WRONLY | O_NONBLOCK)
            #expect(writer >= 0)
            #expect(write(writer, "line \(round)\nrest \(round)", 13) == 13)
            #expect(bench.turn() == ["line \(round)"])
            close(writer)
            #expect(bench.turn() == ["rest \(round)"])
        }
        #expect(bench.tail.counts.unterminated == 3)
    }

    @Test func aFIFOThatIsReplacedByAFileGivesWay() throws {
        let bench = try TailBench()
        #expect(mkfifo(bench.folder.file("q.log"), 0o600) == 0)
        bench.start()
        #expect(bench.turn() == [])
        try bench.folder.remove()
        try bench.folder.append(lines(1...2))
        #expect(bench.turn() == texts(1...2))
    }

    @Test func aWildcardMatchesNoFIFO() throws {
        let bench = try TailBench(["*.log"])
        #expect(mkfifo(bench.folder.file("q.log"), 0o600) == 0)
        bench.start()
        #expect(bench.turn() == [])
        #expect(bench.refusals == [.pipe])
    }

    @Test func aTailWithNothingButAPipeHasACheckpointAllTheSame() throws {
        let ends = try Ends()
        let bench = try TailBench(["-"], standardInput: ends.read)
        bench.start()
        ends.send("one\n")
        #expect(bench.turn() == ["one"])
        bench.commit()
        try bench.restart {}
        ends.send("two\n")
        #expect(bench.turn() == ["two"])
        #expect(bench.losses == [])
    }
}
