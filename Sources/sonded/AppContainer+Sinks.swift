internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

extension AppContainer {
    /// A sink's thread, and where it takes orders.
    func makeSink(
        _ sink: SinkConfiguration,
        _ origin: DeliverBatches.Origin,
        _ opened: SpoolFactory.Opened,
        _ pipeline: Pipeline,
        _ board: StatusBoard,
        _ retry: RetryNow
    ) throws(SondeError) -> (runner: SinkRunner, orders: SinkOrders) {
        let spool = opened.store
        let plugin = try catalog.plugin(named: sink.plugin)
        let isLive = plugin.descriptor.delivery == .live
        let entry = board.add(id: sink.id, plugin: sink.plugin, kind: .sink)
        let control = try InstanceControl(component: sink.id, log: log, entry: entry)
        let instance = try plugin.makeSink(id: sink.id, options: sink.options, services: makeServices(sink.id))
        let wants = sink.send ?? instance.preferredContent
        let gate = DeliveryGate(
            sink: sink.id,
            wants: wants,
            wait: sink.batch.wait ?? (isLive ? .milliseconds(200) : .seconds(1)),
            maxCount: sink.batch.samples,
            maxBytes: sink.batch.bytes,
            wakeup: control.timer
        )
        spool.addReader(sink.id, isLive ? .live : .durable, wants: wants)
        pipeline.add(gate)
        let settings = DeliverBatches.Settings(sink)
        let deadLetters = makeDeadLetters(sink)
        let useCase = DeliverBatches(
            settings: settings,
            origin: origin,
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
        useCase.retry = retry.add(sink.id, wakeup: control.timer)
        let orders = SinkOrders(sink: sink.id, wakeup: control.timer)
        useCase.orders = CarryOutOrders(
            settings: settings,
            origin: origin,
            orders: orders,
            spool: spool,
            archive: deadLetters,
            ledger: ledger,
            clock: clock,
            log: log,
            random: SystemRandomNumberGenerator(),
            entry: entry
        )
        let runner = SinkRunner(
            id: sink.id,
            useCase: useCase,
            instance: instance,
            control: control,
            clock: clock,
            leftover: leftover(isKept: isLive || opened.kind == .disk)
        )
        return (runner, orders)
    }

    private func makeDeadLetters(_ sink: SinkConfiguration) -> (any DeadLetterArchive)? {
        guard let state = configuration.agent.stateDirectory, sink.deadLetterMaxBytes > 0 else { return nil }
        return DirectoryDeadLetterStore(
            directory: "\(state)/dead-letter/\(sink.id)",
            maxBytes: sink.deadLetterMaxBytes,
            ledger: ledger,
            log: log
        )
    }

    /// What happens to points that a sink has not delivered when the agent ends: a live sink never promised them, a log
    /// on disk keeps them, and what waits in memory is lost.
    private func leftover(isKept: Bool) -> @Sendable (String, Int) -> Void {
        let (ledger, log, clock) = (ledger, log, clock)
        return { sink, count in
            guard !isKept else { return }
            ledger.record(
                Loss(reason: "undelivered_at_stop", component: sink, to: clock.wallTime, count: UInt64(count))
            )
            log.log(
                .error,
                SondeError(
                    .undeliveredAtStop,
                    stage: .shutdown,
                    class: .transient,
                    message: "\(count) points were still waiting when the grace time was over; they are lost",
                    recovery: [.advise("Raise agent.shutdown_grace, or see why the receiver is slow or down.")],
                    component: sink
                )
            )
        }
    }
}
