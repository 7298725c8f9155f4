internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// Sources, as part of the composition root.
extension AppContainer {
    /// A source's thread; `wish` is what it does first.
    ///
    /// It is not registered before its membership begins.
    func makeSource(
        _ source: SourceConfiguration,
        on parts: SharedParts,
        wish: InstanceControl.Wish = .work
    ) throws(SondeError) -> SourceRunner {
        let (board, snapshots) = (parts.board, parts.snapshots)
        let plugin = try catalog.plugin(of: source, kind: .source)
        let entry = StatusEntry(
            id: source.id, plugin: source.plugin, kind: .source, sandbox: plugin.sandbox, limits: plugin.limitKeeping,
            at: clock.monotonicTime)
        let control = try InstanceControl(component: source.id, log: log, entry: entry, wish: wish)
        let made = try makeSourceInstance(
            source, parts.pipeline,
            listeners: .init(
                status: entry, history: parts.record, book: snapshots.book, meanings: meanings,
                updates: parts.channels.updates, health: parts.health
            ) { snapshots.build() })
        let phase = HostSplay.collectionPhase(agent: parts.agent, interval: source.interval)
        let request = RetryRequest(wakeup: control.timer)
        let (channel, channels) = (made.channel, parts.channels)
        let membership = Membership {
            channels.admit(channel)
            board.admit(entry)
            snapshots.retry.admit(request, of: source.id)
        } leave: {
            channels.dismiss(channel)
            board.dismiss(entry)
            snapshots.retry.dismiss(request, of: source.id)
            snapshots.book.forget(source: source.id)
        }
        return SourceRunner(
            id: source.id,
            plugin: source.plugin,
            useCase: makeCollector(source, made, control, phase: phase, entry: entry, retry: request),
            instance: made.instance,
            control: control,
            membership: membership
        )
    }

    /// A source instance with its channel into a pipeline.
    func makeSourceInstance(
        _ source: SourceConfiguration,
        _ pipeline: Pipeline,
        listeners: SourceChannel.Listeners = .init()
    ) throws(SondeError) -> (instance: any SourceInstance, channel: SourceChannel) {
        let plugin = try catalog.plugin(of: source, kind: .source)
        let channel = makeChannel(source, plugin, pipeline, listeners: listeners)
        if let made = made?.takeSource(source.id) {
            made.services.connect(to: channel)
            return (made.instance, channel)
        }
        return (try plugin.makeSource(id: source.id, options: source.options, services: channel), channel)
    }

    /// A source's channel into a pipeline.
    func makeChannel(
        _ source: SourceConfiguration,
        _ plugin: any LoadedPlugin,
        _ pipeline: Pipeline,
        listeners: SourceChannel.Listeners = .init()
    ) -> SourceChannel {
        SourceChannel(
            id: source.id,
            descriptor: plugin.descriptor,
            labels: source.labels,
            host: host,
            pipeline: pipeline,
            ledger: ledger,
            log: log,
            clock: clock,
            interval: source.interval,
            level: source.level,
            collected: source.collected,
            seriesLimit: source.seriesLimit ?? plugin.descriptor.seriesLimit ?? SourceChannel.seriesBound,
            listeners: listeners
        )
    }

    /// The use case of a source.
    func makeCollector(
        _ source: SourceConfiguration,
        _ made: (instance: any SourceInstance, channel: SourceChannel),
        _ control: InstanceControl,
        phase: Nanoseconds = .zero,
        entry: StatusEntry? = nil,
        retry: RetryRequest? = nil
    ) -> CollectSource {
        CollectSource(
            configuration: source,
            instance: made.instance,
            channel: made.channel,
            log: log,
            observer: control.watch,
            cancelDescriptor: control.cancel.descriptor,
            random: SystemRandomNumberGenerator(),
            phase: phase,
            entry: entry,
            retry: retry,
            ended: control.ended
        )
    }
}
