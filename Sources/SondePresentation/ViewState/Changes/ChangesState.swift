public import SondeDomain
public import SondeFormats

/// What has moved from its own history, as `sonde changes` shows it.
public struct ChangesState: Hashable, Sendable {
    /// One change.
    public struct Change: Hashable, Sendable {
        /// `bandwidth.receive`.
        public var metric: String
        /// UCUM.
        public var unit: String
        /// The interface, state, code or sink; nil: the metric has none.
        public var member: String?
        /// The source.
        public var source: String
        /// Which way it moved.
        public var direction: HistoryChange.Direction
        /// What it is compared with.
        public var basis: HistoryChange.Basis
        /// The median of what was usual; nil: it was not there.
        public var usual: Double?
        /// What it is since then; nil: it is not there.
        public var value: Double?
        /// When its first minute begins.
        public var begin: Timestamp?
        /// Whether it may have begun before the range.
        public var mayBeEarlier: Bool
        /// When it ended; nil: it lasts.
        public var end: Timestamp?
    }

    /// Where the range begins.
    public var from: Timestamp?
    /// Where it ends.
    public var to: Timestamp?
    /// The days that were looked back: `7d`.
    public var reference: String
    /// On how many of them something is kept.
    public var daysKept: UInt64
    /// How many series were compared.
    public var compared: UInt64
    /// How many have too little history.
    public var unknown: UInt64
    /// How many have moved, of which ``changes`` may be the first.
    public var moved: UInt64
    /// Sources that have ended to report.
    public var silentSources: [String]
    /// The changes, ranked.
    public var changes: [Change]

    /// What the agent has answered; what cannot be read is left out.
    public init(_ answer: JSONValue) {
        from = answer["from"]?.asString.flatMap(InstantText.parse)
        to = answer["to"]?.asString.flatMap(InstantText.parse)
        reference = answer["against"]?.asString ?? ""
        daysKept = answer["days_kept"]?.asUInt64 ?? 0
        compared = answer["compared"]?.asUInt64 ?? 0
        unknown = answer["unknown"]?.asUInt64 ?? 0
        silentSources = (answer["silent_sources"]?.asArray ?? []).compactMap(\.asString)
        changes = (answer["items"]?.asArray ?? []).compactMap(Change.init)
        moved = answer["moved"]?.asUInt64 ?? UInt64(changes.count)
    }
}

extension ChangesState.Change {
    fileprivate init?(_ json: JSONValue) {
        guard let word = json["metric"]?.asString,
            let direction = json["change"]?.asString.flatMap(HistoryChange.Direction.init(rawValue:))
        else { return nil }
        metric = word
        unit = json["unit"]?.asString ?? ""
        member = HistoryMetric(rawValue: word)?.memberName.flatMap { json[$0]?.asString }
        source = json["source"]?.asString ?? ""
        self.direction = direction
        basis = json["basis"]?.asString.flatMap(HistoryChange.Basis.init(rawValue:)) ?? .daysBefore
        usual = json["usual"]?["median"]?.asDouble
        value = json["value"]?.asDouble
        begin = json["since"]?.asString.flatMap(InstantText.parse)
        mayBeEarlier = json["may_be_earlier"]?.asBool ?? false
        end = json["until"]?.asString.flatMap(InstantText.parse)
    }
}
