internal import SondeDomain
internal import SondeEngine
internal import SondePluginKit

/// The source or the sink `exec`: built in, and programs of any language behind it.
final class ExecPlugin: LoadedPlugin {
    static let name = "exec"

    let descriptor: PluginDescriptor
    let path: String
    private let programs: ChildPrograms
    private let slots: AgentRunSlots
    private let limits: ProcessLimits

    init(
        _ descriptor: PluginDescriptor, _ programs: ChildPrograms, _ slots: AgentRunSlots,
        _ limits: ProcessLimits = ProcessLimits()
    ) {
        (self.descriptor, self.programs, self.slots, self.limits) = (descriptor, programs, slots, limits)
        path = programs.child
    }

    var description: [UInt8] { Array(descriptor.json.utf8) }

    var limitKeeping: LimitKeeping? { programs.keeping(limits) }

    func limited(to limits: ProcessLimits) throws(SondeError) -> any LoadedPlugin {
        try limits.checkSettable()
        return ExecPlugin(descriptor, programs, slots, limits)
    }

    func makeSource(
        id: String, options: OptionValues, services: any SourceServices
    ) throws(SondeError) -> any SourceInstance {
        guard descriptor.kind == .source else { throw .pluginKindUnsuited(descriptor.name, is: descriptor.kind) }
        do throws(SondeError) {
            let settings = try ExecSettings(options, limits)
            switch settings.mode {
            case .interval:
                return try ExecIntervalSource(id: id, settings, programs, try slots.get(), services)
            case .stream:
                return try ExecStreamSource(id: id, settings, programs, services)
            }
        } catch {
            throw error.of(id).at(error.optionPath.flatMap { options.mark(for: $0) })
        }
    }

    func makeSink(
        id: String, options: OptionValues, services: any SinkServices
    ) throws(SondeError) -> any SinkInstance {
        guard descriptor.kind == .sink else { throw .pluginKindUnsuited(descriptor.name, is: descriptor.kind) }
        do throws(SondeError) {
            return try ExecSink(id: id, try ExecSettings(options, limits), programs, services)
        } catch {
            throw error.of(id).at(error.optionPath.flatMap { options.mark(for: $0) })
        }
    }
}
