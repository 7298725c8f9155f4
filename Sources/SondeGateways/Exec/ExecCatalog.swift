public import SondeDomain
public import SondeEngine

/// The plugin `exec`, which is no file: programs of any language as sources and sinks.
///
/// Their processes are their own whatever `isolation` says. Nothing is made before the first instance is.
public final class ExecCatalog: PluginCatalog {
    private let programs: ChildPrograms?
    private let slots = AgentRunSlots()
    private var source: ExecPlugin?
    private var sink: ExecPlugin?

    /// A catalog; nil: there is no supervisor, and no program can be run.
    public init(programs: ChildPrograms?) { self.programs = programs }

    /// `exec`.
    public var availableNames: [String] { [ExecPlugin.name] }

    /// The source or the sink; the source where either is wanted.
    public func plugin(
        named name: String, kind: PluginDescriptor.Kind?, isolation: Isolation?
    ) throws(SondeError) -> any LoadedPlugin {
        guard name == ExecPlugin.name else { throw .pluginNotFound(name, in: [], availableNames) }
        guard let programs else { throw .pluginNotIsolated(name) }
        if kind == .sink {
            let plugin = sink ?? ExecPlugin(ExecPlugin.sink, programs, slots)
            sink = plugin
            return plugin
        }
        let plugin = source ?? ExecPlugin(ExecPlugin.source, programs, slots)
        source = plugin
        return plugin
    }

    /// This catalog: it searches no directories, and programs share their slots whatever is configured.
    public func searching(_ directories: [String], log: any EventLog) -> any PluginCatalog { self }
}
