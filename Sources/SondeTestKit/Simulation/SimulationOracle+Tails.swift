internal import SondeDomain
internal import SondeEngine

extension SimulationOracle {
    /// How far a source has read, and how far its checkpoints are.
    struct TailAccount {
        /// The last line of the newest commit that was taken.
        var committed: UInt64 = 0
        /// The last line of a commit in which the agent ended.
        var begun: UInt64?
        /// Whether a power cut may have taken checkpoints.
        var mayGoBack = false
        /// Lines that were committed, each with the last number of its commit.
        var commits: [(line: UInt64, sequence: UInt64)] = []
    }

    /// What the samples of a source that reads lines are called.
    static func lineName(of source: String) -> String { "\(source).line" }

    /// A commit through a line begins.
    func begins(_ source: String, through line: UInt64) { tails[source, default: TailAccount()].begun = line }

    /// The commit is over.
    func committed(_ source: String, through line: UInt64) {
        var tail = tails[source] ?? TailAccount()
        if line > tail.committed { tail.commits.append((line, newest)) }
        tail.committed = line
        tail.begun = nil
        tails[source] = tail
    }

    /// A source continues after a line: neither its place nor its samples may be ahead of the other.
    func resumed(_ source: String, after line: UInt64) {
        var tail = tails[source] ?? TailAccount()
        require(
            line <= max(tail.committed, tail.begun ?? 0),
            "\(source) goes on after line \(line), but has committed only \(tail.committed)")
        if !tail.mayGoBack, !diskHasFailed, !diskWasFull {
            require(
                line == tail.committed || line == tail.begun,
                "\(source) goes on after line \(line), although \(tail.committed) was committed and nothing else happened"
            )
        }
        let isKept = plan.synchronization != .none && !diskHasFailed && !diskWasFull
        let safe = tail.commits.last { $0.sequence <= safeThrough }?.line ?? 0
        require(!isKept || line >= safe, "\(source) goes on after line \(line), although \(safe) was safe")
        settleSamples(of: source, after: line, isKept: isKept)
        tail.commits.removeAll { $0.line > line }
        tail.committed = line
        tail.begun = nil
        tail.mayGoBack = false
        tails[source] = tail
    }

    /// Samples that the checkpoint covers are owed in any case; the others must not come back.
    private func settleSamples(of source: String, after line: UInt64, isKept: Bool) {
        let name = Self.lineName(of: source)
        for index in points.indices where points[index].content.name == name {
            guard case .unsigned(let number) = points[index].content.value else { continue }
            switch points[index].standing {
            case .uncertain where number <= line && isKept: points[index].standing = .owed
            case .owed where number > line, .uncertain where number > line: points[index].standing = .void
            case .owed, .uncertain, .void: break
            }
        }
    }
}
