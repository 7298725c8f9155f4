internal import CLinux
internal import CSondePlugin
internal import SondeDomain
internal import SondeEngine
internal import SondePluginKit

/// A sink plugin's instance behind the C contract.
final class CSinkInstance: SinkInstance {
    private let instance: CInstance
    private var writer: BatchWriter
    private let usesCapabilities: Bool

    init(
        _ table: PluginTable,
        _ descriptor: PluginDescriptor,
        id: String,
        options: OptionValues,
        services: any SinkServices,
        records: SharedBySeries<SeriesRecord>
    ) throws(SondeError) {
        let host = InstanceHost(id: id, options: options, descriptor: descriptor, role: .sink(services))
        instance = try CInstance(table, host)
        usesCapabilities = descriptor.needsCapability
        writer = BatchWriter(shared: records) { services.meaning(of: $0) }
    }

    var preferredContent: SendContent { instance.host.preferredContent }

    var isServing: Bool { instance.table.raw.pointee.run != nil }

    func serve(_ conditions: CallConditions) throws(SondeError) -> CallOutcome {
        guard let run = instance.table.raw.pointee.run else { return .completed }
        return try instance.call(.deliver, conditions) { run($0, $1, $2) }
    }

    func start() throws(SondeError) {
        if usesCapabilities { sonde_use_capabilities() }
        try instance.start()
    }

    func deliver(_ batch: Batch, _ conditions: CallConditions) throws(SondeError) -> DeliveryOutcome {
        guard let deliver = instance.table.raw.pointee.deliver else { return .cancelled }
        var delivery = sonde_delivery()
        delivery.struct_size = UInt32(MemoryLayout<sonde_delivery>.size)
        let host = instance.host
        host.batch = batch
        defer { host.batch = nil }
        host.rejectedPoints.removeAll(keepingCapacity: true)
        let outcome = try instance.call(.deliver, conditions) { instance, call, failure in
            writer.withContractBatch(batch) { deliver(instance, $0, call, &delivery, failure) }
        }
        switch outcome {
        case .cancelled: return .cancelled
        case .completed:
            // A count of more than there were is not used.
            let named = UInt64(host.rejectedPoints.count)
            let rejected = named + min(delivery.rejected_points, UInt64(batch.entries.count) - named)
            let reason = rejected > 0 ? withUnsafeBytes(of: delivery.message) { String(field: $0) } : ""
            return .delivered(rejectedPoints: rejected, reason: reason)
        }
    }

    func probe(_ conditions: CallConditions) throws(SondeError) -> ProbeOutcome {
        guard let probe = instance.table.probe else { return .notOffered }
        let outcome = try instance.call(.start, conditions) { probe($0, $1, $2) }
        return outcome == .completed ? .reached : .cancelled
    }

    func close() {
        instance.close()
    }
}
