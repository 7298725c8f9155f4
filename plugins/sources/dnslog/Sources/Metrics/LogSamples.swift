internal import SondeDomain
internal import SondePluginKit

/// Turns what was read into samples, and commits them with how far reading has come.
final class LogSamples {
    private let host: PluginHost
    private let sheet: SampleSheet
    private let top: LogTopSamples
    private let resolvers: [ResolverAddress]

    init(_ host: PluginHost, _ settings: LogSettings) {
        self.host = host
        resolvers = settings.resolvers
        sheet = SampleSheet(host)
        top = LogTopSamples(limit: settings.top, privacy: settings.privacy)
    }

    /// Offers the samples of this moment once, with the checkpoint that belongs to them.
    func commit(_ pipeline: LogPipeline, _ input: any LogInput) -> PluginHost.CommitResult {
        let now = host.wallTime
        sheet.begin(at: now)
        input.add(to: sheet)
        if input.readsLines { sheet.add(LogMetrics.undecided, .unsigned(pipeline.undecidedLines)) }
        // What a person says goes before what messages tell.
        for resolver in resolvers.isEmpty ? input.resolvers : resolvers { add(resolver) }
        pipeline.withEach { analysis in
            sheet.add(analysis)
            top.add(analysis, to: sheet)
        }
        sheet.end()
        return sheet.commit(checkpoint: input.checkpoint(at: now))
    }

    private func add(_ resolver: ResolverAddress) {
        let (address, port) = ("\(resolver.address)", String(resolver.port))
        sheet.add(
            LogMetrics.resolverAddress, .unsigned(1), name: "\(address) \(port)",
            [Attribute("server.address", address), Attribute("server.port", port)])
    }
}
