public import SondeDomain

/// Finds plugins by name.
///
/// Loading happens on first use; a refusal is an error with its reason. Used from one thread at a time.
public protocol PluginCatalog: AnyObject {
    /// The plugin of that name, loaded if it was not yet; its instances run as `isolation` says, nil: as is usual for a
    /// plugin from its directory.
    ///
    /// A name may stand for a source and for a sink: `kind` says which is wanted, nil: either. Where there is one of that
    /// name, it is returned, of whatever kind it is. Throws `SND-PLG001` when there is none, so that another catalog may be
    /// tried; any other error is about a plugin that exists.
    func plugin(
        named name: String, kind: PluginDescriptor.Kind?, isolation: Isolation?
    ) throws(SondeError) -> any LoadedPlugin
    /// The names of all plugins, sorted; loads nothing.
    var availableNames: [String] { get }
    /// A catalog that searches these directories too, instead of those that were named before, and keeps what this
    /// one has loaded.
    func searching(_ directories: [String], log: any EventLog) -> any PluginCatalog
}

extension PluginCatalog {
    /// The plugin of that name, of either kind; its instances run as `isolation` says, nil: as is usual for it.
    public func plugin(named name: String, isolation: Isolation? = nil) throws(SondeError) -> any LoadedPlugin {
        try plugin(named: name, kind: nil, isolation: isolation)
    }

    /// The plugin of an instance, as its configuration says.
    public func plugin(
        of instance: some InstanceConfiguration, kind: PluginDescriptor.Kind
    ) throws(SondeError) -> any LoadedPlugin {
        let plugin = try plugin(named: instance.plugin, kind: kind, isolation: instance.isolation)
            .sandboxed(instance.sandbox)
        return instance.limits.isEmpty ? plugin : try plugin.limited(to: instance.limits)
    }

    /// Every plugin of that name: one, or a source and a sink.
    public func plugins(named name: String) throws(SondeError) -> [any LoadedPlugin] {
        let source = try plugin(named: name, kind: .source, isolation: nil)
        let sink = try plugin(named: name, kind: .sink, isolation: nil)
        return source === sink ? [source] : [source, sink]
    }
}

/// A plugin that has passed every check and can make instances.
public protocol LoadedPlugin: AnyObject {
    /// Its descriptor.
    var descriptor: PluginDescriptor { get }
    /// The description as the plugin returned it, JSON.
    var description: [UInt8] { get }
    /// Its file.
    var path: String { get }
    /// Whether its instances are confined once they are started; nil: it is not made for that.
    var sandbox: Sandbox? { get }
    /// How the limits of its instances are kept; nil: they have none.
    var limitKeeping: LimitKeeping? { get }
    /// The same plugin, whose instances are confined or not; nil: as it is made for.
    ///
    /// Throws `SND-PLG040` where it cannot be as wanted.
    func sandboxed(_ sandbox: Sandbox?) throws(SondeError) -> any LoadedPlugin
    /// The same plugin, the processes of whose instances have these limits.
    ///
    /// Throws `SND-PLG035` where they cannot be kept.
    func limited(to limits: ProcessLimits) throws(SondeError) -> any LoadedPlugin
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

extension LoadedPlugin {
    /// Most plugins are not made for it.
    public var sandbox: Sandbox? { nil }

    /// Most have no limits.
    public var limitKeeping: LimitKeeping? { nil }

    /// It is not made for it.
    public func sandboxed(_ sandbox: Sandbox?) throws(SondeError) -> any LoadedPlugin { try asUnconfined(sandbox) }

    /// The plugin, unless it is to be confined.
    public func asUnconfined(_ sandbox: Sandbox?) throws(SondeError) -> any LoadedPlugin {
        guard sandbox == .on else { return self }
        throw SondeError(
            .sandboxUnsuited, stage: .loading, class: .configuration,
            message: "plugin \(descriptor.name) is not made to be confined",
            recovery: [.advise("remove 'sandbox'")], optionPath: "sandbox")
    }

    /// Instances in the agent's process have no limits.
    public func limited(to limits: ProcessLimits) throws(SondeError) -> any LoadedPlugin {
        throw SondeError(
            .limitNotKept, stage: .loading, class: .configuration,
            message: "it runs in the agent's process, which has no limits of its own",
            recovery: [.advise("give it a process of its own: 'isolation: process'")], optionPath: "limits")
    }
}
