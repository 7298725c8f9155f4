import SondeDomain
import Testing

@testable import DNSLogPlugin

/// One file that grows.
@Suite struct FollowingTests {
    @Test func whatIsAppendedIsHandedOnOnce() throws {
        let bench = try TailBench.started(lines(1...3))
        #expect(bench.turn() == texts(1...3))
        #expect(bench.turn() == [])
        try bench.folder.append(lines(4...5))
        #expect(bench.turn() == texts(4...5))
        #expect(bench.tail.counts.lines == 5)
    }

    @Test func aLineIsHandedOnWhenItsEndHasCome() throws {
        let bench = try TailBench.started("half a ")
        #expect(bench.turn() == [])
        try bench.folder.append("line")
        #expect(bench.turn() == [])
        try bench.folder.append("\nnext")
        #expect(bench.turn() == ["half a line"])
    }

    @Test func startAtTheEndLeavesOutWhatIsThere() throws {
        let bench = try TailBench.started(lines(1...3), start: .end)
        let size = Int64(lines(1...3).utf8.count)
        #expect(bench.events == [.opened(path: bench.folder.file("q.log"), offset: size)])
        #expect(bench.turn() == [])
        try bench.folder.append(lines(4...4))
        #expect(bench.turn() == texts(4...4))
    }

    @Test func startAtTheEndInTheMiddleOfALineLeavesOutItsRest() throws {
        let bench = try TailBench.started("first half, ", start: .end)
        #expect(bench.turn() == [])
        try bench.folder.append("second half\nwhole\n")
        #expect(bench.turn() == ["whole"])
        #expect(bench.tail.counts.tooLong == 0)
    }

    @Test func aFileThatComesLaterIsReadFromItsBeginning() throws {
        let bench = try TailBench.started(start: .end)
        #expect(bench.turn() == [])
        #expect(bench.events == [.missing(path: bench.folder.file("q.log"))])
        try bench.folder.append(lines(1...2))
        #expect(bench.turn() == texts(1...2))
    }

    @Test func carriageReturnsByteOrderMarkAndEmptyLines() throws {
        let bench = try TailBench.started("\u{FEFF}a\r\nb\r\r\n\r\n\nc\rd\n")
        #expect(bench.turn() == ["a", "b\r", "", "", "c\rd"])
    }

    @Test func aByteOrderMarkIsOneOnlyAtTheBeginning() throws {
        let bench = try TailBench.started("a\n\u{FEFF}b\n")
        #expect(bench.turn() == ["a", "\u{FEFF}b"])
    }

    @Test func bytesThatAreNoTextAreHandedOnAsTheyAre() throws {
        let bench = try TailBench()
        try bench.folder.append([0x61, 0x00, 0x62, 0xff, 0xc3, 0x28, 0x0a, 0x63, 0x0a])
        bench.start()
        var found: [[UInt8]] = []
        bench.tail.readLines(at: bench.now) { line, _ in found.append(Array(line)) }
        #expect(found == [[0x61, 0x00, 0x62, 0xff, 0xc3, 0x28], [0x63]])
    }

    @Test func aLineOfTheLimitIsHandedOnAndALongerOneSkipped() throws {
        let limit = TailLimits().lineLength
        let bench = try TailBench.started()
        for length in [limit, limit + 1, limit + 2] {
            try bench.folder.append(String(repeating: "x", count: length) + "\nafter \(length)\n")
        }
        #expect(bench.turn().map(\.utf8.count) == [limit, 11, 11, 11])
        #expect(bench.tail.counts.tooLong == 2)
    }

    @Test(arguments: [1, 3, 70_000, 300_000])
    func tenMegabytesWithoutALineEndAreSkippedAndCountedOnce(_ step: Int) throws {
        let bench = try TailBench.started("before\n")
        var left = step < 100 ? 70_000 : 10 << 20
        var found = bench.turn()
        // Steps of a few bytes around the limit, where a line under way becomes one that is skipped.
        if step < 100 {
            try bench.folder.append(String(repeating: "x", count: 65_530))
            left -= 65_530
        }
        while left > 0 {
            try bench.folder.append(String(repeating: "x", count: min(step < 100 ? step * 50 : step, left)))
            left -= step < 100 ? step * 50 : step
            found += bench.turn()
        }
        try bench.folder.append("\nafter\n")
        found += bench.turn()
        #expect(found == ["before", "after"])
        #expect(bench.tail.counts.tooLong == 1)
    }

    @Test func twoFilesWithTheSameBytesAreBothRead() throws {
        let bench = try TailBench(["a.log", "b.log"])
        let text = lines(1...500)
        try bench.folder.append(text, to: "a.log")
        try bench.folder.append(text, to: "b.log")
        bench.start()
        #expect(bench.turn() == texts(1...500) + texts(1...500))
    }

    @Test func aFileUnderTwoNamesIsReadOnce() throws {
        let bench = try TailBench(["a.log", "b.log"])
        try bench.folder.append(lines(1...3), to: "a.log")
        try bench.folder.link("b.log", to: "a.log")
        bench.start()
        #expect(bench.turn() == texts(1...3))
        #expect(bench.refusals == [.duplicate])
        #expect(bench.turn() == [])
        #expect(bench.refusals == [.duplicate])
    }

    @Test func aTurnIsBoundedAndTheNextGoesOn() throws {
        let bench = try TailBench.started { $0.limits.bytesPerTurn = 1 << 20 }
        let text = lines(1...20_000, String(repeating: "y", count: 200))
        try bench.folder.append(text)
        var turns = 0
        var count = 0
        repeat {
            bench.tail.readLines(at: bench.now) { _, _ in count += 1 }
            turns += 1
        } while bench.tail.progress == .more
        #expect(count == 20_000)
        #expect(turns >= 4)
    }

    @Test func aNeighbourThatIsWrittenToWithoutEndKeepsNobodyWaiting() throws {
        let bench = try TailBench(["a.log", "b.log"]) { $0.limits.bytesPerTurn = 1 }
        try bench.folder.append(lines(1...100_000), to: "a.log")
        try bench.folder.append("b\n", to: "b.log")
        bench.start()
        var found: [String] = []
        for _ in 0..<2 {
            bench.tail.readLines(at: bench.now) { line, _ in
                if line.first == UInt8(ascii: "b") { found.append(String(decoding: line, as: UTF8.self)) }
            }
            #expect(bench.tail.progress == .more)
        }
        #expect(found == ["b"])
    }

    @Test func theCountsCanBeAskedForFromTheBody() throws {
        let bench = try TailBench.started(lines(1...3))
        var counts: [UInt64] = []
        bench.tail.readLines(at: bench.now) { _, id in
            counts.append(bench.tail.counts.lines)
            #expect(bench.tail.path(of: id) == bench.folder.file("q.log"))
        }
        #expect(counts == [0, 0, 0], "those of the turns before")
    }
}
