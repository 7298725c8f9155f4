/// The beginning of a text that somebody else sent, and whether there was more of it.
struct ReceivedText: Hashable, Sendable {
    /// The bytes.
    private(set) var bytes: [UInt8] = []
    /// Whether something is missing at the end.
    private(set) var isCut = false

    /// At most `limit` bytes of a text.
    init(_ text: some Collection<UInt8> = [], limit: Int = .max) {
        append(text, limit: limit)
    }

    /// Adds bytes up to `limit` in all.
    mutating func append(_ text: some Collection<UInt8>, limit: Int) {
        let room = max(0, limit - bytes.count)
        bytes += text.prefix(room)
        isCut = isCut || text.count > room
    }
}
