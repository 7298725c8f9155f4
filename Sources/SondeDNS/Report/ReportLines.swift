public import SondeFormats

/// A count with its name.
public struct NamedCount: Hashable, Sendable {
    /// What is counted.
    public let name: String
    /// How many there were.
    public var count: UInt64

    /// A count.
    public init(name: String, count: UInt64) {
        self.name = name
        self.count = count
    }

    /// Writes an object with a member for each count; `null` when they are not known.
    public static func write(_ counts: [NamedCount]?, _ json: inout JSONWriter) {
        guard let counts else { return json.null() }
        json.object { json in for count in counts { json.member(count.name, count.count) } }
    }
}

/// The report of a file for people: lines of a name and a value, the values below each other.
public enum ReportLines {
    /// A name and what is said of it.
    public typealias Line = (name: String, value: String)

    /// The bytes of the lines.
    public static func table(_ lines: [Line]) -> [UInt8] {
        let width = (lines.map(\.name.utf8.count).max() ?? 0) + 2
        let text = lines.map { line in
            line.name + String(repeating: " ", count: width - line.name.utf8.count) + line.value + "\n"
        }
        return Array(text.joined().utf8)
    }

    /// Counts in one line, the most frequent first.
    public static func text(_ counts: [NamedCount]) -> String {
        counts.sorted { ($1.count, $0.name) < ($0.count, $1.name) }.map { "\($0.name) \($0.count)" }
            .joined(separator: ", ")
    }

    /// With three decimals, which is as good as most clocks.
    static func milliseconds(_ nanoseconds: Double) -> String {
        // More than three weeks is no time of a response.
        guard nanoseconds < 2e15 else { return "over 2000000 s" }
        let micro = Int64(nanoseconds / 1000)
        let fraction = String(micro % 1000 + 1000).dropFirst()
        return "\(micro / 1000).\(fraction) ms"
    }
}
