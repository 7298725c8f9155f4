/// What was rejected of an instance, or by its receiver: counted by metric and reason.
///
/// Bounded: metrics and reasons come from plugins.
public struct RejectionCounts: Hashable, Sendable {
    /// What was rejected.
    public enum Subject: String, Hashable, Sendable {
        /// A sample of a source.
        case sample
        /// A series that a source wanted to open.
        case series
        /// A point that a receiver rejected from a batch.
        case point
    }

    /// One row.
    public struct Key: Hashable, Sendable {
        /// What was rejected.
        public var subject: Subject
        /// The metric; empty when it is not known.
        public var metric: String
        /// The reason.
        public var reason: String

        /// A row.
        public init(_ subject: Subject, metric: String, reason: String) {
            self.subject = subject
            self.metric = metric
            self.reason = reason
        }
    }

    /// The bound on rows; further ones are counted as `other` of no metric.
    public static let bound = 64

    private var counts: [Key: UInt64] = [:]

    /// Nothing was rejected.
    public init() {}

    /// The rows, by subject, metric and reason.
    public var rows: [(key: Key, count: UInt64)] {
        counts.map { (key: $0.key, count: $0.value) }.sorted {
            ($0.key.subject.rawValue, $0.key.metric, $0.key.reason)
                < ($1.key.subject.rawValue, $1.key.metric, $1.key.reason)
        }
    }

    /// Counts some of one kind, and returns whether they are the first of their row.
    mutating func add(_ key: Key, _ count: UInt64) -> Bool {
        var key = key
        if counts[key] == nil, counts.count >= Self.bound { key = Key(key.subject, metric: "", reason: "other") }
        let known = counts[key]
        counts[key] = (known ?? 0) &+ count
        return known == nil
    }
}
