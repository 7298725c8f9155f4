import SondeDomain
import SondeEngine

/// Checks what becomes part of every point or of a filter.
struct LabelCheck {
    private static let countLimit = 32
    private static let nameLimit = 255
    private static let valueLimit = 1_024
    // Receivers have labels of these names themselves: of the target, of the host, of a histogram's bound.
    private static let reserved: Set = ["job", "instance", "host", "le"]

    let reading: ConfigurationReading

    func check(_ options: OptionReader, _ key: String) {
        let labels = options.values.map(key)
        let mark = options.marks[key] ?? options.ownerMark
        if labels.count > Self.countLimit {
            reading.report(
                .outOfRange, at: mark,
                "\(Shown.text(key)) has \(labels.count) entries, at most \(Self.countLimit) are allowed")
        }
        for label in labels {
            let place = options.marks["\(key).\(label.name)"] ?? mark
            if label.name.isEmpty || label.name.utf8.count > Self.nameLimit {
                reading.report(
                    .malformedName, at: place, "the name of a label has 1 to \(Self.nameLimit) bytes")
            }
            if Self.reserved.contains(label.name) || label.name.hasPrefix("__") {
                reading.report(
                    .malformedName, at: place,
                    "\(Shown.text(label.name)) cannot be a label: receivers have one of that name",
                    suggestion: "choose another name")
            }
            if label.value.utf8.count > Self.valueLimit {
                reading.report(
                    .outOfRange, at: place, "the label \(Shown.text(label.name)) has more than \(Self.valueLimit) bytes"
                )
            }
        }
    }

    func checkGlobs(_ options: OptionReader, _ key: String) {
        for (index, glob) in options.values.list(key).enumerated() where glob.isEmpty {
            let mark = options.marks["\(key)[\(index)]"] ?? options.ownerMark
            reading.report(.malformedName, at: mark, "a glob in \(Shown.text(key)) is empty and matches nothing")
        }
    }
}
