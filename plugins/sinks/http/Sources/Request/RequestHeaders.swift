internal import SondeDomain

/// The header fields of one delivery, without those that libcurl writes.
struct RequestHeaders: Hashable, Sendable {
    /// In the order in which they are sent.
    let fields: [HeaderField]

    /// The fields for a batch of `lines` lines; the user's own come last.
    init(_ batch: Batch, lines: Int, contentType: String, own: [HeaderField]) {
        var fields = [
            HeaderField(name: "Content-Type", value: contentType),
            HeaderField(name: "Sonde-Batch", value: Self.visible(batch.identity.text)),
            HeaderField(name: "Sonde-Sink", value: Self.visible(batch.sink)),
            HeaderField(name: "Sonde-Points", value: "\(lines)"),
        ]
        if batch.attempt > 0 {
            fields.append(HeaderField(name: "Retry-Attempt", value: "\(batch.attempt)"))
        }
        self.fields = fields + own
    }

    /// The lines as libcurl takes them: an empty value wants a semicolon, a colon would remove the field.
    var lines: [String] {
        fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    }

    // The host hands in plain identifiers; whatever else came in must not end the field and begin another one.
    private static func visible(_ text: String) -> String {
        guard text.utf8.contains(where: { !(0x21...0x7e).contains($0) }) else { return text }
        return text.utf8.map { byte in
            (0x21...0x7e).contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
