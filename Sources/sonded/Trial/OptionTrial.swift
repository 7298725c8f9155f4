internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// Has a plugin validate the options of one instance.
///
/// A plugin reports one error and stops. Its section is left out then, and the plugin called again, until nothing more
/// is found or a required option is wrong.
struct OptionTrial {
    private static let bound = 16

    let id: String
    let plugin: String
    let kind: PluginDescriptor.Kind
    let isolation: Isolation?
    let catalog: any PluginCatalog

    /// What `make` fails with, once for each section of the options.
    ///
    /// A plugin never gets options that do not fit its description: what could not be read has its default, and where
    /// a required option is missing the plugin is not called.
    func failures(
        _ options: OptionValues,
        _ make: (any LoadedPlugin, OptionValues) throws(SondeError) -> Void
    ) -> [SondeError] {
        var options = options
        var failures: [SondeError] = []
        while failures.count < Self.bound {
            do throws(SondeError) {
                let plugin = try catalog.plugin(named: plugin, kind: kind, isolation: isolation)
                guard let complete = options.completed(by: plugin.descriptor.options) else { return failures }
                options = complete
                do throws(SondeError) {
                    try make(plugin, options)
                    return failures
                } catch {
                    // An error about an option that the file does not set may be caused by what was left out.
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
