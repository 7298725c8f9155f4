/// The header section of the last response that came in, line by line.
///
/// Keeps only what the sink looks at, and that bounded.
struct ResponseHead: Hashable, Sendable {
    private static let longestValue = 256
    private static let longestText = 8 << 10
    private static let mostRetryFields = 8

    /// The status, once the whole header section of a final response is here.
    ///
    /// A status line whose header section breaks off is no answer: nobody can say what would have followed.
    var status: Int? { isComplete ? announced : nil }
    /// The words after the status.
    private(set) var reason = ReceivedText()
    /// The values of `Retry-After`.
    private(set) var retryAfter: [[UInt8]] = []
    /// The value of `Date`.
    private(set) var date: [UInt8]?
    /// The value of `Location`.
    private(set) var location: ReceivedText?

    private var announced: Int?
    private var isComplete = false

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
        self = ResponseHead()
        let rest = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard digits.count == 3 else { return }
        announced = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        reason = ReceivedText(rest.dropFirst(3).drop { $0 == 0x20 }, limit: Self.longestText)
    }

    private mutating func keep(_ line: ArraySlice<UInt8>) {
        guard let colon = line.firstIndex(of: 0x3a), colon - line.startIndex <= 16 else { return }
        let value = Array(line[(colon + 1)...].trimmingSpaces)
        switch String(decoding: line[..<colon].map(\.asciiLowercase), as: UTF8.self) {
        case "retry-after" where retryAfter.count < Self.mostRetryFields:
            retryAfter.append(Array(value.prefix(Self.longestValue)))
        case "date": date = Array(value.prefix(Self.longestValue))
        case "location": location = ReceivedText(value, limit: Self.longestText)
        default: break
        }
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
