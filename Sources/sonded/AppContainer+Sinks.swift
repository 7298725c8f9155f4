internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

extension AppContainer {
    /// A sink's thread; `wish` is what it does first.
    ///
    /// It is not registered before its membership begins.
    func makeSink(
        _ sink: SinkConfiguration,
        on parts: SharedParts,
        wish: InstanceControl.Wish = .work
    ) throws(SondeError) -> SinkRunner {
        let spool = parts.spool.store
        let plugin = try catalog.plugin(of: sink, kind: .sink)
        let isLive = plugin.descriptor.delivery == .live
        let entry = StatusEntry(
            id: sink.id, plugin: sink.plugin, kind: .sink, limits: plugin.limitKeeping, at: clock.monotonicTime)
        let control = try InstanceControl(component: sink.id, log: log, entry: entry, wish: wish)
        let instance = try makeSinkInstance(sink, plugin, entry)
        let wants = sink.send ?? instance.preferredContent
        let gate = DeliveryGate(
            sink: sink.id,
            wants: wants,
            wait: sink.batch.wait ?? (isLive ? .milliseconds(200) : .seconds(1)),
            maxCount: sink.batch.samples,
            maxBytes: sink.batch.bytes,
            wakeup: control.timer
        )
        let settings = DeliverBatches.Settings(sink, wantsEnds: plugin.descriptor.ends)
        let deadLetters = makeDeadLetters(sink, parts.stateDirectory)
        let useCase = DeliverBatches(
            settings: settings,
            agent: parts.agent,
            instance: instance,
            spool: spool,
            gate: gate,
            ledger: ledger,
            deadLetters: deadLetters,
            clock: clock,
            log: log,
            observer: control.watch,
            cancelDescriptor: control.cancel.descriptor,
            random: SystemRandomNumberGenerator(),
            entry: entry
        )
        if wants.contains(.metrics) {
            let health = parts.health
            useCase.sendHealth(sent: health.sent) {
                let points = SpooledPoints(health.newest)
                return (SpoolContents(resource: spool.resource, last: 0, points: points), health.period)
            }
        }
        useCase.syncs = parts.pipeline.syncSchedule
        let request = RetryRequest(wakeup: control.timer)
        useCase.retry = request
        useCase.ended = control.ended
        let orders = SinkOrders(sink: sink.id, wakeup: control.timer)
        useCase.orders = CarryOutOrders(
            settings: settings,
            agent: parts.agent,
            orders: orders,
            spool: spool,
            archive: deadLetters,
            ledger: ledger,
            clock: clock,
            log: log,
            random: SystemRandomNumberGenerator(),
            entry: entry
        )
        return SinkRunner(
            id: sink.id,
            plugin: sink.plugin,
            useCase: useCase,
            instance: instance,
            control: control,
            clock: clock,
            membership: membership(isLive ? .live : .durable, gate, entry, request, orders, on: parts),
            leftover: leftover(isLive ? .live : .durable, spool)
        )
    }

    private func makeSinkInstance(
        _ sink: SinkConfiguration,
        _ plugin: any LoadedPlugin,
        _ entry: StatusEntry
    ) throws(SondeError) -> any SinkInstance {
        let services = makeServices(sink.id, entry)
        guard let made = made?.takeSink(sink.id) else {
            return try plugin.makeSink(id: sink.id, options: sink.options, services: services)
        }
        made.services.connect(to: services)
        return made.instance
    }

    private func membership(
        _ kind: ReaderKind,
        _ gate: DeliveryGate,
        _ entry: StatusEntry,
        _ request: RetryRequest,
        _ orders: SinkOrders,
        on parts: SharedParts
    ) -> Membership {
        let retry = parts.snapshots.retry
        let paints = kind == .live && gate.wants.contains(.snapshots)
        return Membership {
            parts.screen?.note(gate.sink, paints: paints)
            parts.spool.store.addReader(gate.sink, kind, wants: gate.wants)
            parts.pipeline.add(gate)
            parts.board.admit(entry)
            retry.admit(request, of: gate.sink)
            parts.access.admit(orders)
        } leave: {
            parts.screen?.note(gate.sink, paints: false)
            parts.pipeline.remove(gate)
            parts.board.dismiss(entry)
            retry.dismiss(request, of: gate.sink)
            parts.access.dismiss(orders)
            // What waited for it is reported now: there may be no later append to do it.
            parts.settle()
        }
    }

    private func makeDeadLetters(_ sink: SinkConfiguration, _ state: String?) -> (any DeadLetterArchive)? {
        let maxBytes = DiskShares(configuration)?.deadLetters[sink.id] ?? sink.deadLetterMaxBytes
        guard let state, maxBytes > 0 else { return nil }
        return DirectoryDeadLetterStore(
            directory: "\(state)/dead-letter/\(sink.id)",
            maxBytes: maxBytes,
            ledger: ledger,
            log: log
        )
    }

    /// What happens to points that a sink has not delivered when the agent ends: a live sink does not keep them, a log
    /// on disk keeps them, and what waits in memory is lost.
    private func leftover(_ kind: ReaderKind, _ spool: any SpoolStore) -> @Sendable (String, Int) -> Void {
        let (ledger, log, clock) = (ledger, log, clock)
        return { sink, count in
            guard kind == .durable, !spool.isDurable else { return }
            ledger.record(
                Loss(.undeliveredAtStop, component: sink, to: clock.wallTime, count: UInt64(count))
            )
            let error = SondeError(
                defined: .undeliveredAtStop, stage: .shutdown,
                "points that were still waiting at the stop are lost: \(count)")
            log.log(.error, error.of(sink))
        }
    }
}
