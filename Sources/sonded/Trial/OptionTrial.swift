internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// Has a plugin validate the options of one instance.
///
/// A plugin reports one error and stops. Its section is left out then, and the plugin called again, until nothing more
/// is found or a required option is wrong.
struct OptionTrial<Instance: InstanceConfiguration> {
    private let instance: Instance
    private let kind: PluginDescriptor.Kind
    private let catalog: any PluginCatalog
    private let bound = 16

    init(_ instance: Instance, kind: PluginDescriptor.Kind, catalog: any PluginCatalog) {
        (self.instance, self.kind, self.catalog) = (instance, kind, catalog)
    }

    /// What `make` fails with, once for each section of the options.
    ///
    /// A plugin never gets options that do not fit its description: what could not be read has its default, and where
    /// a required option is missing the plugin is not called.
    func failures(_ make: (any LoadedPlugin, OptionValues) throws(SondeError) -> Void) -> [SondeError] {
        var options = instance.options
        var failures: [SondeError] = []
        while failures.count < bound {
            do throws(SondeError) {
                let plugin = try catalog.plugin(of: instance, kind: kind)
                guard let complete = options.completed(by: plugin.descriptor.options) else { return failures }
                options = complete
                do throws(SondeError) {
                    try make(plugin, options)
                    return failures
                } catch {
                    // An error about an option that the file does not set may be caused by what was left out.
                    guard failures.isEmpty || error.optionPath.map(options.hasValue) ?? false else { return failures }
                    failures.append(error.of(instance.id))
                    guard let rest = error.optionPath.flatMap(options.withoutSection) else { return failures }
                    options = rest
                }
            } catch {
                return failures + [error.of(instance.id)]
            }
        }
        return failures
    }
}
