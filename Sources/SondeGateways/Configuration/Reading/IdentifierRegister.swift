import SondeDomain
import SondeEngine

/// The ids given so far, over sources and sinks.
struct IdentifierRegister {
    let reading: ConfigurationReading
    private var places: [String: SourceMark] = [:]

    init(reading: ConfigurationReading) {
        self.reading = reading
    }

    mutating func add(_ id: String, at mark: SourceMark) {
        guard IdentifierText.isValid(id) else {
            reading.report(
                .malformedID, at: mark, "\(Shown.text(id)) is no id",
                suggestion: "use 1 to 64 of a-z, 0-9, '_', '.' and '-', beginning with a letter or digit")
            return
        }
        if let place = places[id] {
            reading.report(
                .duplicateID, at: mark, "the id \(Shown.text(id)) is given twice",
                suggestion: "it stands already at \(place); ids are unique over sources and sinks")
        } else {
            places[id] = mark
        }
    }
}
