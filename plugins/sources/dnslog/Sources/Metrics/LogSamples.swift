internal import SondeDomain
internal import SondePluginKit

/// Turns what was read into samples, and commits them with how far reading has come.
final class LogSamples {
    private let host: PluginHost
    private let sheet: SampleSheet
    private let top: LogTopSamples

    init(_ host: PluginHost, _ settings: LogSettings) {
        self.host = host
        sheet = SampleSheet(host)
        top = LogTopSamples(limit: settings.top, privacy: settings.privacy)
    }

    /// Offers the samples of this moment once, with the checkpoint that belongs to them.
    func commit(_ pipeline: LogPipeline, _ tail: LogTail) -> PluginHost.CommitResult {
        let now = host.wallTime
        sheet.begin(at: now)
        let counts = tail.counts
        sheet.add(LogMetrics.bytes, .unsigned(counts.bytes))
        sheet.add(LogMetrics.skipped, .unsigned(counts.tooLong))
        sheet.add(LogMetrics.rotations, .unsigned(counts.rotations))
        sheet.add(LogMetrics.truncations, .unsigned(counts.truncations))
        sheet.add(LogMetrics.undecided, .unsigned(pipeline.undecidedLines))
        sheet.add(LogMetrics.files, .unsigned(UInt64(tail.openFiles)))
        pipeline.withEach { analysis in
            sheet.add(analysis)
            top.add(analysis, to: sheet)
        }
        sheet.end()
        return sheet.commit(checkpoint: tail.checkpoint(at: now))
    }
}
