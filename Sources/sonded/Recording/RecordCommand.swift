internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
internal import SondePresentation

/// `record DIR`: lets the sources run and keeps what they read, until the time is over or a signal comes.
///
/// Nothing is delivered, and an agent beside it is not touched.
struct RecordCommand {
    /// The file beside the recording that it can be replayed with.
    static let configurationName = "sonde.yaml"
    private static let longest = Nanoseconds.seconds(86_400)
    private static let usual = Nanoseconds.seconds(60)
    private static let usualSize: Int64 = 64 << 20
    private static let grace = Nanoseconds.seconds(5)
    private static let look: Int32 = 200

    private struct Recorded {
        let id: String
        let runner: SourceRunner
        let recorder: SourceRecorder
    }

    let session: Session

    func run(_ directory: String) throws(SondeError) -> ExitCode {
        // Before any thread exists.
        let signals = try SignalReader([SIGTERM, SIGINT, SIGHUP])
        let (loaded, catalog) = session.load()
        session.report(loaded)
        guard let configuration = loaded.configuration else { return .configuration }
        let container = AppContainer(
            configuration: configuration, catalog: catalog, log: session.log(for: configuration.agent))
        let limit = session.arguments[.size].flatMap { try? SizeText.parse($0) } ?? Self.usualSize
        let file = try RecordingFile(in: directory, limit: limit)
        try keepConfiguration(loaded.provenance, configuration, in: directory)
        let sources = record(configuration.sources, in: file, container)
        guard !sources.isEmpty else { throw .nothingRecorded("no source of the configuration can be recorded") }
        for source in sources { try source.runner.start() }
        wait(signals, file, container)
        stop(sources, container)
        try file.finish()
        report(sources, file, directory, container)
        return sources.contains { $0.recorder.hasAnswers } ? .ok : .failure
    }

    private func record(
        _ sources: [SourceConfiguration], in file: RecordingFile, _ container: AppContainer
    ) -> [Recorded] {
        let pipeline = Pipeline(
            spool: container.spools.memory().store, ledger: container.ledger, clock: container.clock)
        let secret = session.arguments.has(.noPrivacy) ? nil : Self.makeSecret()
        return sources.compactMap { source in
            do throws(SondeError) {
                return try record(source.inThisProcess, in: file, secret, pipeline, container)
            } catch {
                container.log.log(.warning, error)
                return nil
            }
        }
    }

    private func record(
        _ source: SourceConfiguration, in file: RecordingFile, _ secret: [UInt8]?, _ pipeline: Pipeline,
        _ container: AppContainer
    ) throws(SondeError) -> Recorded {
        let plugin = try container.catalog.plugin(of: source, kind: .source)
        let channel = container.makeChannel(source, plugin, pipeline)
        let recorder = SourceRecorder(
            Recording.Source(id: source.id, plugin: source.plugin, interval: source.interval), in: file, secret: secret)
        let services = TapedServices(channel, clock: recorder.clock, tape: recorder, commits: .dropped)
        let made = try plugin.makeSource(id: source.id, options: source.options, services: services)
        let instance = RecordedSource(made, recorder)
        let control = try InstanceControl(component: source.id, log: container.log)
        let collector = container.makeCollector(source, (instance, channel), control)
        let runner = SourceRunner(id: source.id, useCase: collector, instance: instance, control: control)
        return Recorded(id: source.id, runner: runner, recorder: recorder)
    }

    private func wait(_ signals: SignalReader, _ file: RecordingFile, _ container: AppContainer) {
        let span = session.arguments[.span].flatMap { try? DurationText.parse($0) } ?? Self.usual
        let end = container.clock.monotonicTime.advanced(by: min(span, Self.longest))
        var entry = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
        while container.clock.monotonicTime < end, !file.isFull {
            if poll(&entry, 1, Self.look) > 0, signals.next() != nil { return }
        }
    }

    private func stop(_ sources: [Recorded], _ container: AppContainer) {
        let end = container.clock.monotonicTime.advanced(by: Self.grace)
        for source in sources { source.runner.stop(by: end) }
        for source in sources where !source.runner.join(by: end) {
            container.log.log(.warning, "does not stop: what it reads last is missing", component: source.id)
        }
    }

    private func report(_ sources: [Recorded], _ file: RecordingFile, _ directory: String, _ container: AppContainer) {
        for source in sources where !source.recorder.hasAnswers {
            container.log.log(.warning, "nothing of it is recorded: its plugin keeps nothing", component: source.id)
        }
        let left = file.omitted.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($1) \($0.words)" }
        let rest = left.isEmpty ? "" : "; left out: \(left.joined(separator: ", "))"
        container.log.log(.info, "recorded \(file.size) bytes in \(directory)\(rest)", component: nil)
    }

    /// Keeps how the sources were configured, and how a replay shows what they read.
    private func keepConfiguration(
        _ provenance: ConfigurationProvenance, _ configuration: AgentConfiguration, in directory: String
    ) throws(SondeError) {
        var shown = AgentConfiguration(sources: configuration.sources)
        for index in shown.sources.indices { shown.sources[index].labels = [] }
        let text = ConfigurationView(ConfigurationState(shown)).text
        let sources = text.lines(from: "sources:", to: "sinks:")
        let sinks = "sinks:\n  - { id: console, plugin: stdout, format: json }\n"
        let file = try ReplacedFile(path: "\(directory)/\(Self.configurationName)")
        do throws(SondeError) {
            try file.append(Array("version: 1\n\(sources)\(sinks)".utf8))
            try file.finish()
        } catch {
            file.abandon()
            throw error
        }
    }

    private static func makeSecret() -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
}

extension SourceConfiguration {
    /// The same where its readings can be recorded and replaced: not in a process of its own.
    var inThisProcess: SourceConfiguration {
        var source = self
        source.isolation = .inProcess
        source.sandbox = plugin == "procnet" || plugin == "dnslog" ? nil : .off
        source.limits = ProcessLimits()
        return source
    }
}

extension Recording.Omission {
    /// What was left out, for people.
    fileprivate var words: String {
        switch self {
        case .size: "readings beyond --size"
        case .oversized: "readings of more than \(Recording.valueLimit >> 20) MiB"
        }
    }
}

extension SondeError {
    /// There is nothing to do.
    static func nothingRecorded(_ message: String) -> SondeError {
        SondeError(
            .nothingRecorded, stage: .inspect, class: .configuration, message: message,
            recovery: [
                .advise(
                    "Name a configuration with a source of procnet, dnslog or pcap, the one that was recorded with.")
            ])
    }
}

extension String {
    /// The lines from the one that begins with a word to before the one that begins with another.
    fileprivate func lines(from first: String, to last: String) -> String {
        let lines = split(separator: "\n", omittingEmptySubsequences: false)
        let rest = lines.drop { !$0.hasPrefix(first) }.prefix { !$0.hasPrefix(last) }
        return rest.map { "\($0)\n" }.joined()
    }
}
