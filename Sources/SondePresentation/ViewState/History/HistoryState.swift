public import SondeDomain
public import SondeFormats

/// What series were over a stretch of time, as `sonde history` shows it.
public struct HistoryState: Hashable, Sendable {
    /// One series.
    public struct Series: Hashable, Sendable {
        /// `bandwidth.receive`.
        public var metric: String
        /// UCUM.
        public var unit: String
        /// The interface, state, code or sink; nil: the metric has none.
        public var member: String?
        /// The source.
        public var source: String
        /// The merger of all points.
        public var summary: JSONValue?
        /// The average of each point with its time.
        public var points: [Point]
        /// How long a point is, in seconds.
        public var step: Double?
    }

    /// One point.
    public struct Point: Hashable, Sendable {
        /// When it begins.
        public var time: Timestamp
        /// The average.
        public var average: Double
        /// The highest that was seen; nil: not known.
        public var peak: Double?
    }

    /// Where the range begins.
    public var from: Timestamp?
    /// Where it ends.
    public var to: Timestamp?
    /// The series, in order.
    public var series: [Series]

    /// What the agent has answered; what cannot be read is left out.
    public init(_ items: [JSONValue], from: JSONValue?, to: JSONValue?) {
        self.from = from?.asString.flatMap(InstantText.parse)
        self.to = to?.asString.flatMap(InstantText.parse)
        series = items.compactMap(Series.init)
    }
}

extension HistoryState.Series {
    fileprivate init?(_ json: JSONValue) {
        guard let word = json["metric"]?.asString else { return nil }
        metric = word
        unit = json["unit"]?.asString ?? ""
        member = HistoryMetric(rawValue: word)?.memberName.flatMap { json[$0]?.asString }
        source = json["source"]?.asString ?? ""
        summary = json["summary"]
        step = json["step_seconds"]?.asDouble
        points = (json["points"]?.asArray ?? []).compactMap { point in
            guard let time = point["time"]?.asString.flatMap(InstantText.parse),
                let average = point["average"]?.asDouble
            else { return nil }
            let peak = point["peak"]?.asDouble ?? point["maximum"]?.asDouble
            return HistoryState.Point(time: time, average: average, peak: peak)
        }
    }
}
