public import SondeDomain

/// The size of a log on disk and what waits in it, for display.
public struct SpoolUsage: Hashable, Sendable {
    /// One sink's part.
    public struct Sink: Hashable, Sendable {
        /// The `id`.
        public var id: String
        /// How it reads.
        public var kind: ReaderKind
        /// The next number that was not acknowledged.
        public var next: UInt64
        /// The stretch under way.
        public var stretch: Stretch?
        /// How many numbers wait.
        public var waiting: UInt64
        /// About how many bytes of the files they take.
        public var bytes: Int64
        /// When the oldest of what waits was appended, as the status shows it; nil: nothing waits.
        public var oldest: Timestamp?

        /// A sink's part.
        public init(
            id: String,
            kind: ReaderKind,
            next: UInt64,
            stretch: Stretch?,
            waiting: UInt64,
            bytes: Int64,
            oldest: Timestamp?
        ) {
            self.id = id
            self.kind = kind
            self.next = next
            self.stretch = stretch
            self.waiting = waiting
            self.bytes = bytes
            self.oldest = oldest
        }
    }

    /// One segment.
    public struct Segment: Hashable, Sendable {
        /// The number that it begins with, which is part of its name.
        public var first: UInt64
        /// The numbers it holds; nil: none yet.
        public var stretch: Stretch?
        /// How many of them are points.
        public var points: UInt64
        /// How long the file is.
        public var bytes: Int64
        /// When it was made.
        public var created: Timestamp
        /// The time of its oldest point; nil: it has none.
        public var oldest: Timestamp?
        /// The time of its newest point.
        public var newest: Timestamp?
        /// Whether it is written to.
        public var isActive: Bool

        /// A segment.
        public init(
            first: UInt64,
            stretch: Stretch?,
            points: UInt64,
            bytes: Int64,
            created: Timestamp,
            oldest: Timestamp?,
            newest: Timestamp?,
            isActive: Bool
        ) {
            self.first = first
            self.oldest = oldest
            self.newest = newest
            self.isActive = isActive
            self.stretch = stretch
            self.points = points
            self.bytes = bytes
            self.created = created
        }
    }

    /// The size of all files.
    public var bytes: Int64
    /// The bound of their size.
    public var maxBytes: Int64
    /// What was set aside because it could not be read.
    public var quarantineBytes: Int64
    /// The segments in order.
    public var segments: [Segment]
    /// The sinks by `id`.
    public var sinks: [Sink]

    /// Figures.
    public init(bytes: Int64, maxBytes: Int64, quarantineBytes: Int64, segments: [Segment], sinks: [Sink]) {
        self.bytes = bytes
        self.maxBytes = maxBytes
        self.quarantineBytes = quarantineBytes
        self.segments = segments
        self.sinks = sinks
    }
}
