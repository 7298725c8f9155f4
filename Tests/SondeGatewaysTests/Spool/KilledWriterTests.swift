import Foundation
import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// A real process on a real disk, killed while it appends.
@Suite struct KilledWriterTests {
    private static let kills = 20

    @Test func everythingThatWasAppendedBeforeAKillIsThereAfterIt() throws {
        let directory = try SpoolDirectory()
        let path = "\(directory.path)/spool"
        let program = KilledProgram(name: "spool-benchmark")
        var next: UInt64 = 1
        var cuts = Set<String>()
        for round in 0..<Self.kills {
            let told = try program.write(path, from: next, untilLines: 5 + round * 13)
            #expect(told >= next)
            let (numbers, losses) = try read(path)
            #expect(numbers.count == Set(numbers).count)
            #expect(numbers == Array(next...max(next, numbers.last ?? next)), "round \(round)")
            #expect(numbers.last ?? 0 >= told, "round \(round)")
            // The kernel ends a write(2) at the end of a page when the process is killed within it: what is there of the
            // frame is set aside, and how many points it had is not known.
            let found = try quarantined(path)
            #expect(losses == (found == cuts ? [] : [Loss(.spoolDamaged, component: "sink")]), "round \(round)")
            #expect(found.subtracting(cuts).count <= 1, "round \(round)")
            cuts = found
            next = (numbers.last ?? 0) + 1
        }
    }

    /// The ends of segments that were set aside.
    private func quarantined(_ path: String) throws -> Set<String> {
        let folder = "\(path)/quarantine"
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    /// Opens what the process left and acknowledges it.
    private func read(_ path: String) throws -> (numbers: [UInt64], losses: [Loss]) {
        let settings = DiskSpoolSettings(directory: path, maxBytes: 64 << 20)
        let spool = try DiskSpool(settings, clock: ManualClock(), newEpoch: SpoolFixture.newEpoch(2))
        spool.addReader("sink", .durable, wants: .metrics)
        return (spool.drain("sink", maxCount: 5_000), spool.takeLosses())
    }
}
