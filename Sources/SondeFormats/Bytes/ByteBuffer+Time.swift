public import SondeDomain

extension ByteBuffer {
    /// Appends an instant as RFC 3339 in UTC with milliseconds, `2026-01-01T00:00:00.000Z`.
    public mutating func append(time: Timestamp) {
        var text = TimeText()
        text.append(time, to: &self)
    }
}
