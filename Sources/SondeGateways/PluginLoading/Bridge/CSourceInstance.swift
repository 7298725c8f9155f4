internal import CLinux
internal import CSondePlugin
internal import SondeDomain
internal import SondeEngine

/// A source plugin's instance behind the C contract.
final class CSourceInstance: SourceInstance {
    private let instance: CInstance
    private var usesCapabilities = false

    init(
        _ table: PluginTable,
        _ descriptor: PluginDescriptor,
        id: String,
        options: OptionValues,
        services: any SourceServices
    ) throws(SondeError) {
        let offersTick = table.raw.pointee.tick != nil
        let host = InstanceHost(
            id: id, options: options, descriptor: descriptor, role: .source(services, tick: offersTick))
        instance = try CInstance(table, host)
        usesCapabilities = descriptor.needsCapability
    }

    /// An instance that was created.
    init(_ instance: CInstance) {
        self.instance = instance
    }

    var isStreaming: Bool { instance.table.raw.pointee.run != nil }

    var offersTick: Bool { instance.table.raw.pointee.tick != nil }

    func start() throws(SondeError) {
        if usesCapabilities { sonde_use_capabilities() }
        try instance.start()
    }

    func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        try forward(instance.table.raw.pointee.collect, call)
    }

    func run(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        try forward(instance.table.raw.pointee.run, call)
    }

    func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        try forward(instance.table.raw.pointee.tick, call)
    }

    func close() {
        instance.close()
    }

    private typealias Function =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<sonde_call>?, UnsafeMutablePointer<sonde_error>?
        ) -> sonde_status

    private func forward(_ function: Function?, _ conditions: CallConditions) throws(SondeError) -> CallOutcome {
        guard let function else { return .completed }
        return try instance.call(.collect, conditions) { function($0, $1, $2) }
    }
}
