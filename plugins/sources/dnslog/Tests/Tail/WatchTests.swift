import Glibc
import SondeDomain
import Testing

@testable import DNSLogPlugin

/// Waiting for news, with the real kernel and real descriptors.
@Suite struct WatchTests {
    private func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    @Test func theKernelTellsOfLinesAndNames() throws {
        let bench = try TailBench.started(lines(1...1))
        _ = bench.turn()
        #expect(!isReadable(bench.tail.watch.descriptor))
        let changes: [() throws -> Void] = [
            { try bench.folder.append(lines(2...2)) },
            { try bench.folder.move("q.log", to: "q.log.1") },
            { try bench.folder.append(lines(3...3), to: "q.log.1") },
            { try bench.folder.append(lines(4...4)) },
            { try bench.folder.truncate() },
            { try bench.folder.remove() },
        ]
        for change in changes {
            try change()
            #expect(isReadable(bench.tail.watch.descriptor))
            _ = bench.turn()
            #expect(!isReadable(bench.tail.watch.descriptor))
        }
    }

    @Test func nothingIsOpenedBeforeTheStart() throws {
        let bench = try TailBench()
        #expect(bench.tail.watch.descriptor == -1)
        bench.start()
        #expect(bench.tail.watch.descriptor >= 0)
        #expect(!bench.events.contains { if case .polling = $0 { true } else { false } })
    }

    @Test func aWaitEndsAtOnceWhenItIsCancelled() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let bench = try TailBench.started(lines(1...1))
        _ = bench.turn()
        close(ends[1])
        #expect(bench.tail.wait(ends[0], until: .distantFuture, at: bench.now.monotonic) == .cancelled)
    }

    @Test func aWaitEndsWhenThereIsNews() throws {
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let bench = try TailBench.started(lines(1...1)) { $0.limits.rescanPeriod = .seconds(100_000) }
        _ = bench.turn()
        try bench.folder.append(lines(2...2))
        #expect(bench.tail.wait(ends[0], until: .distantFuture, at: bench.now.monotonic) == .ready)
        #expect(bench.turn() == texts(2...2))
    }

    @Test func aWaitDoesNotWaitWhileThereIsMore() throws {
        let bench = try TailBench.started { $0.limits.bytesPerTurn = 1 }
        try bench.folder.append(lines(1...100_000))
        bench.tail.readLines(at: bench.now) { _, _ in }
        #expect(bench.tail.progress == .more)
        #expect(bench.tail.wait(-1, until: .distantFuture, at: bench.now.monotonic) == .ready)
    }

    @Test func aFolderThatIsMadeAnewIsWatchedAgain() throws {
        let bench = try TailBench(["logs/q.log"])
        bench.start()
        #expect(bench.turn() == [])
        mkdir(bench.folder.file("logs"), 0o755)
        try bench.folder.append(lines(1...1), to: "logs/q.log")
        #expect(bench.turn() == texts(1...1), "the name is looked at in every turn")
        _ = bench.turn(after: .seconds(20))
        try bench.folder.append(lines(2...2), to: "logs/q.log")
        #expect(isReadable(bench.tail.watch.descriptor))
    }

    @Test func watchesAreGivenBack() throws {
        let bench = try TailBench.started(lines(1...1))
        _ = bench.turn()
        for round in 1...5 {
            try bench.folder.move("q.log", to: "q.log.\(round)")
            try bench.folder.append(lines(2...2))
            _ = bench.idle(seconds: 8)
        }
        #expect(try watches(of: bench.tail.watch.descriptor) == 2, "the folder and the one open file")
    }

    @Test func withoutTheKernelsHelpItIsSaidOnceAndTheFilesAreLookedAtAgainAndAgain() throws {
        let folder = try LogFolder()
        let watch = FileWatch {
            errno = EMFILE
            return -1
        }
        let tail = LogTail(TailSettings(paths: [folder.file("q.log")], start: .beginning), watch: watch)
        var now = TailInstant(monotonic: MonotonicInstant(nanoseconds: 0), wall: Timestamp(seconds: 0))
        tail.start(nil, at: now)
        var count = 0
        for round in 1...5 {
            try folder.append(lines(1...2))
            now.monotonic = now.monotonic.advanced(by: .seconds(1))
            tail.readLines(at: now) { _, _ in count += 1 }
            #expect(count == 2 * round)
            if round % 2 == 0 { try folder.move("q.log", to: "q.log.\(round)") }
        }
        #expect(tail.scanPeriod == TailLimits().pollPeriod)
        #expect(tail.takeEvents().filter { $0 == .polling(errno: EMFILE) }.count == 1)
        #expect(tail.wait(-1, until: MonotonicInstant(nanoseconds: 1), at: MonotonicInstant(nanoseconds: 0)) == .ready)
    }

    /// How many watches an inotify descriptor has (proc(5)).
    private func watches(of descriptor: Int32) throws -> Int {
        let file = open("/proc/self/fdinfo/\(descriptor)", O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = read(file, &bytes, bytes.count)
        try #require(count >= 0)
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        return text.split(separator: "\n").count { $0.hasPrefix("inotify wd") }
    }
}
