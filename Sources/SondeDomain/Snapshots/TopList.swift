/// The heaviest of something: addresses, names, services; heaviest first, bounded.
public struct TopList: Hashable, Sendable {
    /// One of the heaviest.
    public struct Row: Hashable, Sendable {
        /// What a person calls it: `192.0.2.53`, `tcp 443`.
        ///
        /// From packets and logs: anybody may have chosen it.
        public var label: String
        /// What identifies it.
        public var attributes: [Attribute]
        /// How much, in the unit of the list.
        public var value: Double

        /// The same row without what is beyond the bounds.
        var bounded: Self {
            let attributes = attributes.map { Attribute($0.name, TopList.cut($0.value)) }
            return Self(label: TopList.cut(label), attributes: attributes, value: value)
        }

        /// A row.
        public init(label: String, attributes: [Attribute], value: Double) {
            self.label = label
            self.attributes = attributes
            self.value = value
        }
    }

    /// How many rows a list has at most.
    public static let bound = 250
    /// How many bytes of a label and of an attribute's value there are at most; what is longer ends in `…`.
    public static let textBound = 512

    /// What requests call it: `talkers.addresses`.
    public var name: String
    /// What people call it.
    public var title: String
    /// UCUM as OpenTelemetry uses it: `By`, `{query}`.
    public var unit: String
    /// The source that it is from.
    public var source: String
    /// How long ago the source last reported it.
    public var age: Nanoseconds
    /// How long the values were counted for; nil: they are of that moment, or it is not known yet.
    public var interval: Nanoseconds?
    /// Heaviest first, at most ``bound``; equally heavy ones in the order of their labels.
    public var rows: [Row]
    /// How many rows were reported.
    public var count: Int
    /// What is not in the rows.
    public var rest: Double
    /// Everything.
    public var total: Double

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > textBound else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: textBound)
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            text.utf8.formIndex(before: &end)
        }
        return text[..<end] + "…"
    }

    /// A list.
    public init(
        name: String, title: String, unit: String, source: String, age: Nanoseconds, interval: Nanoseconds?,
        rows: [Row], count: Int, rest: Double, total: Double
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.source = source
        self.age = age
        self.interval = interval
        self.rows = rows
        self.count = count
        self.rest = rest
        self.total = total
    }
}
