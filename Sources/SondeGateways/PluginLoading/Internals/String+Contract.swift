internal import CSondePlugin
internal import SondeDomain

extension String {
    /// A copy of a plugin's string, `\xNN` for invalid UTF-8; nil when malformed or longer than `limit` bytes.
    init?(_ string: sonde_string, limit: Int) {
        guard string.size >= 0, string.size <= limit else { return nil }
        guard string.size > 0 else {
            self = ""
            return
        }
        guard let data = string.data else { return nil }
        self = UTF8Text.escaping(UnsafeRawBufferPointer(start: data, count: string.size))
    }

    /// A copy of a plugin's string, cut after `limit` bytes; nil when it is malformed.
    init?(_ string: sonde_string, cutAt limit: Int) {
        // An impossible size is invalid, and the memory there must not be read.
        guard string.size <= Self.sizeLimit else { return nil }
        self.init(sonde_string(data: string.data, size: Swift.min(string.size, limit)), limit: limit)
    }

    private static let sizeLimit = 1 << 20

    /// The text in a fixed field, up to the first NUL or the end.
    init(field: UnsafeRawBufferPointer) {
        self = String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }
}
