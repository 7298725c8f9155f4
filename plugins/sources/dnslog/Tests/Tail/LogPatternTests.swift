import SondeDomain
import Testing

@testable import DNSLogPlugin

/// Paths with wildcards.
@Suite struct LogPatternTests {
    @Test func everyLogThatMatchesIsFollowedAndItsRotatedFilesAreNot() throws {
        let bench = try TailBench(["*.log*"])
        try bench.folder.append("a\n", to: "a.log")
        try bench.folder.append("a1\n", to: "a.log.1")
        try bench.folder.append("a2\n", to: "a.log.2.gz")
        try bench.folder.append("b\n", to: "b.log")
        try bench.folder.append("no\n", to: "c.txt")
        try bench.folder.append("no\n", to: ".d.log")
        bench.start()
        #expect(bench.turn().sorted() == ["a", "b"])
        try bench.folder.append("e\n", to: "e.log")
        try bench.folder.append("b 2\n", to: "b.log")
        #expect(bench.turn().sorted() == ["b 2", "e"])
    }

    @Test func aMatchIsRotatedAndNotReadTwice() throws {
        let bench = try TailBench(["*.log*"])
        try bench.folder.append(lines(1...2), to: "a.log")
        bench.start()
        #expect(bench.turn() == texts(1...2))
        try bench.folder.move("a.log", to: "a.log.1")
        #expect(bench.turn() == [])
        try bench.folder.append(lines(3...3), to: "a.log")
        #expect(bench.turn() == texts(3...3))
        #expect(bench.idle(seconds: 12) == [])
        #expect(bench.tail.openFiles == 1)
    }

    @Test func aMatchWhoseFileIsGoneIsForgotten() throws {
        let bench = try TailBench(["*.log"])
        try bench.folder.append(lines(1...2), to: "a.log")
        bench.start()
        _ = bench.turn()
        let id = bench.tail.paths[0].id
        try bench.folder.remove("a.log")
        #expect(bench.idle(seconds: 12) == [])
        #expect(bench.events.contains(.forgotten(id)))
        #expect(bench.tail.paths.isEmpty)
        try bench.folder.append(lines(3...3), to: "a.log")
        #expect(bench.turn() == texts(3...3))
        #expect(bench.tail.paths.map(\.id) != [id], "an id is never used again")
    }

    @Test func noMoreAreFollowedThanTheLimit() throws {
        let bench = try TailBench(["*.log"]) { $0.limits.paths = 3 }
        for number in 1...5 { try bench.folder.append(lines(number...number), to: "\(number).log") }
        bench.start()
        #expect(bench.turn() == texts(1...3))
        #expect(bench.events.filter { $0 == .tooManyPaths(limit: 3) }.count == 1)
    }

    @Test func aMatchOfAPatternThatWasFollowedBeforeIsReadFromItsBeginningAfterAStop() throws {
        let bench = try TailBench(["*.log"], start: .end)
        try bench.folder.append(lines(1...2), to: "a.log")
        bench.start()
        #expect(bench.turn() == [])
        bench.commit()
        try bench.restart { try bench.folder.append(lines(3...4), to: "b.log") }
        #expect(bench.turn() == texts(3...4))
    }

    @Test(arguments: [
        ("q.log.1", true), ("q.log.12", true), ("q.log-20260102", true), ("q.log.2026-01-02T03:04:05", true),
        ("q.log.old", true), ("q-20260102.log", true), ("q.1.log", true), ("q.log", false), ("q.log.err", false),
        ("q.log-slow", false), ("q.log.1.gz", false), ("q.logx", false), ("r.log.1", false), ("q.log.", false),
        ("q-slow.log", false), ("q.log.1.zst", false), ("", false), ("q.log\u{FF11}", false),
    ])
    func aRotatedNameIsToldByItsNumberOrDate(_ name: String, _ isRotation: Bool) {
        #expect(RotatedName.isRotation(name, of: "q.log") == isRotation)
    }

    @Test func wildcardsStandInTheLastComponentOnly() {
        #expect(LogPattern.isUsable("/var/log/*.log"))
        #expect(!LogPattern.isUsable("/var/*/q.log"))
        #expect(!LogPattern.isPattern("/var/log/q.log"))
    }
}
