/// The text whose holder may have sources and sinks try again.
struct Token: Sendable {
    /// As short as it may be: guessing takes longer than anybody lives.
    static let shortest = 20
    static let longest = 1_024

    private let bytes: [UInt8]

    /// A new one.
    init() {
        bytes = Array(RandomText.make().utf8)
    }

    /// The one of a file, whose last line break does not count; nil: too short, too long, or not printable ASCII.
    init?(_ content: [UInt8]) {
        var content = content[...]
        while let last = content.last, last == 0x0a || last == 0x0d { content.removeLast() }
        guard (Self.shortest...Self.longest).contains(content.count), content.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        bytes = Array(content)
    }

    /// The text, for the link of who started the server.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether a text is the token; takes the same time whatever is different.
    func matches(_ text: some StringProtocol) -> Bool {
        let given = Array(text.utf8.prefix(Self.longest + 1))
        var difference = UInt(bitPattern: given.count ^ bytes.count)
        for (index, byte) in bytes.enumerated() {
            difference |= UInt(byte ^ (given.isEmpty ? 0 : given[index % given.count]))
        }
        return difference == 0
    }
}
