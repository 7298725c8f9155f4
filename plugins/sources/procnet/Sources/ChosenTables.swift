internal import SondeDomain
internal import SondePluginKit

/// What the option `tables` names.
struct ChosenTables {
    var tables: [ProcTable] = []
    var extras: Set<ExtraTable> = []

    /// Everything when the option is not set.
    ///
    /// Throws `SND-PRC006` for a word that names no table.
    init(_ options: Options) throws(PluginError) {
        let words = options.list("tables")
        guard !words.isEmpty else {
            tables = ProcTable.allCases
            extras = Set(ExtraTable.allCases)
            return
        }
        for (index, word) in words.enumerated() {
            if let table = ProcTable(rawValue: word) {
                if !tables.contains(table) { tables.append(table) }
            } else if let extra = ExtraTable(rawValue: word) {
                extras.insert(extra)
            } else {
                throw Self.unknown(word, at: index)
            }
        }
    }

    private static func unknown(_ word: String, at index: Int) -> PluginError {
        let words = ProcTable.allCases.map(\.rawValue) + ExtraTable.allCases.map(\.rawValue)
        return PluginError(
            "SND-PRC006",
            .configuration,
            "there is no table '\(word)'",
            hint: "Use \(words.joined(separator: ", ")).",
            optionPath: "tables[\(index)]"
        )
    }
}

/// What is read beside the six tables and the sockets; the words of the option `tables`.
enum ExtraTable: String, CaseIterable {
    /// Packets on their way in, processor by processor.
    case softnet
    /// Connection tracking.
    case conntrack
    /// Neighbours: ARP and neighbour discovery.
    case neighbours
    /// Queueing disciplines.
    case queues
    /// Wireless devices.
    case wireless

    /// What the processors count of them.
    var part: ProcessorStage.Part? { ProcessorStage.Part(rawValue: rawValue) }

    /// What the route socket reports about them.
    var link: LinkExtras.Part? { LinkExtras.Part(rawValue: rawValue) }
}
