/// Takes what libcurl receives.
///
/// A class, because libcurl's callbacks find it behind a pointer.
final class ResponseReceiver {
    /// How much is read after the header section, body and trailers together: answers to a delivery are short, and what
    /// is longer is not for us.
    static let longestBody = 64 << 10

    /// The header section.
    private(set) var head = ResponseHead()
    /// The beginning of the body.
    private(set) var body = ReceivedText()

    private var received = 0

    /// Takes a line of the header section, or of the trailers after the body; false when that is more than is read.
    ///
    /// libcurl bounds the header section; it keeps every trailer until the transfer ends, and bounds none of them.
    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if head.status != nil { return isWithinLimit(bytes.count) }
        head.take(Array(bytes))
        return true
    }

    /// Takes a part of the body; false when that is more than is read.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        body.append(bytes, limit: Self.longestBody)
        return isWithinLimit(bytes.count)
    }

    private func isWithinLimit(_ count: Int) -> Bool {
        received = received &+ count
        return received <= Self.longestBody
    }

    /// The receiver behind a callback's context.
    static func behind(_ context: UnsafeMutableRawPointer?) -> ResponseReceiver? {
        context.map { Unmanaged<ResponseReceiver>.fromOpaque($0).takeUnretainedValue() }
    }
}
