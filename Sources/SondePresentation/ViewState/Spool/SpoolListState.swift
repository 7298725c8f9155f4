public import SondeDomain
public import SondeFormats

/// The contents of the spool of a running agent, as `sonde spool list` shows it.
public struct SpoolListState: Hashable, Sendable {
    /// One sink's place in the log.
    public struct Sink: Hashable, Sendable {
        /// The `id` in the configuration.
        public var id: String
        /// `durable` or `live`.
        public var reader: String?
        /// The next number that was not acknowledged.
        public var next: UInt64?
        /// `12-34`: the stretch being delivered.
        public var offering: String?
        /// What waits for it.
        public var queue: StatusState.Queue
    }

    /// One file of the log.
    public struct Segment: Hashable, Sendable {
        /// The first number.
        public var first: UInt64
        /// The last; nil: it holds none yet.
        public var last: UInt64?
        /// `active` or `sealed`.
        public var state: String?
        /// How many points.
        public var points: UInt64?
        /// How many bytes.
        public var bytes: UInt64?
        /// The time of the oldest point.
        public var oldest: Timestamp?
        /// The time of the newest point.
        public var newest: Timestamp?
    }

    /// A file that is not read any more.
    public struct SetAside: Hashable, Sendable {
        /// Its path in the spool's folder.
        public var name: String
        /// How many bytes.
        public var bytes: UInt64?
    }

    /// A batch that was refused permanently.
    public struct DeadLetter: Hashable, Sendable {
        /// The sink whose receiver refused it.
        public var sink: String
        /// Its file.
        public var name: String
        /// When it was refused.
        public var time: Timestamp?
        /// How many points.
        public var points: UInt64?
        /// How many bytes.
        public var bytes: UInt64?
        /// The code of the refusal.
        public var code: String?
        /// The refusal in a sentence.
        public var message: String?
    }

    /// What `sonde spool status` shows.
    public var status: SpoolStatusState
    /// What the files take.
    public var bytes: UInt64?
    /// The places of sinks in the log.
    public var sinks: [Sink]
    /// The segments in order.
    public var segments: [Segment]
    /// What was set aside.
    public var setAside: [SetAside]
    /// The dead letters by sink.
    public var deadLetters: [DeadLetter]

    /// The state that a list holds; what is missing or of another type is not known.
    public init(_ list: JSONValue) {
        status = SpoolStatusState(list["spool"] ?? .null)
        bytes = list["bytes"]?.asUInt64
        sinks = (list["sinks"]?.asArray ?? []).compactMap(Sink.init)
        segments = (list["segments"]?.asArray ?? []).compactMap(Segment.init)
        setAside = (list["set_aside"]?.asArray ?? []).compactMap { file in
            file["name"]?.asString.map { SetAside(name: $0, bytes: file["bytes"]?.asUInt64) }
        }
        deadLetters = (list["dead_letters"]?.asArray ?? []).compactMap(DeadLetter.init)
    }
}

extension SpoolListState.Sink {
    fileprivate init?(_ json: JSONValue) {
        guard let id = json["id"]?.asString else { return nil }
        self.id = id
        reader = json["reader"]?.asString
        next = json["next"]?.asUInt64
        offering = json["offering"]?.asString
        queue = StatusState.Queue(json)
        queue.points = json["waiting"]?.asUInt64
    }
}

extension SpoolListState.Segment {
    fileprivate init?(_ json: JSONValue) {
        guard let first = json["first"]?.asUInt64 else { return nil }
        self.first = first
        last = json["last"]?.asUInt64
        state = json["state"]?.asString
        points = json["points"]?.asUInt64
        bytes = json["bytes"]?.asUInt64
        oldest = json.instant("oldest")
        newest = json.instant("newest")
    }
}

extension SpoolListState.DeadLetter {
    fileprivate init?(_ json: JSONValue) {
        guard let sink = json["sink"]?.asString, let name = json["name"]?.asString else { return nil }
        self.sink = sink
        self.name = name
        time = json.instant("time")
        points = json["points"]?.asUInt64
        bytes = json["bytes"]?.asUInt64
        code = json["code"]?.asString
        message = json["message"]?.asString
    }
}
