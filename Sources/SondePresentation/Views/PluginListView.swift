internal import SondeFormats

/// Spells a list of plugins.
public struct PluginListView {
    private let state: PluginListState
    private let columns: Int?

    /// A view of `state` on a terminal that is so wide; nil: lines may be as long as they are.
    public init(_ state: PluginListState, columns: Int? = nil) {
        self.state = state
        self.columns = columns
    }

    /// Aligned columns for people; a summary that has no room continues in the next line.
    public var text: String {
        guard !state.rows.isEmpty else { return "no plugins were found\n" }
        var table = TextTable(["NAME", "KIND", "VERSION", "SUMMARY"])
        for row in state.rows {
            table.append([row.name, row.kind ?? "refused", row.version ?? "-", row.summary])
        }
        return table.lines(columns: columns).joined(separator: "\n") + "\n"
    }

    /// One JSON array of objects; what is not known is left out.
    public var json: String {
        var buffer = ByteBuffer()
        buffer.append("[")
        for (index, row) in state.rows.enumerated() {
            buffer.append(index > 0 ? ",{\"name\":" : "{\"name\":")
            buffer.append(jsonString: row.name)
            append("kind", row.kind, to: &buffer)
            append("version", row.version, to: &buffer)
            append("path", row.path, to: &buffer)
            append(row.kind == nil ? "refusal" : "summary", row.summary, to: &buffer)
            buffer.append("}")
        }
        buffer.append("]\n")
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    private func append(_ key: String, _ value: String?, to buffer: inout ByteBuffer) {
        guard let value else { return }
        buffer.append(",\"\(key)\":")
        buffer.append(jsonString: value)
    }
}
