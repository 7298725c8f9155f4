internal import SondeDomain

/// What a source commits at once.
struct SourceCommit {
    var points: [SpooledPoint]
    var documents: [Document] = []
    var checkpoint: SpoolCheckpoint?

    /// How many of the points are samples, and not ends of series.
    var samples: UInt64 { points.reduce(0) { $1.value.isEnd ? $0 : $0 &+ 1 } }
}

/// Commits in order, bounded: the oldest are dropped.
struct HeldCommits {
    /// About how many bytes are held at most: 50,000 samples.
    static let bound: Int64 = 4 << 20
    // As in the log in memory: series are shared and not counted.
    private static let bytesPerPoint: Int64 = 80
    private static let bytesPerCommit: Int64 = 128

    private(set) var commits: [SourceCommit] = []
    private var bytes: Int64 = 0

    /// Whether nothing is held.
    var isEmpty: Bool { commits.isEmpty }

    /// How many samples are held.
    var samples: UInt64 { commits.reduce(0) { $0 &+ $1.samples } }

    /// Holds a commit and returns those that had to be dropped for it.
    ///
    /// An end of a series that is dropped stays in the log to be made up for by the next start.
    mutating func append(_ commit: SourceCommit) -> ArraySlice<SourceCommit> {
        commits.append(commit)
        bytes += size(of: commit)
        var dropped = 0
        while bytes > Self.bound, dropped < commits.count {
            bytes -= size(of: commits[dropped])
            dropped += 1
        }
        defer { commits.removeFirst(dropped) }
        return commits.prefix(dropped)
    }

    /// Lets go of commits, oldest first, until there are none or one is not taken.
    mutating func release(_ take: (SourceCommit) -> CommitResult) {
        var taken = 0
        while taken < commits.count, take(commits[taken]) == .taken {
            bytes -= size(of: commits[taken])
            taken += 1
        }
        commits.removeFirst(taken)
    }

    /// The newest checkpoint of a source; nil: no commit has one.
    func checkpoint(of source: String) -> [UInt8]? {
        commits.last { $0.checkpoint?.source == source }?.checkpoint?.bytes
    }

    private func size(of commit: SourceCommit) -> Int64 {
        Self.bytesPerCommit + Int64(commit.points.count) * Self.bytesPerPoint
            + Int64(commit.checkpoint?.bytes.count ?? 0)
    }
}
