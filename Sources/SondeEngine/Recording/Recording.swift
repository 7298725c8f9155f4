public import SondeDomain

/// What sources have read from outside, with times: docs/spec/recording.md.
public struct Recording: Sendable {
    /// A source that was recorded.
    public struct Source: Hashable, Sendable {
        /// Its `id`.
        public var id: String
        /// The name of its plugin.
        public var plugin: String
        /// Its interval.
        public var interval: Nanoseconds

        /// A source.
        public init(id: String, plugin: String, interval: Nanoseconds) {
            self.id = id
            self.plugin = plugin
            self.interval = interval
        }
    }

    /// What the agent called.
    public enum Call: UInt8, Sendable {
        /// The instance was made.
        case create = 0
        /// `start`
        case start
        /// `collect`
        case collect
        /// The last `collect`.
        case lastCollect
        /// `tick`
        case tick
        /// `run`
        case run
        /// Not a call: the next turn of the loop in `run`.
        case step
    }

    /// One call of a source, and what it read during that.
    public struct Frame: Sendable {
        /// Which of the sources.
        public var source: Int
        /// What was called.
        public var call: Call
        /// The wall clock during the call.
        public var time: Timestamp
        /// The monotonic clock during the call.
        public var instant: MonotonicInstant
        /// What was read, in its order: a key, and where in ``Recording/bytes`` the value is.
        public var answers: [(key: String, place: Range<Int>)] = []
    }

    /// Why something that was read is not in the recording.
    public enum Omission: UInt8, CaseIterable, Sendable {
        /// The recording had reached its size.
        case size = 1
        /// One value was larger than a recording holds.
        case oversized
    }

    /// The first bytes of every recording.
    public static let head = Array("sonde recording 1\n".utf8)
    /// The longest value, in bytes.
    public static let valueLimit = 8 << 20
    /// The longest recording that is read, in bytes.
    public static let sizeLimit = 1 << 30
    /// The most sources.
    public static let sourceLimit = 1_024

    /// The sources.
    public internal(set) var sources: [Source] = []
    /// What they read, in the order of time.
    public internal(set) var frames: [Frame] = []
    /// How much was left out.
    public internal(set) var omitted: [Omission: UInt64] = [:]
    /// Whether it has an end; otherwise it was cut.
    public internal(set) var isComplete = false
    /// The file.
    public let bytes: [UInt8]
}
