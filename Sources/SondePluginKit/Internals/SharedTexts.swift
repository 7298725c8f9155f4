internal import CSondePlugin
internal import SondeDomain

/// Names and sentences that the series of a sink have in common, each kept once.
///
/// A host has thousands of series with a hundred names: a copy for each was 3.5 of 27 MiB in use with eight sinks.
struct SharedTexts {
    // Names come from plugins, which may invent them without end.
    private static let most = 4096
    // A string of so many bytes needs no memory beside its own.
    private static let inPlace = 15

    private var known: Set<String> = []
    private var labels: [Attribute] = []

    /// How many are kept.
    var count: Int { known.count }

    /// A contract string, which shares the memory of an equal one.
    mutating func text(_ string: sonde_string) -> String {
        let text = String(string)
        guard text.utf8.count > Self.inPlace else { return text }
        if let place = known.firstIndex(of: text) { return known[place] }
        if known.count >= Self.most { known.removeAll() }
        known.insert(text)
        return text
    }

    /// Attributes of a series, with names that are shared; their values are seldom equal.
    mutating func attributes(_ first: UnsafePointer<sonde_attribute>?, count: Int) -> [Attribute] {
        (ContractArray(first, count: count) ?? .empty).compactMap { record in
            record.map { Attribute(text($0.name), String($0.value)) }
        }
    }

    /// Labels of a source: those of the series before, where they are equal.
    mutating func labels(_ first: UnsafePointer<sonde_attribute>?, count: Int) -> [Attribute] {
        let given = attributes(first, count: count)
        if given != labels { labels = given }
        return labels
    }
}
