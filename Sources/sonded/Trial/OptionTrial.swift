internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// Asks a plugin what is wrong with the options of one instance.
///
/// A plugin names one mistake and stops. The section that it is in is left out then, and the plugin asked again, until nothing more
/// is found or an option that has to be there is wrong.
struct OptionTrial {
    private static let bound = 16

    let id: String
    let plugin: String
    let catalog: any PluginCatalog

    /// What `make` fails with, once for each section of the options.
    ///
    /// A plugin never sees options that do not fit its description: what could not be read has its default, and where an option
    /// is missing that has to be there the plugin is not asked.
    func failures(
        _ options: OptionValues,
        _ make: (any LoadedPlugin, OptionValues) throws(SondeError) -> Void
    ) -> [SondeError] {
        var options = options
        var failures: [SondeError] = []
        while failures.count < Self.bound {
            do throws(SondeError) {
                let plugin = try catalog.plugin(named: plugin)
                guard let complete = options.completed(by: plugin.descriptor.options) else { return failures }
                options = complete
                do throws(SondeError) {
                    try make(plugin, options)
                    return failures
                } catch {
                    // What is said of an option that the file does not set may follow from what was left out.
                    guard failures.isEmpty || error.optionPath.map(options.hasValue) ?? false else { return failures }
                    failures.append(error.of(id))
                    guard let rest = error.optionPath.flatMap(options.withoutSection) else { return failures }
                    options = rest
                }
            } catch {
                return failures + [error.of(id)]
            }
        }
        return failures
    }
}
