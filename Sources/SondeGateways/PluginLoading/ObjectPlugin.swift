internal import SondeDomain
internal import SondeEngine
internal import SondePluginKit

/// A plugin whose functions are in this process, from a shared object that has passed every check or built in.
final class ObjectPlugin: LoadedPlugin {
    let descriptor: PluginDescriptor
    let path: String
    let table: PluginTable
    /// Whether its instances are to be confined, which a process that does nothing else can be.
    let isConfined: Bool
    /// What its sinks and those of other plugins have in common.
    private let records: SharedBySeries<SeriesRecord>

    /// A plugin of an object that is linked.
    convenience init(
        _ name: PluginName, _ object: SharedObject, _ records: SharedBySeries<SeriesRecord>
    ) throws(SondeError) {
        guard let entry = object.entry(name.entrySymbol) else {
            throw .pluginMisnamed(.pluginEntryMissing, object.path, "exports no function \(name.entrySymbol)")
        }
        try self.init(name.text, entry, path: object.path, isConfined: object.isConfined, records)
    }

    /// A plugin that is built in.
    convenience init(_ plugin: BuiltInPlugin, _ records: SharedBySeries<SeriesRecord>) throws(SondeError) {
        try self.init(plugin.name, plugin.entry, path: BuiltInPlugin.path, isConfined: plugin.isConfined, records)
    }

    private init(
        _ name: String, _ entry: SharedObject.Entry, path: String, isConfined: Bool,
        _ records: SharedBySeries<SeriesRecord>
    ) throws(SondeError) {
        self.records = records
        self.path = path
        self.isConfined = isConfined
        table = try PluginTable(entry(), path: path)
        descriptor = try table.descriptor(path: path)
        guard descriptor.name == name else {
            throw .pluginMisnamed(.pluginNameDiffers, path, "describes itself as '\(descriptor.name)'")
        }
        guard descriptor.kind == table.kind else {
            let kinds = "describes itself as a \(descriptor.kind.rawValue) and offers the functions of a"
            throw .pluginDefect(.pluginKindDiffers, path, "\(kinds) \(table.kind.rawValue)")
        }
    }

    /// The description as JSON; empty where the plugin has none any more.
    var description: [UInt8] { (try? table.description(path: path)).map { [UInt8]($0) } ?? [] }

    /// The agent's process is not confined.
    var sandbox: Sandbox? { isConfined ? .off : nil }

    func sandboxed(_ sandbox: Sandbox?) throws(SondeError) -> any LoadedPlugin {
        guard isConfined else { return try asUnconfined(sandbox) }
        guard sandbox != .off else { return self }
        throw SondeError(
            .sandboxUnsuited, stage: .loading, class: .configuration,
            message: "it runs in the agent's process, which is not confined",
            recovery: [.advise("remove 'isolation', or write 'sandbox: off' too")], optionPath: "isolation")
    }

    func makeSource(
        id: String,
        options: OptionValues,
        services: any SourceServices
    ) throws(SondeError) -> any SourceInstance {
        guard table.kind == .source else { throw .pluginKindUnsuited(descriptor.name, is: table.kind) }
        return try CSourceInstance(table, descriptor, id: id, options: options, services: services)
    }

    func makeSink(
        id: String,
        options: OptionValues,
        services: any SinkServices
    ) throws(SondeError) -> any SinkInstance {
        guard table.kind == .sink else { throw .pluginKindUnsuited(descriptor.name, is: table.kind) }
        return try CSinkInstance(
            table, descriptor, id: id, options: options, services: services, records: records)
    }
}
