/// The header section of the last response that came in, line by line.
///
/// Keeps only the fields that are used, and those bounded.
struct ResponseHead: Hashable, Sendable {
    private static let longestText = 8 << 10
    private static let mostFields = 8
    // What every answer is judged by.
    private static let judged: Set = ["retry-after", "date", "location"]

    /// The status, once the whole header section of a final response is here.
    ///
    /// A status line whose header section breaks off is no answer: what would have followed is unknown.
    var status: Int? { isComplete ? announced : nil }
    /// The words after the status.
    private(set) var reason = ReceivedText()

    private let names: Set<String>
    private let longestName: Int
    private var fields: [String: [ReceivedText]] = [:]
    private var announced: Int?
    private var isComplete = false

    /// Keeps the fields `names`, in small letters, and those that every answer is judged by.
    init(keeping names: Set<String> = []) {
        self.names = names.union(Self.judged)
        longestName = self.names.map(\.utf8.count).max() ?? 0
    }

    /// The values of a field, oldest first; none for one that is not kept.
    func values(_ name: String) -> [ReceivedText] { fields[name] ?? [] }

    /// Takes one line with its line end.
    ///
    /// A status line begins a new response: an interim one comes before the final one.
    mutating func take(_ line: [UInt8]) {
        let line = line.trimmingLineEnd
        if line.starts(with: "HTTP/".utf8), announced == nil || isInterim {
            begin(line)
        } else if line.isEmpty {
            isComplete = announced != nil && !isInterim
        } else if !isComplete {
            keep(line)
        }
    }

    private var isInterim: Bool { announced.map { $0 < 200 } ?? false }

    private mutating func begin(_ line: ArraySlice<UInt8>) {
        self = ResponseHead(keeping: names)
        let rest = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard digits.count == 3 else { return }
        announced = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        reason = ReceivedText(rest.dropFirst(3).drop { $0 == 0x20 }, limit: Self.longestText)
    }

    private mutating func keep(_ line: ArraySlice<UInt8>) {
        guard let colon = line.firstIndex(of: 0x3a), colon - line.startIndex <= longestName else { return }
        let name = String(decoding: line[..<colon].map(\.asciiLowercase), as: UTF8.self)
        guard names.contains(name), fields[name, default: []].count < Self.mostFields else { return }
        fields[name, default: []].append(
            ReceivedText(line[(colon + 1)...].trimmingSpaces, limit: Self.longestText))
    }
}

extension UInt8 {
    /// The byte with an ASCII capital made small.
    var asciiLowercase: UInt8 {
        (0x41...0x5a).contains(self) ? self | 0x20 : self
    }
}

extension Collection where Element == UInt8, SubSequence == ArraySlice<UInt8> {
    /// Without the line feed, and the carriage return before it.
    var trimmingLineEnd: ArraySlice<UInt8> {
        var slice = self[...]
        if slice.last == 0x0a { slice = slice.dropLast() }
        if slice.last == 0x0d { slice = slice.dropLast() }
        return slice
    }

    /// Without spaces and tabs at both ends.
    var trimmingSpaces: ArraySlice<UInt8> {
        var slice = self.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = slice.last, last == 0x20 || last == 0x09 { slice = slice.dropLast() }
        return slice
    }
}

/// The beginning of a received text, and whether there was more of it.
struct ReceivedText: Hashable, Sendable {
    /// The bytes.
    private(set) var bytes: [UInt8] = []
    /// Whether something is missing at the end.
    private(set) var isCut = false

    /// At most `limit` bytes of a text.
    init(_ text: some Collection<UInt8> = [], limit: Int = .max) {
        append(text, limit: limit)
    }

    /// At most `limit` bytes of it.
    func prefix(_ limit: Int) -> ReceivedText {
        var text = ReceivedText(bytes, limit: limit)
        text.isCut = text.isCut || isCut
        return text
    }

    /// Without the first `count` bytes of it.
    func dropFirst(_ count: Int) -> ReceivedText {
        var text = self
        text.bytes.removeFirst(min(count, bytes.count))
        return text
    }

    /// Adds bytes up to `limit` in all.
    mutating func append(_ text: some Collection<UInt8>, limit: Int) {
        let room = max(0, limit - bytes.count)
        bytes += text.prefix(room)
        isCut = isCut || text.count > room
    }
}
