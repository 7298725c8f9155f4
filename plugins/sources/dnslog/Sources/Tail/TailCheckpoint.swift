internal import SondeDomain
internal import SondePluginKit

/// How far every followed path was read, as it is committed together with the samples.
struct TailCheckpoint: Hashable, Sendable {
    /// One followed path.
    struct Entry: Hashable, Sendable {
        /// Represents the path, so that long ones fit.
        var key: UInt64
        /// When the file under the name was last written to.
        var modified: Timestamp
        /// The file under the name, if there was one.
        var current: FileRecord?
        /// Files that have lost the name and were still read, oldest first.
        var held: [FileRecord]
        /// Rotated files that were read whole, newest last.
        var settled: [FileRecord]
    }

    /// When it was made.
    var time: Timestamp
    var entries: [Entry]

    /// What the contract takes at most.
    static let sizeLimit = 64 << 10
    /// How many settled files of one path are kept in it.
    static let settledLimit = 8

    static func key(of path: String) -> UInt64 {
        var path = path
        return path.withUTF8 { KeyHash.of(UnsafeRawBufferPointer($0)) }
    }

    func entry(for path: String) -> Entry? {
        let key = Self.key(of: path)
        return entries.first { $0.key == key }
    }

    /// Every file in it that was being read.
    var records: [FileRecord] { entries.flatMap { $0.held + ($0.current.map { [$0] } ?? []) } }
}

extension TailCheckpoint.Entry {
    /// Notes that a pattern was followed, even without a match: what it matches later is new.
    init(pattern: String) {
        self.init(
            key: TailCheckpoint.key(of: pattern),
            modified: Timestamp(nanoseconds: 0),
            current: nil,
            held: [],
            settled: []
        )
    }
}
