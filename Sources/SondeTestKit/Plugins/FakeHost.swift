internal import CSondePlugin
public import SondeDomain
public import SondePluginKit

/// A host for one plugin instance in a test: hands out options and remembers everything that the plugin does with it.
///
/// Not thread-safe, as the contract allows: a plugin calls its host from the thread that is inside a call.
public final class FakeHost {
    /// An option as a test gives it, in base units.
    public enum Option: Hashable, Sendable {
        /// A string, a choice or a secret.
        case string(String)
        /// `true` or `false`.
        case bool(Bool)
        /// A whole number.
        case integer(Int64)
        /// A number.
        case double(Double)
        /// A span of time.
        case duration(Nanoseconds)
        /// A number of bytes.
        case size(Int64)
        /// A list of strings.
        case list([String])
        /// A map in order.
        case map([Attribute])
        /// A list of mappings, by the keys of their members.
        case entries([[String: Option]])
    }

    /// The host's version of the contract.
    public enum Version: Hashable, Sendable {
        /// 1.0: its structs are shorter than those that this kit was built with, and end where memory ends.
        case first
        /// That of this kit.
        case current
    }

    /// A series that the plugin opened.
    public struct OpenedSeries: Hashable, Sendable {
        /// How the plugin declared it.
        public var specification: SeriesSpecification
        /// Whether it is still open.
        public var isOpen = true
    }

    /// One sample that the plugin committed, with its series spelled out.
    public struct CommittedSample: Hashable, Sendable {
        /// The metric's name.
        public var name: String
        /// What identifies the series, sorted by name.
        public var attributes: [Attribute]
        /// The value.
        public var value: SampleValue
        /// The time that the plugin gave; nil: the time of the tick.
        public var time: Timestamp?
    }

    /// Every series opened so far; the handle is the index plus one.
    public internal(set) var series: [OpenedSeries] = []
    /// Every commit that was taken, oldest first.
    public internal(set) var commits: [[CommittedSample]] = []
    /// The last checkpoint; set it before `start` to resume from one.
    public var checkpoint: [UInt8]?
    /// The losses that were reported.
    public internal(set) var losses: [Loss] = []
    /// The lines that were logged, `warning: text`.
    public internal(set) var log: [String] = []
    /// A point that a sink's receiver took out of a batch.
    public struct RejectedPoint: Hashable, Sendable {
        /// Its place in the batch.
        public var index: Int
        /// Why.
        public var reason: String

        /// A rejection.
        public init(index: Int, reason: String) {
            self.index = index
            self.reason = reason
        }
    }

    /// The troubles that were reported and not cleared.
    public internal(set) var troubles: [PluginError] = []
    /// The points that were rejected.
    public internal(set) var rejectedPoints: [RejectedPoint] = []
    /// What the plugin prefers to be sent; nil when it did not set it.
    public internal(set) var preferredSend: UInt32?
    /// The tick period that the plugin asked for.
    public internal(set) var tickPeriod: Nanoseconds?
    /// What the next commits answer; empty: taken.
    public var commitAnswers: [PluginHost.CommitResult] = []
    /// How many series may be open.
    public var seriesBound = 100_000
    /// What the clocks show.
    public var wallTime = Timestamp(seconds: 1_767_225_600)
    /// What CLOCK_MONOTONIC shows; nil: the real one.
    public var monotonicTime: MonotonicInstant?

    let options: [String: Option]
    let version: Version
    private let edge = MemoryEdge()
    private(set) var record: UnsafeMutablePointer<sonde_host>
    var strings: [UnsafeMutablePointer<CChar>] = []

    /// A host that hands out `options` by dotted path.
    ///
    /// Nothing is defaulted here: see ``PluginHarness``.
    public init(id: String = "test", options: [String: Option] = [:], version: Version = .current) {
        self.options = Self.withMembers(options)
        self.version = version
        record = .allocate(capacity: 1)
        record.initialize(to: sonde_host())
        fillTable(id: id)
        guard version == .first else { return }
        let current = record
        current.pointee.struct_size = UInt32(SONDE_SIZE_1_0_HOST)
        record = edge.place(UnsafeRawPointer(current), count: Int(SONDE_SIZE_1_0_HOST))
            .assumingMemoryBound(to: sonde_host.self)
        current.deallocate()
    }

    /// The options and, by paths of their own, the members of lists of mappings.
    private static func withMembers(_ options: [String: Option]) -> [String: Option] {
        var all = options
        for (key, option) in options {
            guard case .entries(let entries) = option else { continue }
            for (index, entry) in entries.enumerated() {
                for (member, value) in entry { all["\(key)[\(index)].\(member)"] = value }
            }
        }
        return all
    }

    deinit {
        if version == .current { record.deallocate() }
        for string in strings { string.deallocate() }
    }

    /// The samples of the last commit, by name and attributes in `{a=b}` form.
    public var lastCommit: [String: SampleValue] {
        var result: [String: SampleValue] = [:]
        for sample in commits.last ?? [] {
            let attributes = sample.attributes.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
            result[attributes.isEmpty ? sample.name : "\(sample.name){\(attributes)}"] = sample.value
        }
        return result
    }

    /// A NUL-terminated copy that lives as long as the host.
    func keep(_ text: String) -> sonde_string {
        let bytes = Array(text.utf8)
        let block = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (index, byte) in bytes.enumerated() { block[index] = CChar(bitPattern: byte) }
        block[bytes.count] = 0
        strings.append(block)
        return sonde_string(data: block, size: bytes.count)
    }
}
