import Glibc
import SondeDomain
import SondePluginKit
import Testing

@testable import DNSLogPlugin

/// The agent was down, and comes back with what it had committed.
@Suite struct ResumeTests {
    @Test func reappearsWhereTheCheckpointSays() throws {
        let bench = try TailBench.started(lines(1...3))
        #expect(bench.turn() == texts(1...3))
        bench.commit()
        try bench.restart { try bench.folder.append(lines(4...5)) }
        #expect(bench.turn() == texts(4...5))
        #expect(bench.losses == [])
    }

    @Test func whatWasReadAfterTheLastCommitIsReadAgain() throws {
        let bench = try TailBench.started(lines(1...3))
        #expect(bench.turn() == texts(1...3))
        bench.commit()
        try bench.folder.append(lines(4...5))
        #expect(bench.turn() == texts(4...5))
        try bench.restart { try bench.folder.append(lines(6...6)) }
        #expect(bench.turn() == texts(4...6))
    }

    @Test func aCheckpointHoldsBeforeStartAtTheEnd() throws {
        let bench = try TailBench.started("", start: .end)
        #expect(bench.turn() == [])
        bench.commit()
        try bench.restart { try bench.folder.append(lines(1...2)) }
        #expect(bench.turn() == texts(1...2))
    }

    @Test func aLineUnderWayAtTheCommitIsWholeAfterwards() throws {
        let bench = try TailBench.started("one\nhalf of")
        #expect(bench.turn() == ["one"])
        bench.commit()
        try bench.restart { try bench.folder.append(" two\n") }
        #expect(bench.turn() == ["half of two"])
    }

    @Test func aLineThatIsBeingSkippedIsSkippedToItsEnd() throws {
        let bench = try TailBench.started(String(repeating: "x", count: 100_000))
        #expect(bench.turn() == [])
        #expect(bench.tail.counts.tooLong == 1)
        bench.commit()
        try bench.restart { try bench.folder.append("xxx\nafter\n") }
        #expect(bench.turn() == ["after"])
    }

    @Test func fiveRotationsWhileDownLoseNothingThatIsStillThere() throws {
        let bench = try TailBench.started(lines(1...3))
        #expect(bench.turn() == texts(1...3))
        bench.commit()
        try bench.restart {
            try bench.folder.append(lines(4...5))
            try bench.folder.setModified("q.log", 10)
            for round in 1...5 {
                for number in stride(from: round, to: 1, by: -1) {
                    try bench.folder.move("q.log.\(number - 1)", to: "q.log.\(number)")
                }
                try bench.folder.move("q.log", to: "q.log.1")
                try bench.folder.append(lines(10 * round...10 * round + 1))
                try bench.folder.setModified("q.log", 10 + round)
            }
        }
        #expect(bench.turn() == texts(4...5) + (1...5).flatMap { texts(10 * $0...10 * $0 + 1) })
        #expect(bench.losses == [])
        #expect(bench.idle(seconds: 10) == [])
        #expect(bench.tail.openFiles == 1)
    }

    @Test func whatWasRotatedAwayOrCompressedIsALoss() throws {
        let bench = try TailBench.started(lines(1...3))
        #expect(bench.turn() == texts(1...3))
        bench.commit()
        try bench.restart {
            try bench.folder.move("q.log", to: "q.log.2.gz")
            try bench.folder.append(lines(20...21), to: "q.log.1")
            try bench.folder.append(lines(30...31))
        }
        #expect(bench.turn() == texts(20...21) + texts(30...31))
        #expect(bench.losses == [.rotatedAway])
        let loss = bench.events.compactMap { if case .lost(_, let loss) = $0 { loss } else { nil } }.first
        #expect(loss?.from == Timestamp(nanoseconds: 1_767_300_000_200_000_000))
        #expect(loss?.to == Timestamp(nanoseconds: 1_767_300_060_200_000_000))
        #expect(loss?.bytes == nil)
    }

    @Test func dateNamesAndNamesInFrontOfTheEndingAreFound() throws {
        for name in ["q.log-20260102", "q.log.2026-01-02", "q-20260102.log", "q.1.log"] {
            let bench = try TailBench.started(lines(1...3))
            #expect(bench.turn() == texts(1...3))
            bench.commit()
            try bench.restart {
                try bench.folder.append(lines(4...4))
                try bench.folder.move("q.log", to: name)
                try bench.folder.append(lines(5...5))
            }
            #expect(bench.turn() == texts(4...5), "\(name)")
            #expect(bench.losses == [])
        }
    }

    @Test func aFileRotatedBeforeTheCheckpointIsNotReadAgain() throws {
        let bench = try TailBench.started(lines(1...3))
        _ = bench.turn()
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append(lines(4...4))
        #expect(bench.turn() == texts(4...4))
        #expect(bench.idle(seconds: 10) == [])
        bench.commit()
        try bench.restart {
            try bench.folder.move("q.log.1", to: "q.log.2")
            try bench.folder.move("q.log", to: "q.log.1")
            try bench.folder.append(lines(5...5))
        }
        #expect(bench.turn() == texts(5...5))
        #expect(bench.losses == [])
    }

    @Test func aFileHeldAtTheCheckpointIsReadToItsEnd() throws {
        let bench = try TailBench.started(lines(1...3))
        _ = bench.turn()
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append(lines(10...11))
        #expect(bench.turn() == texts(10...11))
        bench.commit()
        try bench.restart { try bench.folder.append(lines(4...5), to: "q.log.1") }
        #expect(bench.turn() == texts(4...5))
        #expect(bench.losses == [])
    }

    @Test func noFileUnderTheNameYetStillFindsTheOldOne() throws {
        let bench = try TailBench.started(lines(1...3))
        _ = bench.turn()
        bench.commit()
        try bench.restart {
            try bench.folder.append(lines(4...5))
            try bench.folder.move("q.log", to: "q.log.1")
        }
        #expect(bench.turn() == texts(4...5))
        try bench.folder.append(lines(6...6))
        #expect(bench.turn() == texts(6...6))
    }

    @Test func aReusedInodeIsANewFile() throws {
        let bench = try TailBench.started(lines(1...30))
        _ = bench.turn()
        bench.commit()
        let inode = try #require(bench.folder.inode("q.log"))
        bench.kill()
        // ext4 hands the number out again at once; tmpfs and btrfs never do, and then this is any new file.
        for attempt in 0..<50 {
            try bench.folder.remove()
            try bench.folder.append(lines(100...400))
            if bench.folder.inode("q.log") == inode { break }
            if attempt % 10 == 9 { try bench.folder.append("", to: "other\(attempt)") }
        }
        bench.start()
        #expect(bench.turn() == texts(100...400))
        #expect(bench.losses == [.rotatedAway])
    }

    @Test func aReusedInodeWithTheSameHeadIsANewFile() throws {
        let banner = String(repeating: "the same banner of every start of the resolver\n", count: 40)
        let bench = try TailBench.started(banner + lines(1...3))
        _ = bench.turn()
        bench.commit()
        let record = try #require(bench.tail.paths[0].current?.record)
        try bench.folder.append(banner + lines(500...600), to: "new")
        let descriptor = open(bench.folder.file("new"), O_RDONLY)
        defer { close(descriptor) }
        #expect(record.mayBe(record.identity))
        #expect(record.head.matches(descriptor, at: 0))
        #expect(!record.matches(descriptor))
    }

    @Test func anotherDeviceNumberAfterABootIsTheSameFile() throws {
        let bench = try TailBench.started(lines(1...3))
        _ = bench.turn()
        var checkpoint = try #require(TailCheckpoint(bench.tail.checkpoint(at: bench.now.wall)))
        let identity = try #require(checkpoint.entries[0].current?.identity)
        checkpoint.entries[0].current?.identity = FileIdentity(device: identity.device &+ 1, inode: identity.inode)
        bench.useCheckpoint(checkpoint.bytes())
        try bench.restart { try bench.folder.append(lines(4...4)) }
        #expect(bench.turn() == texts(4...4))
    }

    @Test func copiedAndCutWhileDownIsReadFromTheCopy() throws {
        let bench = try TailBench.started(lines(1...100))
        _ = bench.turn()
        bench.commit()
        try bench.restart {
            try bench.folder.append(lines(101...110))
            try bench.folder.copy("q.log", to: "q.log.1")
            try bench.folder.truncate()
            try bench.folder.append(lines(111...500))
        }
        #expect(bench.turn() == texts(101...500))
        #expect(bench.losses == [])
    }

    @Test func cutShortWhileDownIsALoss() throws {
        let bench = try TailBench.started(lines(1...100))
        _ = bench.turn()
        bench.commit()
        try bench.restart {
            try bench.folder.truncate()
            try bench.folder.append(lines(200...201))
        }
        #expect(bench.turn() == texts(200...201))
        #expect(bench.losses == [.rotatedAway])
    }

    @Test func aFileRenamedToAnotherFollowedNameWhileDownGoesOnThere() throws {
        let bench = try TailBench(["*.log"])
        try bench.folder.append(lines(1...3), to: "a.log")
        bench.start()
        _ = bench.turn()
        bench.commit()
        try bench.restart {
            try bench.folder.move("a.log", to: "b.log")
            try bench.folder.append(lines(4...4), to: "b.log")
            try bench.folder.append(lines(7...8, "new"), to: "c.log")
        }
        #expect(bench.turn() == texts(4...4) + texts(7...8, "new"))
        #expect(bench.losses == [])
    }

    @Test func aDamagedCheckpointIsSaidAndCountedAsALoss() throws {
        let bench = try TailBench.started(lines(1...3), start: .end)
        _ = bench.turn()
        bench.useCheckpoint([1, 2, 3])
        try bench.restart { try bench.folder.append(lines(4...5)) }
        #expect(bench.turn() == [])
        #expect(bench.events.contains(.checkpointUnreadable))
        #expect(bench.losses == [.checkpoint])
        try bench.folder.append(lines(6...6))
        #expect(bench.turn() == texts(6...6))
    }

    @Test(arguments: ["q.log.1", "q.log-20261122", "q-20261122.log"])
    func aMatchOfAWildcardThatWasRotatedAndNotMadeAnewIsReadToItsEnd(_ rotated: String) throws {
        let bench = try TailBench.started(lines(1...20), ["q*.log"])
        #expect(bench.turn().count == 20)
        bench.commit()
        try bench.restart {
            try bench.folder.append(lines(21...30))
            try bench.folder.move("q.log", to: rotated)
        }
        #expect(bench.turn() == texts(21...30))
        bench.commit()
        try bench.restart { try bench.folder.append(lines(31...35)) }
        #expect(bench.turn() == texts(31...35))
        #expect(bench.losses == [])
    }

    @Test func aMatchOfAWildcardThatIsGoneIsALoss() throws {
        let bench = try TailBench.started(lines(1...20), ["q*.log"])
        _ = bench.turn()
        bench.commit()
        try bench.restart { try bench.folder.remove() }
        #expect(bench.turn() == [])
        #expect(bench.losses == [.rotatedAway])
    }

    @Test func aFileThatGotItsNameBackWhileTheAgentWasDownGoesOn() throws {
        let bench = try TailBench.started(lines(1...20))
        _ = bench.turn()
        try bench.folder.move("q.log", to: "q.log.1")
        #expect(bench.idle(seconds: 2) == [])
        bench.commit()
        try bench.restart {
            try bench.folder.move("q.log.1", to: "q.log")
            try bench.folder.append(lines(21...22))
        }
        #expect(bench.turn() == texts(21...22))
        #expect(bench.losses == [])
    }

    @Test func aFileThatWasRenamedOverAnotherFollowedOneGoesOn() throws {
        let bench = try TailBench(["q*"])
        try bench.folder.append(lines(1...20), to: "q.log")
        try bench.folder.append(lines(1...5, "old"), to: "q-old.log")
        bench.start()
        #expect(bench.turn().count == 25)
        bench.commit()
        try bench.restart {
            try bench.folder.move("q.log", to: "q-old.log")
            try bench.folder.append(lines(21...22), to: "q.log")
        }
        #expect(bench.turn().sorted() == texts(21...22))
    }

    @Test func aCopyOfAnUnreadLogThatIsNotCutYetIsNotReadBesideIt() throws {
        let bench = try TailBench.started(lines(1...5))
        _ = bench.turn()
        try bench.folder.copy("q.log", to: "q.log.2")
        try bench.folder.truncate()
        #expect(bench.turn() == [])
        bench.commit()
        bench.kill()
        try bench.folder.append(lines(6...90))
        try bench.folder.copy("q.log", to: "q.log.1")
        bench.advance(.seconds(60))
        bench.start()
        try bench.folder.truncate()
        #expect(bench.turn() == texts(6...90))
        #expect(bench.idle(seconds: 8) == [])
    }

    @Test func aLogOfWhichNothingWasReadAndThatIsGoneMayHaveBeenFilled() throws {
        let bench = try TailBench.started("")
        #expect(bench.turn() == [])
        bench.commit()
        try bench.restart {
            // Another inode than that of the file that is gone.
            try bench.folder.append(lines(1...5), to: "new")
            try bench.folder.move("new", to: "q.log")
        }
        #expect(bench.turn() == texts(1...5))
        #expect(bench.losses == [.rotatedAway])
    }

    @Test func aLogOfWhichNothingWasReadMayHaveBeenCopiedAndCutBeforeItWasRenamed() throws {
        let bench = try TailBench.started("")
        #expect(bench.turn() == [])
        bench.commit()
        try bench.restart {
            try bench.folder.append(lines(1...20))
            try bench.folder.copy("q.log", to: "q.log.1")
            try bench.folder.setModified("q.log.1", 10)
            try bench.folder.truncate()
            try bench.folder.append(lines(21...30))
            try bench.folder.move("q.log.1", to: "q.log.2")
            try bench.folder.move("q.log", to: "q.log.1")
            try bench.folder.setModified("q.log.1", 20)
            try bench.folder.append(lines(31...32))
        }
        #expect(bench.turn() == texts(1...32))
        #expect(bench.idle(seconds: 10) == [])
        #expect(bench.losses == [])
    }

    @Test func aFileThatWasMadeAndCompressedWhileDownBesideOneThatWasRenamedIsALoss() throws {
        let bench = try TailBench.started(lines(1...3))
        #expect(bench.turn() == texts(1...3))
        bench.commit()
        try bench.restart {
            try bench.folder.move("q.log", to: "q.log.2")
            try bench.folder.append("compressed", to: "q.log.1.gz")
            try bench.folder.append(lines(5...5))
        }
        #expect(bench.turn() == texts(5...5))
        #expect(bench.losses == [.rotatedAway])
    }

    @Test func aFileThatWasReadAndIsCompressedWhileDownIsNoLoss() throws {
        let bench = try TailBench.started(lines(1...3))
        _ = bench.turn()
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append("")
        // The resolver writes under the old name until it reopens the log.
        try bench.folder.append(lines(4...4), to: "q.log.1")
        #expect(bench.turn() == texts(4...4))
        #expect(bench.idle(seconds: 10) == [])
        bench.commit()
        try bench.restart {
            try bench.folder.move("q.log.1", to: "q.log.1.gz")
            try bench.folder.append(lines(5...5))
        }
        #expect(bench.turn() == texts(5...5))
        #expect(bench.losses == [])
    }
}
