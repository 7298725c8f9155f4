internal import SondeDomain

/// What a series is called at a Prometheus receiver: its family's name and its labels.
///
/// `job` and `instance` come from the sink that pushes, as they would from a scrape; an attribute of the source that has one of
/// their names, or `le` in a histogram, becomes `exported_…`. Names and values beyond 1,024 bytes are cut and end in a
/// hash of the whole: VictoriaMetrics drops longer ones without a word.
struct PrometheusSeries {
    /// How many labels a series may have, its name included: Mimir refuses more by default.
    static let mostLabels = 30
    /// How long a name or a value may be.
    static let longestText = 1_024

    /// Its family.
    let name: PrometheusName
    /// The labels without the name, sorted by the bytes of their names, without empty values.
    let labels: [Attribute]

    /// Nil where the series has no name in this format, or too many labels.
    ///
    /// `target`: nil where the receiver adds its labels itself.
    init?(_ series: Series, _ resource: Resource, _ target: PrometheusTarget? = nil, agent: String = "") {
        guard let name = PrometheusName(series.name, kind: series.kind, unit: series.unit) else { return nil }
        self.name = name
        var labels: [(name: String, value: String)] = []
        var places: [String: Int] = [:]
        for (label, value) in target?.labels(resource, agent: agent) ?? [] where !value.isEmpty {
            places[label] = labels.count
            labels.append((label, value))
        }
        let own = labels.count
        for tag in TagSet(series, resource).tags {
            var label = PrometheusLabels.name(tag.name)
            let isTaken = places[label].map { $0 < own } ?? false
            if isTaken || label.hasPrefix("__") || (label == "le" && series.kind == .histogram) {
                label = "exported_" + label
            }
            if let place = places[label] {
                labels[place].value += ";" + tag.value
            } else {
                places[label] = labels.count
                labels.append((label, tag.value))
            }
        }
        // One more for the name, and one for a histogram's bound.
        guard labels.count + (series.kind == .histogram ? 2 : 1) <= Self.mostLabels else { return nil }
        self.labels = labels.map { Attribute(Self.bounded($0.name), Self.bounded($0.value)) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The labels in their order, the name among them; those of a histogram in three parts, since its rows differ in the
    /// name, which comes after the first part, and in `le`, which comes after the second.
    var parts: [ArraySlice<Attribute>] {
        let place = place(of: "__name__")
        guard name.type != .histogram else {
            let bound = self.place(of: "le")
            return [labels[..<place], labels[place..<bound], labels[bound...]]
        }
        var all = labels
        all.insert(Attribute("__name__", name.family), at: place)
        return [all[...], [], []]
    }

    /// The index of the first label that is sorted after a name.
    private func place(of name: String) -> Int {
        labels.firstIndex { !$0.name.utf8.lexicographicallyPrecedes(name.utf8) } ?? labels.endIndex
    }

    /// The text, or its beginning and a hash of all of it.
    static func bounded(_ text: String) -> String {
        guard text.utf8.count > longestText else { return text }
        // FNV-1a, 64 bits: the same in every process, so that a series keeps its name over a restart.
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: longestText - 17)
        while end > text.startIndex, text.utf8[end] & 0xc0 == 0x80 { end = text.utf8.index(before: end) }
        let digits = String(hash, radix: 16)
        return text[..<end] + "_" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A histogram's bound as the value of the label `le`, the same from every sink: `0.5`, `1`, `+Inf`.
enum PrometheusBound {
    static func text(_ bound: Double) -> String {
        guard bound.isFinite else { return "+Inf" }
        var buffer = ByteBuffer()
        append(bound, to: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    // The text format's own spelling of a whole bound is `1`, and `le` is compared as text.
    static func append(_ bound: Double, to buffer: inout ByteBuffer) {
        guard bound.isFinite else { return buffer.append(literal: "+Inf") }
        _ = buffer.append(shortest: bound)
        if buffer.bytes.suffix(2).elementsEqual([0x2e, 0x30]) { buffer.truncate(to: buffer.count - 2) }
    }
}

extension PrometheusName.MetricType {
    /// The number of the type in the metadata of remote write, the same in both versions.
    var number: UInt8 {
        switch self {
        case .counter: 1
        case .gauge: 2
        case .histogram: 3
        }
    }
}

/// What stands for the target of a scrape when samples are pushed.
public struct PrometheusTarget: Hashable, Sendable {
    /// What the label `instance` holds.
    public enum Instance: String, CaseIterable, Sendable {
        /// The host name of the agent.
        case host
        /// The id of the agent, which stays the same when the host is renamed.
        case agent
    }

    /// The label `job`; empty: none.
    public var job: String
    /// Where the label `instance` comes from.
    public var instance: Instance

    /// A target.
    public init(job: String = "sonde", instance: Instance = .host) {
        self.job = job
        self.instance = instance
    }

    fileprivate func labels(_ resource: Resource, agent: String) -> [(String, String)] {
        [("job", job), ("instance", instance == .host ? resource.host ?? "" : agent)]
    }
}
