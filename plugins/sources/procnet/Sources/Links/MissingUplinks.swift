internal import SondePluginKit

/// The interfaces of the option `uplinks` that do not exist: each is a trouble of the source until it appears.
struct MissingUplinks {
    private let names: [String]
    private var reported: Set<Int> = []

    init(_ names: [String]) {
        self.names = names
    }

    /// Reports what is missing since the last time, and clears what has appeared.
    mutating func update(_ host: PluginHost, exists: (String) -> Bool) {
        for (index, name) in names.enumerated() {
            if exists(name) {
                if reported.remove(index) != nil { Self.clear(index, host) }
            } else if reported.insert(index).inserted {
                host.reportTrouble(.uplinkMissing(name, option: Self.option(index)))
            }
        }
    }

    /// Clears everything: nobody looks any more.
    mutating func clearAll(_ host: PluginHost) {
        for index in reported { Self.clear(index, host) }
        reported = []
    }

    private static func clear(_ index: Int, _ host: PluginHost) {
        host.clearTrouble(PluginError.uplinkMissingCode, optionPath: option(index))
    }

    private static func option(_ index: Int) -> String { "uplinks[\(index)]" }
}
