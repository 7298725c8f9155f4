internal import CSondePlugin
internal import SondeDomain
internal import SondeEngine

/// A sink plugin's instance behind the C contract.
final class CSinkInstance: SinkInstance {
    private let instance: CInstance
    private var writer = BatchWriter()

    init(_ table: PluginTable, id: String, options: OptionValues, services: any PluginServices) throws(SondeError) {
        let host = InstanceHost(id: id, options: options, services: services, source: nil, tick: false)
        instance = try CInstance(table, host)
    }

    var preferredContent: SendContent { instance.host.preferredContent }

    func start() throws(SondeError) {
        try instance.start()
    }

    func deliver(_ batch: Batch, _ conditions: CallConditions) throws(SondeError) -> DeliveryOutcome {
        guard let deliver = instance.table.raw.pointee.deliver else { return .cancelled }
        var call = sonde_call(conditions)
        var delivery = sonde_delivery()
        delivery.struct_size = UInt32(MemoryLayout<sonde_delivery>.size)
        let outcome = try instance.call(.deliver) { instance, failure in
            writer.withContractBatch(batch) { deliver(instance, $0, &call, &delivery, failure) }
        }
        switch outcome {
        case .cancelled: return .cancelled
        case .completed:
            // More than there was is no number to count with.
            let rejected = min(delivery.rejected_points, UInt64(batch.entries.count))
            let reason = rejected > 0 ? withUnsafeBytes(of: delivery.message) { String(field: $0) } : ""
            return .delivered(rejectedPoints: rejected, reason: reason)
        }
    }

    func close() {
        instance.close()
    }
}
