internal import SondeDomain
internal import SondePluginKit

/// Reports in the agent's log how the input was understood.
struct LogNews {
    /// What may happen at every line is logged this far apart.
    static let pause = Nanoseconds.seconds(600)

    private let host: PluginHost
    private var lastSample: [LogFormat?: MonotonicInstant] = [:]

    init(_ host: PluginHost) {
        self.host = host
    }

    /// What formats were chosen, and which lines could not be read.
    mutating func report(_ pipeline: LogPipeline) {
        for reason in pipeline.takeReasons() { host.log(.info, reason) }
        for sample in pipeline.takeSamples() {
            let now = host.monotonicTime
            if let last = lastSample[sample.format], now.since(last) < Self.pause { continue }
            lastSample[sample.format] = now
            host.log(.warning, "SND-DLG003: \(sample.sentence)")
        }
    }
}
