public import SondeDomain

/// Finds plugins by name.
///
/// Loading happens on first use; a refusal is an error with its reason.
public protocol PluginCatalog: AnyObject {
    /// The plugin of that name, loaded if it was not yet.
    func plugin(named name: String) throws(SondeError) -> any LoadedPlugin
    /// The names of every plugin that the directories hold, sorted; nothing is loaded for it.
    var availableNames: [String] { get }
}

/// A plugin whose object has passed every check and is loaded.
public protocol LoadedPlugin: AnyObject {
    /// What it says of itself.
    var descriptor: PluginDescriptor { get }
    /// The description as the plugin handed it over, JSON.
    var description: [UInt8] { get }
    /// The file it was loaded from.
    var path: String { get }
    /// Makes a source; validates without side effects.
    func makeSource(
        id: String,
        options: OptionValues,
        services: any SourceServices
    ) throws(SondeError) -> any SourceInstance
    /// Makes a sink; validates without side effects.
    func makeSink(id: String, options: OptionValues, services: any SinkServices) throws(SondeError)
        -> any SinkInstance
}
