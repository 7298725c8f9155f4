internal import SondeDomain
internal import SondeEngine

/// A sink in a process of its own.
final class ChildSinkInstance: SinkInstance {
    let isServing: Bool
    private let instance: ChildInstance
    private let services: ChildServices

    init(_ instance: ChildInstance, _ services: ChildServices, isServing: Bool) {
        (self.instance, self.services, self.isServing) = (instance, services, isServing)
    }

    var preferredContent: SendContent { instance.preferredContent }

    var process: (any InstanceProcess)? { instance.process }

    func start() throws(SondeError) { try instance.start() }

    func serve(_ call: CallConditions) throws(SondeError) -> CallOutcome { try instance.call(.serve, call) }

    func deliver(_ batch: Batch, _ call: CallConditions) throws(SondeError) -> DeliveryOutcome {
        var (rejected, reason): (UInt64, String) = (0, "")
        let outcome = try instance.call(.deliver, call) { writer in
            writer.append(batch, meaning: services.newMeaning)
        } answer: { reader in
            (rejected, reason) = (reader.number(UInt64.self), reader.text(atMost: InstanceHost.messageLimit))
        }
        guard outcome == .completed else { return .cancelled }
        return .delivered(rejectedPoints: min(rejected, UInt64(batch.entries.count)), reason: reason)
    }

    func close() { instance.close() }
}
