internal import SondeDomain
internal import SondeEngine

/// A plugin in a shared object that has passed every check.
final class ObjectPlugin: LoadedPlugin {
    let descriptor: PluginDescriptor
    let description: [UInt8]
    let path: String
    let table: PluginTable

    init(_ name: PluginName, _ object: SharedObject) throws(SondeError) {
        guard let entry = object.entry(name.entrySymbol) else {
            throw .pluginMisnamed(.pluginEntryMissing, object.path, "exports no function \(name.entrySymbol)")
        }
        path = object.path
        table = try PluginTable(entry(), path: path)
        description = try table.description(path: path)
        do throws(DescriptionFlaw) {
            descriptor = try PluginDescriptor(json: description)
        } catch {
            throw .pluginDefect(.pluginDescriptionMalformed, path, "has a malformed description: \(error.text)")
        }
        guard descriptor.name == name.text else {
            throw .pluginMisnamed(.pluginNameDiffers, path, "describes itself as '\(descriptor.name)'")
        }
        guard descriptor.kind == table.kind else {
            let kinds = "describes itself as a \(descriptor.kind.rawValue) and offers the functions of a"
            throw .pluginDefect(.pluginKindDiffers, path, "\(kinds) \(table.kind.rawValue)")
        }
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
        return try CSinkInstance(table, descriptor, id: id, options: options, services: services)
    }
}
