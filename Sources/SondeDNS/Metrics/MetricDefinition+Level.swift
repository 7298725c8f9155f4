public import SondeDomain

extension MetricDefinition {
    // Bounds of the sources themselves, and what has a series for each type, flag or server.
    private static let detailed: Set<String> = [
        "table", "stream", "distinct", "flag", "question", "server", "local", "upstream", "frame", "dnstap", "file",
        "rotation", "truncation", "keep_alive", "zero_window_probe",
    ]

    /// The metric of a capture or of DNS at its level.
    ///
    /// A histogram has twenty series, and top lists have names, addresses and ports as labels: these are sent only where they are
    /// asked for.
    public var atItsLevel: MetricDefinition {
        let words = Set(name.utf8.split(separator: 0x2e).map { String(decoding: $0, as: UTF8.self) })
        if words.contains("top") { return at(.all) }
        return at(kind == .histogram || !words.isDisjoint(with: Self.detailed) ? .extended : .core)
    }
}
