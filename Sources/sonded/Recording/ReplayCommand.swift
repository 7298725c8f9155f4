internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// `replay DIR`: plays a recording through the pipeline into the sinks stdout and file, on a clock of its own.
///
/// The same recording gives the same bytes each time.
struct ReplayCommand {
    private static let sinks: Set<String> = ["stdout", "file"]
    /// Sets and dictionaries have their order from a seed, which this makes constant; read when a process starts.
    private static let constantHashing = "SWIFT_DETERMINISTIC_HASHING"

    let session: Session

    func run(_ directory: String) throws(SondeError) -> ExitCode {
        try beginAgainWithConstantHashing()
        let recording = try RecordingFile.read(directory)
        // Not the file beside the recording, which may come from anyone: a configuration can name programs to run.
        guard let (loaded, catalog) = session.loadReporting() else { return .configuration }
        var configuration = loaded
        if session.arguments.configPath == nil { configuration.printLines() }
        if configuration.agent.host == nil { configuration.agent.host = "recording" }
        let log = session.log(for: configuration.agent)
        let first = recording.frames.first
        let clock = StandingClock(
            first?.time ?? Timestamp(nanoseconds: 0), first?.instant ?? MonotonicInstant(nanoseconds: 0))
        let container = AppContainer(configuration: configuration, catalog: catalog, log: log, clock: clock)
        return try play(recording, clock, container)
    }

    private func play(
        _ recording: Recording, _ clock: StandingClock, _ container: AppContainer
    ) throws(SondeError) -> ExitCode {
        let spool = container.spools.memory()
        let pipeline = Pipeline(
            spool: spool.store, ledger: container.ledger, clock: clock, lossSeries: LossSeries(start: clock.wallTime))
        let keep = KeepSpool(spool: spool.store, ledger: container.ledger, clock: clock, log: container.log)
        let board = container.makeBoard("", spool, keep, nil)
        let snapshots = container.makeSnapshots(board)
        let run = ReplayRun(recording, clock: clock, log: container.log)
        for sink in container.configuration.sinks {
            guard Self.sinks.contains(sink.plugin) else {
                container.log.log(.warning, "is left out: a replay goes to stdout and file only", component: sink.id)
                continue
            }
            try add(sink, to: run, spool.store, pipeline, board, clock, container)
        }
        var tapes: [(id: String, tape: ReplayedSource)] = []
        for source in container.configuration.sources {
            let added = try add(source, of: recording, to: run, pipeline, board, snapshots, clock, container)
            if let added { tapes.append(added) }
        }
        guard !tapes.isEmpty else {
            throw .nothingRecorded(
                "no source of the configuration is in the recording, with something that it has read")
        }
        let isDelivered = run.play()
        report(recording, tapes, container)
        return isDelivered ? .ok : .failure
    }

    private func add(
        _ source: SourceConfiguration, of recording: Recording, to run: ReplayRun, _ pipeline: Pipeline,
        _ board: StatusBoard, _ snapshots: AppContainer.Snapshots, _ clock: StandingClock, _ container: AppContainer
    ) throws(SondeError) -> (id: String, tape: ReplayedSource)? {
        guard let number = recording.sources.firstIndex(where: { $0.id == source.id && $0.plugin == source.plugin }),
            recording.frames.contains(where: { $0.source == number && !$0.answers.isEmpty }),
            let made = recording.frames.first(where: { $0.source == number && $0.call == .create })
        else {
            container.log.log(.warning, "is left out: the recording has nothing of it", component: source.id)
            return nil
        }
        let recorded = recording.sources[number]
        var source = source.inThisProcess
        source.interval = recorded.interval
        clock.set(made.time, max(made.instant, clock.monotonicTime))
        let plugin = try container.catalog.plugin(of: source, kind: .source)
        let entry = StatusEntry(id: source.id, plugin: source.plugin, kind: .source, at: clock.monotonicTime)
        board.admit(entry)
        let channel = container.makeChannel(
            source, plugin, pipeline,
            listeners: .init(status: entry, book: snapshots.book, meanings: container.meanings) { snapshots.build() })
        let tape = try ReplayedSource(recording, number: number)
        tape.load(made)
        let services = TapedServices(channel, clock: clock, tape: tape, commits: .passed)
        let instance = try plugin.makeSource(id: source.id, options: source.options, services: services)
        if instance.isStreaming { channel.holdWhatIsRefused() }
        run.add(ReplayRun.Source(tape, instance, channel, entry), number: number)
        return (source.id, tape)
    }

    private func add(
        _ sink: SinkConfiguration, to run: ReplayRun, _ spool: any SpoolStore, _ pipeline: Pipeline,
        _ board: StatusBoard, _ clock: StandingClock, _ container: AppContainer
    ) throws(SondeError) {
        let plugin = try container.catalog.plugin(of: sink, kind: .sink)
        let entry = StatusEntry(id: sink.id, plugin: sink.plugin, kind: .sink, at: clock.monotonicTime)
        board.admit(entry)
        let instance = try plugin.makeSink(
            id: sink.id, options: sink.options, services: container.makeServices(sink.id, entry))
        let alarm = ReplayRun.Alarm()
        let gate = DeliveryGate(
            sink: sink.id, wants: sink.send ?? instance.preferredContent, wait: sink.batch.wait ?? .seconds(1),
            maxCount: sink.batch.samples, maxBytes: sink.batch.bytes, wakeup: alarm)
        // A live one too takes everything: nothing is there before it.
        spool.addReader(sink.id, .durable, wants: gate.wants)
        pipeline.add(gate)
        let deliver = DeliverBatches(
            settings: DeliverBatches.Settings(sink, wantsEnds: plugin.descriptor.ends), agent: "recording",
            instance: instance, spool: spool, gate: gate, ledger: container.ledger, clock: clock, log: container.log,
            observer: NoObserver(), cancelDescriptor: -1, random: RepeatableGenerator(seed: 1), entry: entry)
        run.add(deliver, alarm)
    }

    private func report(
        _ recording: Recording, _ tapes: [(id: String, tape: ReplayedSource)], _ container: AppContainer
    ) {
        if !recording.isComplete {
            container.log.log(.warning, "the recording was cut: it is played as far as it goes", component: nil)
        }
        for (reason, count) in recording.omitted.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            container.log.log(.info, "not in the recording: \(count) (\(reason))", component: nil)
        }
        for (id, tape) in tapes where tape.missingAnswers > 0 {
            container.log.log(
                .info, "\(tape.missingAnswers) times it asked for what the recording does not have", component: id)
        }
    }

    private func beginAgainWithConstantHashing() throws(SondeError) {
        guard getenv(Self.constantHashing) == nil else { return }
        setenv(Self.constantHashing, "1", 1)
        var words: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
        words.append(nil)
        execv("/proc/self/exe", words)
        throw .nothingRecorded("the process cannot begin again: \(String(cString: strerror(errno)))")
    }

    /// No call is watched: nothing passes but the time of the recording.
    private struct NoObserver: CallObserver {
        func callBegan(deadline: MonotonicInstant) {}
        func callEnded() {}
    }
}

extension AgentConfiguration {
    /// Prints lines of JSON where the built-in configuration paints a table.
    fileprivate mutating func printLines() {
        for index in sinks.indices {
            let values = sinks[index].options.values.merging(["format": .string("json")]) { $1 }
            sinks[index].options = OptionValues(values)
        }
    }
}
