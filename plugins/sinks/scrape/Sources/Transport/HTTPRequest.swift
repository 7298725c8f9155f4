internal import CMicrohttpd
internal import SondeFormats

/// The head of a request; valid while it is being handled.
struct HTTPRequest {
    // Beyond these, a request is malformed: each name is compared with each family, and a star makes that long.
    private static let mostNames = 64
    private static let mostBytes = 2_048
    private static let mostStars = 4
    private static let longestWithStar = 128

    let connection: OpaquePointer
    /// Nil where it is no UTF-8.
    let path: String?
    let method: String?

    init(_ connection: OpaquePointer, _ path: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>) {
        self.connection = connection
        self.path = String(validatingCString: path)
        self.method = String(validatingCString: method)
    }

    /// Names its connection.
    var socket: Int32 { sonde_mhd_socket(connection) }

    /// A field of the head.
    func field(_ name: String) -> String? {
        sonde_mhd_field(connection, name).map { String(cString: $0) }
    }

    /// The values of `name[]` in the query; nil: there are too many, or they would take too long.
    var names: [String]? {
        var names: [String] = []
        withUnsafeMutablePointer(to: &names) { names in
            sonde_mhd_query(connection, names) { context, key, value in
                guard let names = context?.assumingMemoryBound(to: [String].self), let key, let value else { return 1 }
                if String(cString: key) == "name[]" { names.pointee.append(String(cString: value)) }
                return names.pointee.count > HTTPRequest.mostNames ? 0 : 1
            }
        }
        let starred = names.filter { $0.utf8.contains(0x2a) }
        let stars = starred.reduce(0) { $0 + $1.utf8.count { $0 == 0x2a } }
        guard names.count <= Self.mostNames, names.reduce(0, { $0 + $1.utf8.count }) <= Self.mostBytes,
            stars <= Self.mostStars, starred.allSatisfy({ $0.utf8.count <= Self.longestWithStar })
        else { return nil }
        return names
    }

    /// The format that the client prefers (RFC 9110, section 12.5.1); the text format where it says nothing.
    var format: PrometheusPageStyle.Format {
        guard let accept = field("Accept") else { return .text }
        let ranges = WeightedValue.list(accept)
        let text = ranges.filter { ["text/plain", "text/*", "*/*"].contains($0.value) }
            .filter { $0.parameters["version"] ?? "0.0.4" == "0.0.4" }.map(\.weight).max()
        let openMetrics =
            ranges.filter { $0.value == "application/openmetrics-text" }
            .filter { ["1.0.0", "0.0.1"].contains($0.parameters["version"] ?? "1.0.0") }.map(\.weight).max() ?? 0
        return openMetrics > 0 && openMetrics >= text ?? 0 ? .openMetrics : .text
    }

    /// Whether the client takes gzip.
    var acceptsGzip: Bool {
        guard let codings = field("Accept-Encoding").map(WeightedValue.list) else { return false }
        return (codings.first { $0.value == "gzip" } ?? codings.first { $0.value == "*" }).map { $0.weight > 0 }
            ?? false
    }
}

/// One member of a field like `Accept`.
struct WeightedValue {
    /// In lower case.
    let value: String
    let parameters: [String: String]
    /// From 0 to 1,000.
    let weight: Int

    /// The members of a field, 32 at most.
    static func list(_ field: String) -> [WeightedValue] {
        field.split(separator: ",", maxSplits: 32).prefix(32).compactMap { WeightedValue($0) }
    }

    private init?(_ text: Substring) {
        let parts = text.split(separator: ";").map { Self.trimmed($0).lowercased() }
        guard let value = parts.first, !value.isEmpty else { return nil }
        self.value = value
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            parameters[Self.trimmed(pair[0])] = Self.trimmed(pair[1]).filter { $0 != "\"" }
        }
        weight = Self.thousandths(parameters.removeValue(forKey: "q") ?? "1")
        self.parameters = parameters
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let bytes = text.utf8.drop(while: isSpace)
        return String(decoding: bytes.reversed().drop(while: isSpace).reversed(), as: UTF8.self)
    }

    /// `0.25` as 250; 0 for what is no weight (RFC 9110, section 12.4.2).
    private static func thousandths(_ text: String) -> Int {
        let parts = text.utf8.split(separator: 0x2e, omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Int(String(decoding: parts[0], as: UTF8.self)),
            (0...1).contains(whole)
        else { return 0 }
        let digits = parts.count == 2 ? String(decoding: parts[1].prefix(3), as: UTF8.self) : ""
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
        let rest = Int(digits + String(repeating: "0", count: 3 - digits.utf8.count)) ?? 0
        return min(1_000, whole * 1_000 + rest)
    }
}
