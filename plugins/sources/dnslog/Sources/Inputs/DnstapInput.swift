internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// The messages of dnstap that resolvers send to a socket.
///
/// What is sent without a listener is lost; dnstap does not report how much: the checkpoint is a time, from which on it
/// is a loss of an unknown number.
final class DnstapInput: LogInput {
    private let settings: DnstapSettings
    private let host: PluginHost
    private var listener: DnstapListener?
    private var decoder: DnstapDecoder
    private var stream: LogStream?
    private var reported = DnstapListener.Counts()
    private var warned: [String: MonotonicInstant] = [:]

    init(_ settings: DnstapSettings, _ host: PluginHost, seed: UInt64) {
        self.settings = settings
        self.host = host
        decoder = DnstapDecoder(seed: seed)
    }

    func start(_ checkpoint: [UInt8]?, at now: TailInstant) throws(PluginError) {
        guard listener == nil else { return }
        do throws(DnstapListener.Failure) {
            listener = try DnstapListener(settings.path, mode: settings.mode)
        } catch {
            throw error.pluginError(settings.path)
        }
        host.log(.debug, "'\(settings.path)' waits for dnstap")
        guard let last = checkpoint.flatMap(DnstapCheckpoint.init)?.time else { return }
        host.reportLoss(reason: "dnstap_not_heard", from: last, to: now.wall, count: nil)
    }

    func wait(_ cancel: Int32, until due: MonotonicInstant, at now: MonotonicInstant) -> Poll.Wake {
        listener?.wait(cancel, until: due, at: now) ?? .ready
    }

    func read(into pipeline: LogPipeline, at now: TailInstant) {
        guard let listener else { return }
        let stream = stream ?? pipeline.open()
        self.stream = stream
        listener.read { frame in
            // The event first: the time is that of its message.
            let event = decoder.event(frame)
            pipeline.take(event, at: decoder.time, stream)
        }
        report(listener.received)
    }

    var readsLines: Bool { false }

    var resolvers: [ResolverAddress] { decoder.resolvers.all }

    var isDrained: Bool { listener?.progress != .more }

    // Without a socket it does not start.
    var trouble: PluginError? { nil }

    func add(to sheet: SampleSheet) {
        guard let listener else { return }
        let counts = listener.received
        sheet.add(DnstapMetrics.skipped, .unsigned(counts.tooLong))
        sheet.add(DnstapMetrics.connections, .unsigned(counts.connections))
        sheet.add(DnstapMetrics.broken, .unsigned(counts.broken))
        sheet.add(DnstapMetrics.refused, .unsigned(counts.refused))
        sheet.add(DnstapMetrics.open, .unsigned(UInt64(listener.connectionCount)))
    }

    func checkpoint(at time: Timestamp) -> [UInt8] { DnstapCheckpoint(time: time).bytes }

    private func report(_ counts: DnstapListener.Counts) {
        if counts.broken > reported.broken {
            warn("SND-DLG010", "a sender was cut off from '\(settings.path)': what it sent is no dnstap")
        }
        if counts.refused > reported.refused {
            let limit = DnstapListener.connectionLimit
            warn("SND-DLG011", "more than \(limit) senders at '\(settings.path)': one was turned away")
        }
        reported = counts
    }

    private func warn(_ code: String, _ message: String) {
        let now = host.monotonicTime
        if let last = warned[code], now.since(last) < LogNews.pause { return }
        warned[code] = now
        host.log(.warning, "\(code): \(message)")
    }
}

extension DnstapListener.Failure {
    /// The error for the host when there is no socket.
    fileprivate func pluginError(_ path: String) -> PluginError {
        let (failureClass, reason, hint): (FailureClass, String, String) =
            switch self {
            case .pathTooLong: (.configuration, "the path is too long for a socket", "Use one of at most 107 bytes.")
            case .occupied: (.configuration, "what is there is no socket", "Name a path that is free, or remove it.")
            case .inUse: (.resource, "another program listens there", "Stop it, or use another path.")
            case .system(let number):
                (.resource, String(cString: strerror(number)), "The agent must be able to write to the folder.")
            }
        return PluginError(
            "SND-DLG009", failureClass, "'\(path)' cannot be listened at: \(reason)", hint: hint, optionPath: "path")
    }
}
