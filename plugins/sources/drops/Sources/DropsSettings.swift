internal import SondePluginKit

/// The options of an instance.
struct DropsSettings {
    /// Every event that can be counted, in the order of the README.
    static let events: [any KernelEvent.Type] = [
        PacketDrops.self, Retransmissions.self, SentResets.self, ReceivedResets.self, Handshakes.self,
    ]

    let tracing: TracingDirectory
    /// What is counted.
    let events: [any KernelEvent.Type]

    init(_ options: Options) throws(PluginError) {
        let path = options.string("tracing") ?? "/sys/kernel/tracing"
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw .optionUnusable(
                "tracing", "'\(path)' is no absolute path", "Write the path at which tracefs is mounted.")
        }
        tracing = TracingDirectory(path: path)
        events = Self.events.filter { options.bool($0.tracepoint.option) ?? true }
        guard !events.isEmpty else {
            throw .optionUnusable("drops", "everything that could be counted is switched off", "Leave one of them on.")
        }
    }
}
