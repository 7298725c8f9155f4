import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways
@testable import SondeTestKit

/// The newest segment holds what must survive: the assigned numbers, and the checkpoints of sources.
@Suite struct DiskSpoolSuccessorTests {
    /// A spool with room for one frame, in which the agent dies at some change of the disk.
    private struct Bench {
        var fixture = SpoolFixture(maxBytes: 8 << 10, segmentBytes: 8 << 10)
        let life = CrashSwitch()

        func open(_ fileSystem: any FileSystem) throws -> DiskSpool {
            let spool = try DiskSpool(
                fixture.settings, fileSystem: fileSystem, clock: fixture.clock, newEpoch: SpoolFixture.newEpoch(1))
            spool.addReader("a", .durable, wants: .metrics)
            return spool
        }

        /// Appends frames of a source until the agent is dead; returns the last commit that was taken.
        func run(_ commits: Int) throws -> Stretch? {
            let spool = try open(MortalFileSystem(fixture.disk, life))
            var taken: Stretch?
            for commit in 1...UInt64(commits) where !life.isDead {
                let first = (commit - 1) * 70 + 1
                let (result, _) = spool.append(
                    (first...(first + 69)).map { .numbered($0) }, documents: [],
                    checkpoint: SpoolCheckpoint(source: "log", bytes: Self.checkpoint(commit)), at: SpoolFixture.instant
                )
                // The call in which the agent died has no result.
                guard !life.isDead, case .taken(let stretch) = result else { continue }
                taken = stretch
            }
            return taken
        }

        static func checkpoint(_ commit: UInt64) -> [UInt8] { Array("line \(commit)".utf8) }
    }

    @Test func aKillAtAnyCallLeavesNumbersAndCheckpointsWhereTheOnlySegmentGivesWay() throws {
        var kills = 0
        for calls in 0..<200 {
            let bench = Bench()
            _ = try bench.open(bench.fixture.disk)
            bench.fixture.disk.killProcess()
            bench.life.arm(after: calls)
            guard let taken = try? bench.run(60) else { continue }
            guard bench.life.isDead else { break }
            kills += 1
            bench.fixture.disk.killProcess()
            let spool = try bench.open(bench.fixture.disk)
            let next = try #require(spool.take(10_000...10_000)).first
            #expect(next > taken.last, "killed at change \(calls)")
            let commit = taken.last / 70
            let checkpoint = try #require(spool.checkpoint(of: "log"))
            // The commit in which it died is there or is not.
            #expect([commit, commit + 1].map(Bench.checkpoint).contains(checkpoint), "killed at change \(calls)")
        }
        #expect(kills > 20)
    }

    @Test func anUnreadNewestSegmentStaysWhereItsSuccessorCannotBeMade() throws {
        let fixture = SpoolFixture(maxBytes: 8 << 10, segmentBytes: 8 << 10)
        let spool = try fixture.openWithReader()
        let first = try #require(spool.take(1...70))
        fixture.disk.fail(.create, with: FileSystemError.noSpace, oneIn: 1)
        #expect((2...100 as ClosedRange<UInt64>).contains { spool.take(($0 * 70)...($0 * 70 + 69)) == nil })
        fixture.disk.heal()
        #expect(spool.drain("a").count >= Int(first.last))
    }
}
