internal import SondeDNS
internal import SondeDomain
internal import SondePluginKit
internal import SondeWire

/// Turns what was read into samples, and commits them with how far reading has come.
final class LogSamples {
    private let host: PluginHost
    private let sheet: SampleSheet
    private let top: Int
    private let privacy: NamePrivacy
    private let resolvers: [ResolverAddress]

    init(_ host: PluginHost, _ settings: LogSettings) {
        self.host = host
        resolvers = settings.resolvers
        sheet = SampleSheet(host)
        privacy = settings.privacy
        top = settings.top
    }

    /// Offers the samples of this moment once, with the checkpoint that belongs to them.
    func commit(_ pipeline: LogPipeline, _ input: any LogInput) -> PluginHost.CommitResult {
        let now = host.wallTime
        sheet.begin(at: now)
        input.add(to: sheet)
        if input.readsLines { sheet.add(LogMetrics.undecided, .unsigned(pipeline.undecidedLines)) }
        // Configured addresses take precedence over those in messages.
        for resolver in resolvers.isEmpty ? input.resolvers : resolvers { add(resolver) }
        pipeline.withEach { analysis in
            sheet.add(analysis)
            addTop(analysis)
        }
        sheet.end()
        return sheet.commit(checkpoint: input.checkpoint(at: now))
    }

    private func addTop(_ analysis: borrowing LogAnalysis) {
        guard top > 0, privacy != .none else { return }
        let common = [Attribute(LogMetrics.resolver, analysis.format.rawValue)]
        LogMetrics.top.addTop(analysis.totals.top, top, privacy, common: common, to: sheet) {
            privacy.text(folded: $0)
        }
        LogMetrics.top.addDistinct(analysis.totals.top, common: common, to: sheet)
    }

    private func add(_ resolver: ResolverAddress) {
        let (address, port) = ("\(resolver.address)", String(resolver.port))
        sheet.add(
            LogMetrics.resolverAddress, .unsigned(1), name: "\(address) \(port)",
            [Attribute("server.address", address), Attribute("server.port", port)])
    }
}
