import SondeDomain
import SondeEngine

/// Checks `agent.host`, which is sent with every batch: the length of a host name, RFC 1123, and visible characters.
struct HostNameCheck {
    private static let nameLimit = 255
    private static let labelLimit = 63

    let reading: ConfigurationReading

    func check(_ options: OptionReader) {
        guard let name = options.values.string("host"), !Self.isValid(name) else { return }
        reading.report(
            .malformedName, at: options.marks["host"] ?? options.ownerMark, "'host' is no host name",
            suggestion: "write at most \(Self.nameLimit) bytes: parts of 1 to \(Self.labelLimit) with dots between, "
                + "without control characters")
    }

    private static func isValid(_ name: String) -> Bool {
        guard name.utf8.count <= nameLimit else { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { (1...labelLimit).contains($0.utf8.count) }
            && name.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
    }
}
