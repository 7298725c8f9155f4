internal import SondeDomain
internal import SondeEngine

/// A plugin that was described by a child process: its code never runs in the agent.
final class ChildPlugin: LoadedPlugin {
    /// What the plugin's table offers.
    private struct Offers {
        var isStreaming = false
        var tick = false
        var isServing = false
        var isConfined = false
    }

    let descriptor: PluginDescriptor
    let description: [UInt8]
    let path: String
    private let name: String
    private let directories: [String]
    private let programs: ChildPrograms
    private let offers: Offers
    private let limits: ProcessLimits
    /// Whether its instances are confined; nil: it is not made for it.
    let sandbox: Sandbox?

    /// Has a child find and describe a plugin; throws what a plugin is refused for.
    init(
        named name: String, in directories: [String], _ programs: ChildPrograms, log: any EventLog
    ) throws(SondeError) {
        (self.name, self.directories, self.programs, limits) = (name, directories, programs, ProcessLimits())
        let session = try ChildSession(id: name) {
            log.log($0, $1, component: nil)
        } serve: {
            (kind, reader, _) throws(ChannelFlaw) in
            // Its catalog says, for instance, that another file is hidden.
            if kind == .log {
                let line = try reader.logLine()
                return log.log(line.level, line.text, component: nil)
            }
            throw .malformed("sent a frame of kind \(kind.rawValue) before it had an instance")
        }
        do throws(SondeError) {
            try session.launch(programs.command(name, id: name))
            (path, description, offers) = try Self.load(name, directories, in: session)
        } catch  where error.code == .childEnded && error.failureClass == .programmer {
            throw SondeError(
                .pluginObjectCrashes, stage: .loading, class: .configuration,
                message: "plugin \(name) cannot be linked and describe itself: \(error.message)",
                recovery: [.advise("install the plugin again; if that changes nothing, report it to its author")])
        }
        do throws(DescriptionFlaw) {
            descriptor = try PluginDescriptor(json: description)
        } catch {
            throw .pluginDefect(.pluginDescriptionMalformed, path, "has a malformed description: \(error.text)")
        }
        sandbox = offers.isConfined ? .on : nil
    }

    private init(_ other: ChildPlugin, _ limits: ProcessLimits, _ sandbox: Sandbox?) {
        (name, directories, programs) = (other.name, other.directories, other.programs)
        (descriptor, description, path, offers) = (other.descriptor, other.description, other.path, other.offers)
        self.limits = limits
        self.sandbox = sandbox
    }

    var limitKeeping: LimitKeeping? { programs.keeping(limits) }

    func sandboxed(_ sandbox: Sandbox?) throws(SondeError) -> any LoadedPlugin {
        guard offers.isConfined else { return try asUnconfined(sandbox) }
        return sandbox == .off ? ChildPlugin(self, limits, .off) : self
    }

    func limited(to limits: ProcessLimits) throws(SondeError) -> any LoadedPlugin {
        try limits.checkSettable()
        return ChildPlugin(self, limits, sandbox)
    }

    func makeSource(
        id: String, options: OptionValues, services: any SourceServices
    ) throws(SondeError) -> any SourceInstance {
        guard descriptor.kind == .source else { throw .pluginKindUnsuited(descriptor.name, is: descriptor.kind) }
        let services = ChildServices(.source(services, tick: offers.tick), id: id)
        return ChildSourceInstance(
            try ChildInstance(self, id: id, options: options, services: services),
            isStreaming: offers.isStreaming, offersTick: offers.tick)
    }

    func makeSink(
        id: String, options: OptionValues, services: any SinkServices
    ) throws(SondeError) -> any SinkInstance {
        guard descriptor.kind == .sink else { throw .pluginKindUnsuited(descriptor.name, is: descriptor.kind) }
        let services = ChildServices(.sink(services), id: id)
        return ChildSinkInstance(
            try ChildInstance(self, id: id, options: options, services: services), services,
            isServing: offers.isServing)
    }

    /// The command of an instance's process.
    func command(for id: String) -> ChildCommand {
        var command = programs.command(name, id: id, limits)
        if !descriptor.needsCapability { command.user = ChildCommand.agentsWithoutCapabilities }
        return command
    }

    /// Has a new child load the plugin.
    func load(in session: ChildSession) throws(SondeError) {
        _ = try Self.load(name, directories, in: session)
    }

    private static func load(
        _ name: String, _ directories: [String], in session: ChildSession
    ) throws(SondeError) -> (path: String, description: [UInt8], offers: Offers) {
        var (path, description, offers) = ("", [UInt8](), Offers())
        try session.request(.load, .limited(ChildSession.limit)) { writer in
            writer.append(text: name)
            writer.append(variable: UInt64(directories.count))
            for directory in directories { writer.append(text: directory) }
        } answer: { reader in
            (path, description) = (reader.text(), [UInt8](reader.counted()))
            offers = Offers(
                isStreaming: reader.flag(), tick: reader.flag(), isServing: reader.flag(), isConfined: reader.flag())
        }
        return (path, description, offers)
    }
}
