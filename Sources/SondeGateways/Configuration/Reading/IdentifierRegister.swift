import SondeDomain
import SondeEngine

/// The ids given so far, over sources and sinks.
struct IdentifierRegister {
    let reading: ConfigurationReading
    private var places: [String: (mark: SourceMark, kind: PluginDescriptor.Kind)] = [:]

    init(reading: ConfigurationReading) {
        self.reading = reading
    }

    mutating func add(_ id: String, of kind: PluginDescriptor.Kind, at mark: SourceMark) {
        guard IdentifierText.isValid(id) else {
            reading.report(
                .malformedID, at: mark, "\(Shown.text(id)) is no id",
                suggestion: "use 1 to 64 of a-z, 0-9, '_', '.' and '-', beginning with a letter or digit")
            return
        }
        guard !ConfigurationSchema.reservedIDs.contains(id) else {
            reading.report(
                .malformedID, at: mark, "the id \(Shown.text(id)) is the agent's own",
                suggestion: "failures and losses of the agent stand under it: choose another id")
            return
        }
        guard let (other, otherKind) = places[id] else {
            places[id] = (mark, kind)
            return
        }
        // Sources are read before sinks independent of their order: the later place is the one to report.
        let isLater = mark.file != other.file || (other.line, other.column) < (mark.line, mark.column)
        let (first, second) = isLater ? (other, mark) : (mark, other)
        places[id] = (first, isLater ? otherKind : kind)
        let advice = kind == otherKind ? "; 'override: true' changes the first one" : ""
        reading.report(
            .duplicateID, at: second, "the id \(Shown.text(id)) is given twice",
            suggestion: "it is already at \(first); ids are unique over sources and sinks\(advice)")
    }
}
