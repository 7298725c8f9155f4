import SondeDomain
import SondeTestKit
import Testing

@testable import DNSLogPlugin

/// Writers, rotations, commits and kills in any order: every line counts once in any case.
@Suite struct RandomRotationTests {
    /// How a log is rotated.
    enum Rotation: CaseIterable {
        case rename
        case copy
    }

    /// A log that is written and rotated at random, and what a plugin has counted of it.
    private final class World {
        let bench: TailBench
        private var random: SeededGenerator
        private let rotation: Rotation
        private var written = 0
        private var rotations = 0
        private var partial = ""
        private var counted: [String: Int] = [:]
        private var committed: [String: Int] = [:]
        private(set) var history: [String] = []

        init(seed: UInt64, _ rotation: Rotation) throws {
            random = SeededGenerator(seed: seed)
            self.rotation = rotation
            bench = try TailBench.started("") {
                $0.limits.unseenFiles = 1_000
                $0.limits.siblings = 1_000
            }
            bench.commit()
        }

        func step() throws {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...4: try write()
            case 5, 6: look()
            case 7, 8: try rotate()
            case 9: try writeHalf()
            case 10: commit()
            default: try killAndRestart()
            }
        }

        /// Every line that was counted another number of times than once.
        func wrongLines() throws -> [String: Int] {
            try finishLine()
            look()
            look()
            var wrong = counted.filter { $0.value != 1 }
            for number in 0..<written where counted["line \(number)"] == nil { wrong["line \(number)"] = 0 }
            for line in counted.keys where !line.hasPrefix("line ") { wrong[line] = 1 }
            return wrong
        }

        private func write() throws {
            try finishLine()
            let count = Int.random(in: 1...60, using: &random)
            history.append("write \(written)..<\(written + count)")
            try bench.folder.append((written..<written + count).map { "line \($0)\n" }.joined())
            written += count
        }

        /// The beginning of a line, whose end comes with the next write.
        private func writeHalf() throws {
            try finishLine()
            let line = "line \(written)\n"
            written += 1
            let cut = Int.random(in: 1..<line.utf8.count, using: &random)
            history.append("half of \(line)")
            try bench.folder.append(String(line.prefix(cut)))
            partial = String(line.dropFirst(cut))
        }

        private func finishLine() throws {
            guard !partial.isEmpty else { return }
            try bench.folder.append(partial)
            partial = ""
        }

        private func look() {
            history.append("look")
            for line in bench.turn() { counted[line, default: 0] += 1 }
        }

        private func rotate() throws {
            // A resolver writes whole lines to one file; half of a line in each is covered elsewhere.
            try finishLine()
            rotations += 1
            history.append("rotate \(rotations)")
            let name = "q.log.\(rotations)"
            switch rotation {
            case .rename:
                try bench.folder.move("q.log", to: name)
                try bench.folder.append("")
            case .copy:
                try bench.folder.copy("q.log", to: name)
                try bench.folder.truncate()
            }
        }

        private func commit() {
            history.append("commit")
            bench.commit()
            committed = counted
        }

        private func killAndRestart() throws {
            history.append("kill")
            bench.kill()
            counted = committed
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                if Bool.random(using: &random) { try write() } else { try rotate() }
            }
            bench.start()
        }
    }

    @Test(arguments: Rotation.allCases)
    func everyLineCountsOnce(_ rotation: Rotation) throws {
        for seed in UInt64(1)...15 {
            let world = try World(seed: seed, rotation)
            for _ in 0..<50 { try world.step() }
            let wrong = try world.wrongLines()
            #expect(wrong.isEmpty, "seed \(seed): \(wrong.count) lines: \(world.history)")
            if !wrong.isEmpty { return }
        }
    }
}
