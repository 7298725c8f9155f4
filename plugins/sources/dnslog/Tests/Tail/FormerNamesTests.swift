import SondeDomain
import Testing

@testable import DNSLogPlugin

/// Names that come, go and come back: what the tail knew of them counts as long as it is true.
@Suite struct FormerNamesTests {
    @Test func aMatchThatComesBackIsNotReadFromWhereTheAgentWasWhenItStarted() throws {
        let bench = try TailBench.started(lines(1...5), ["*.log"])
        #expect(bench.turn() == texts(1...5))
        bench.commit()
        try bench.restart {}
        try bench.folder.append(lines(6...9))
        #expect(bench.turn() == texts(6...9))
        try bench.folder.move("q.log", to: "q.log.1")
        #expect(bench.idle(seconds: 12) == [])
        #expect(bench.tail.paths.isEmpty)
        try bench.folder.append(lines(10...12))
        #expect(bench.turn() == texts(10...12))
        #expect(bench.losses == [])
    }

    @Test func aMatchThatWasRemovedAndComesBackIsNoLoss() throws {
        let bench = try TailBench.started(lines(1...5), ["*.log"])
        _ = bench.turn()
        bench.commit()
        try bench.restart {}
        #expect(bench.turn() == [])
        try bench.folder.remove()
        #expect(bench.idle(seconds: 12) == [])
        try bench.folder.append(lines(6...8))
        #expect(bench.turn() == texts(6...8))
        #expect(bench.losses == [])
    }

    @Test func aRotatedFileThatTheWildcardMatchesIsNotReadOnceItsLogIsForgotten() throws {
        let bench = try TailBench.started(lines(1...5), ["*.log"])
        #expect(bench.turn() == texts(1...5))
        try bench.folder.move("q.log", to: "q-20261123.log")
        #expect(bench.idle(seconds: 30) == [])
        try bench.folder.append(lines(6...6), to: "q-20261123.log")
        #expect(bench.idle(seconds: 2) == texts(6...6))
        #expect(bench.losses == [])
    }

    @Test(arguments: ["*.log", "q.log"])
    func aLogThatCameAndWasRotatedWhileDownIsReadWhole(_ path: String) throws {
        let bench = try TailBench([path])
        // Older than the agent: never read.
        try bench.folder.append(lines(90...99, "old"), to: "q.log.7")
        try bench.folder.setModified("q.log.7", -10)
        bench.useWallClock()
        bench.start()
        #expect(bench.turn() == [])
        bench.commit()
        bench.kill()
        try bench.folder.append(lines(1...5))
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.setModified("q.log.1", 5)
        try bench.folder.append(lines(6...8))
        bench.start()
        #expect(bench.turn() == texts(1...8))
        #expect(bench.losses == [])
    }

    @Test func anEmptyMatchThatIsGoneAfterADownTimeMayHaveBeenFilled() throws {
        let bench = try TailBench.started("", ["*.log"])
        _ = bench.turn()
        bench.commit()
        try bench.restart {
            try bench.folder.append(lines(1...5))
            try bench.folder.remove()
        }
        #expect(bench.turn() == [])
        #expect(bench.losses == [.rotatedAway])
    }

    @Test func anEmptyLogThatWasWrittenToWhileDownAndIsEmptyAgainMayHaveBeenFilled() throws {
        let bench = try TailBench.started("")
        _ = bench.turn()
        bench.commit()
        try bench.restart {
            try bench.folder.append(lines(1...5))
            try bench.folder.truncate()
            try bench.folder.setModified("q.log", 5)
        }
        #expect(bench.turn() == [])
        #expect(bench.losses == [.rotatedAway])
    }

    @Test func anEmptyLogWithTheInodeOfAnEmptyOneThatWasRotatedAndRemovedIsNoLoss() throws {
        let bench = try TailBench.started("")
        _ = bench.turn()
        let inode = try #require(bench.folder.inode("q.log"))
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append(lines(1...3))
        #expect(bench.turn() == texts(1...3))
        bench.commit()
        bench.kill()
        try bench.folder.remove("q.log.1")
        try bench.folder.move("q.log", to: "q.log.1")
        // ext4 hands the number out again at once; where it is another one, this is any new file.
        try bench.folder.append("")
        if bench.folder.inode("q.log") == inode { try bench.folder.setModified("q.log", 5) }
        bench.start()
        #expect(bench.turn() == [])
        #expect(bench.losses == [])
    }

    @Test func anEmptyLogThatNobodyTouchedWhileDownIsNoLoss() throws {
        let bench = try TailBench.started("")
        _ = bench.turn()
        bench.commit()
        try bench.restart {}
        #expect(bench.turn() == [])
        #expect(bench.losses == [])
    }

    @Test(arguments: [0, 3])
    func theFormerTargetOfALinkThatWasFlippedWhileDownIsReadToItsEnd(_ more: Int) throws {
        let bench = try TailBench()
        try bench.folder.append(lines(1...5), to: "q.log.1")
        try bench.folder.link("q.log", to: "q.log.1")
        bench.start()
        #expect(bench.turn() == texts(1...5))
        bench.commit()
        let late = more == 0 ? [] : texts(6...5 + more)
        try bench.restart {
            if more > 0 { try bench.folder.append(lines(6...5 + more), to: "q.log.1") }
            try bench.folder.append(lines(20...23), to: "q.log.2")
            try bench.folder.link("q.log", to: "q.log.2")
        }
        #expect(bench.turn() == late + texts(20...23))
        #expect(bench.losses == [])
    }

    @Test(arguments: [false, true])
    func aTargetThatALinkLedToBetweenTwoLooksIsReadWhole(_ isDown: Bool) throws {
        let bench = try TailBench()
        try bench.folder.append(lines(1...5), to: "q.log.1")
        try bench.folder.link("q.log", to: "q.log.1")
        bench.start()
        #expect(bench.turn() == texts(1...5))
        bench.commit()
        if isDown { bench.kill() }
        for target in 2...3 {
            try bench.folder.append(lines(10 * target...10 * target + 2), to: "q.log.\(target)")
            try bench.folder.setModified("q.log.\(target)", target)
            try bench.folder.link("q.log", to: "q.log.\(target)")
        }
        if isDown { bench.start() }
        #expect(bench.turn() == texts(20...22) + texts(30...32))
        #expect(bench.idle(seconds: 10) == [])
    }
}
