internal import SondeWire

/// What counts as a failure.
struct FailureRule: Equatable {
    /// What the option `failures` may name beside response codes.
    static let classes = ["error", "denial", "unanswered", "dropped"]

    private let names: Set<String>

    /// The default: errors and what was not answered.
    static let standard = FailureRule(names: ["error", "unanswered"])

    private init(names: Set<String>) {
        self.names = names
    }

    /// A rule of classes and response codes; nil with the name that is neither.
    static func parse(_ names: [String]) -> Result<FailureRule, UnknownName> {
        var known: Set<String> = []
        for name in names {
            guard classes.contains(name) || codes.contains(name.uppercased()) else {
                return .failure(UnknownName(name: name))
            }
            known.insert(classes.contains(name) ? name : name.lowercased())
        }
        return .success(known.isEmpty ? .standard : FailureRule(names: known))
    }

    struct UnknownName: Error {
        let name: String
    }

    var countsUnanswered: Bool { names.contains("unanswered") }
    var countsDropped: Bool { names.contains("dropped") }

    /// Whether responses of a cell are failures.
    func counts(_ cell: ResponseCell) -> Bool {
        if let type = cell.errorType, names.contains(type) { return true }
        return cell.responseClass.map { names.contains($0.rawValue) } ?? false
    }

    private static var codes: [String] {
        (0..<DNSResponseCode.attributeCount).compactMap { DNSResponseCode.known(at: $0)?.attribute }
    }
}
