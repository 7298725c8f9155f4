/// One remote configuration: a layer between the main file and `conf.d`.
public struct RemoteLayer: Hashable, Sendable {
    /// Its number, which its signer raises.
    public var serial: UInt64
    /// The signed text.
    public var text: [UInt8]
    /// What the server called this version; empty: nothing.
    public var etag: String

    /// A layer.
    public init(serial: UInt64, text: [UInt8], etag: String = "") {
        (self.serial, self.text, self.etag) = (serial, text, etag)
    }
}

/// What the agent keeps of remote configurations; everything in it is written as a whole.
public struct RemoteState: Hashable, Sendable {
    /// A layer that is in force and has not proved itself.
    public struct Probation: Hashable, Sendable {
        /// What its change can have broken.
        public enum Reach: Hashable, Sendable {
            /// Everything, or it is not known: its reload has not ended.
            case everything
            /// The sources and sinks with these ids.
            case instances(Set<String>)
        }

        /// The layer.
        public var layer: RemoteLayer
        /// How often the agent has started with it without having been stopped.
        public var starts = 0
        /// What failed before it: ids with codes.
        public var before: Set<String>
        /// What its change can have broken.
        public var reach = Reach.everything

        /// A layer that is put in force now.
        public init(_ layer: RemoteLayer, before: Set<String>) {
            (self.layer, self.before) = (layer, before)
        }
    }

    /// A layer that was taken back.
    public struct Failed: Hashable, Sendable {
        /// Its number.
        public var serial: UInt64
        /// What the server called it.
        public var etag: String
        /// What went wrong, as a sentence.
        public var reason: String

        /// A layer that was taken back.
        public init(_ layer: RemoteLayer, because reason: String) {
            self.init(serial: layer.serial, etag: layer.etag, reason: reason)
        }

        /// A layer that was taken back.
        public init(serial: UInt64, etag: String, reason: String) {
            (self.serial, self.etag, self.reason) = (serial, etag, reason)
        }
    }

    /// So many starts without a stop between them are a crash loop.
    public static let crashLoop = 3

    /// The highest serial that was ever put in force: what is not above it is old.
    public var newest: UInt64 = 0
    /// The last one that has proved itself; nil: none has.
    public var good: RemoteLayer?
    /// The one in force, until it has.
    public var probation: Probation?
    /// The one that was taken back last, until another is put in force.
    public var failed: Failed?

    /// Nothing is kept.
    public init() {}

    /// The layer in force; nil: there is none.
    public var inForce: RemoteLayer? { probation?.layer ?? good }

    /// What the server called the version that is known; nil: a whole file is wanted.
    public var etag: String? {
        let etag = failed?.etag ?? inForce?.etag ?? ""
        return etag.isEmpty ? nil : etag
    }

    /// Puts a layer in force, on probation.
    public mutating func begin(_ layer: RemoteLayer, failing: Set<String>) {
        // What a layer has broken that never proved itself was not there before.
        probation = Probation(layer, before: probation?.before ?? failing)
        newest = max(newest, layer.serial)
        failed = nil
    }

    /// The layer on probation has proved itself.
    public mutating func succeed() {
        guard let probation else { return }
        (good, self.probation) = (probation.layer, nil)
    }

    /// Takes the layer on probation back.
    public mutating func takeBack(because reason: String) {
        guard let probation else { return }
        failed = Failed(probation.layer, because: reason)
        self.probation = nil
    }

    /// Counts a start of the agent; a probation that keeps the agent from running is taken back.
    public mutating func start() {
        guard probation != nil else { return }
        probation?.starts += 1
        guard let starts = probation?.starts, starts >= Self.crashLoop else { return }
        takeBack(because: "the agent has ended \(starts) times with it without being stopped")
    }

    /// The agent is stopped: its starts with the layer on probation were no failures.
    public mutating func stop() { probation?.starts = 0 }
}
