import Foundation
import SondeDomain
import SondePluginKit
import SondeTestKit
import Synchronization
import Testing

@testable import DNSLogPlugin

/// The plugin is killed again and again while its log is written and rotated: what survives is the last commit.
@Suite struct KilledSourceTests {
    /// Writes queries as unbound does, and renames the log now and then.
    private final class Writer: Sendable {
        let folder: LogFolder
        let lines = Atomic<Int>(0)
        let isDone = Atomic<Bool>(false)

        init(_ folder: LogFolder) {
            self.folder = folder
        }

        func run() {
            for round in 0..<150 {
                let count = 40
                let text = (0..<count).map {
                    "[1795223093] unbound[1:0] query: 192.0.2.1 n\(round)-\($0).example. A IN\n"
                }
                try? folder.append(text.joined())
                lines.add(count, ordering: .releasing)
                if round % 20 == 19 { try? folder.move("q.log", to: "q.log.\(round)") }
                usleep(10_000)
            }
            isDone.store(true, ordering: .releasing)
        }
    }

    /// Lines of the last commit that was taken.
    private func lines(_ harness: PluginHarness) -> UInt64 {
        let counts = (harness.host.commits.last ?? []).filter { $0.name == "sonde.dns.log.line.count" }
        return counts.reduce(0) { sum, sample in
            guard case .unsigned(let count) = sample.value else { return sum }
            return sum + count
        }
    }

    @Test func samplesAndCheckpointAreNeverAheadOfEachOther() throws {
        let writer = Writer(try LogFolder())
        let path = writer.folder.file("q.log")
        let thread = Thread { writer.run() }
        thread.start()
        var checkpoint: [UInt8]?
        var counted: UInt64 = 0
        var lives = 0
        var isLast = false
        repeat {
            isLast = writer.isDone.load(ordering: .acquiring)
            let harness = try PluginHarness(
                sonde_plugin_dnslog(),
                options: ["path": .string(path), "start": .string("beginning"), "format": .string("unbound")]
            )
            harness.host.checkpoint = checkpoint
            // A host that takes nothing any more simulates the kill: what was read since the last commit is gone.
            harness.host.commitAnswers = Array(repeating: .taken, count: lives % 3 + 1) + [.stopping, .stopping]
            try harness.start()
            _ = try harness.run(interval: .milliseconds(20))
            counted += lines(harness)
            checkpoint = harness.host.checkpoint
            #expect(harness.host.losses.isEmpty)
            lives += 1
        } while !isLast
        #expect(counted == UInt64(writer.lines.load(ordering: .acquiring)))
        #expect(lives > 2)
    }
}
