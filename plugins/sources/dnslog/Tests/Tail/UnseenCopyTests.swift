import Testing

@testable import DNSLogPlugin

/// Copies of a log beside it: what is in two files is read once.
@Suite struct UnseenCopyTests {
    @Test func aCopyOfAFileThatIsRenamedNextIsNotReadBesideIt() throws {
        let bench = try TailBench.started(lines(1...5))
        #expect(bench.turn() == texts(1...5))
        try bench.folder.copy("q.log", to: "q.log-1")
        try bench.folder.move("q.log", to: "q.log-2")
        try bench.folder.append(lines(6...8))
        #expect(bench.turn() == texts(6...8))
        #expect(bench.idle(seconds: 10) == [])
        // The renamed file is closed by now.
        try bench.folder.move("q.log", to: "q.log-3")
        try bench.folder.append(lines(9...9))
        try bench.folder.setModified("q.log-1", 5)
        #expect(bench.turn() == texts(9...9))
        #expect(bench.losses == [])
    }

    @Test func aCopyOfTheLogBesideTheOneThatWasRenamedWhileDownIsNotReadBesideIt() throws {
        let bench = try TailBench.started(lines(1...5))
        _ = bench.turn()
        bench.commit()
        try bench.restart {
            try bench.folder.move("q.log", to: "q.log.2")
            try bench.folder.append(lines(6...12))
            try bench.folder.copy("q.log", to: "q.log.1")
        }
        #expect(bench.turn() == texts(6...12))
        #expect(bench.losses == [])
    }

    @Test func aCopyOfTheLogBesideACopyThatWasCutWhileDownIsNotReadBesideIt() throws {
        let bench = try TailBench.started(lines(1...5))
        _ = bench.turn()
        bench.commit()
        try bench.restart {
            try bench.folder.copy("q.log", to: "q.log.2")
            try bench.folder.truncate()
            try bench.folder.append(lines(6...12))
            try bench.folder.copy("q.log", to: "q.log.1")
        }
        #expect(bench.turn() == texts(6...12))
        #expect(bench.losses == [])
    }

    @Test func ofTwoCopiesThatWereMadeWhileDownTheLongerOneIsRead() throws {
        let bench = try TailBench.started(lines(1...5))
        _ = bench.turn()
        bench.commit()
        try bench.restart {
            try bench.folder.append(lines(6...7))
            try bench.folder.copy("q.log", to: "q.log.2")
            try bench.folder.append(lines(8...9))
            try bench.folder.copy("q.log", to: "q.log.1")
            try bench.folder.truncate()
            try bench.folder.append(lines(10...10))
        }
        #expect(bench.turn() == texts(6...10))
        #expect(bench.losses == [])
    }

    @Test func anEmptyFileThatACopyWasWrittenOverWhileDownIsReadAsTheCopy() throws {
        let bench = try TailBench.started("")
        _ = bench.turn()
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.append(lines(1...4))
        #expect(bench.turn() == texts(1...4))
        bench.commit()
        try bench.restart {
            // In place, as cp does: the file keeps its inode.
            try bench.folder.append(lines(1...6), to: "q.log.1")
            try bench.folder.truncate()
        }
        #expect(bench.turn() == texts(5...6))
        #expect(bench.losses == [])
    }

    @Test func anUnreadLogThatWasCopiedCutAndRenamedBetweenTwoLooksIsReadWhole() throws {
        let bench = try TailBench.started("")
        #expect(bench.turn() == [])
        try bench.folder.append(lines(1...5))
        try bench.folder.copy("q.log", to: "q.log.2")
        try bench.folder.truncate()
        try bench.folder.append(lines(6...8))
        try bench.folder.move("q.log", to: "q.log.1")
        try bench.folder.setModified("q.log.1", 5)
        try bench.folder.append(lines(9...10))
        #expect(bench.turn() == texts(1...10))
        #expect(bench.losses == [])
    }

    @Test(arguments: [
        ("a\n", "a\nb\n", true), ("a\nb\n", "a\nb\n", true), ("a\nb\n", "a\n", false), ("", "a\n", false),
    ])
    func aFileIsTheBeginningOfOneThatHasAllOfItAndMaybeMore(_ text: String, _ other: String, _ isBeginning: Bool) throws
    {
        let folder = try LogFolder()
        try folder.append(text, to: "one")
        try folder.append(other, to: "other")
        let files = try ["one", "other"].map { name in
            let log = try #require(try OpenedLog.open(folder.file(name), .refuse))
            return try #require(FollowedFile(log, lineLimit: 100))
        }
        #expect(files[0].isBeginning(of: files[1].descriptor) == isBeginning)
    }
}
