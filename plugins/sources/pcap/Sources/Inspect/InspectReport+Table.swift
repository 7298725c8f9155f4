extension InspectReport {
    /// For people: one line per count.
    var table: [UInt8] {
        var lines: [(name: String, value: String)] = [
            ("link types", linkTypes.isEmpty ? "none" : linkTypes.joined(separator: ", ")),
            ("packets", "\(packets)"),
            ("bytes", "\(bytes) on the wire, \(capturedBytes) captured"),
            ("duration", duration.map { "\(Self.seconds($0)) s" } ?? "unknown: no packet has a time"),
            ("busiest second", peakBytesPerSecond.map { "\($0) B/s" } ?? "unknown: no packet has a time"),
        ]
        if let failure { lines.append(("incomplete", "\(failure.code): \(failure.message)")) }
        let width = (lines.map(\.name.utf8.count).max() ?? 0) + 2
        let text = lines.map { line in
            line.name + String(repeating: " ", count: width - line.name.utf8.count) + line.value + "\n"
        }
        return Array(text.joined().utf8)
    }
}
