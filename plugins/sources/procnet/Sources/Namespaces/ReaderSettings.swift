internal import SondePluginKit

/// The options for how a namespace is read.
struct ReaderSettings {
    let chosen: ChosenTables
    let links: LinkSettings
    let sockets: SocketSettings
    let counters: CounterChoice

    /// Throws `SND-PRC006` for a word that names no table.
    init(_ options: Options, _ limits: TableLimits) throws(PluginError) {
        chosen = try ChosenTables(options)
        sockets = SocketSettings(options)
        var links = LinkSettings(options)
        links.interfaces = limits.interfaces
        links.extras = Set(chosen.extras.compactMap(\.link)).union([.functions])
        links.budget = sockets.budget
        self.links = links
        counters = CounterChoice(options.list("counters"))
    }
}
