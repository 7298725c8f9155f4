internal import SondeDomain
internal import SondeEngine

/// A source in a process of its own.
final class ChildSourceInstance: SourceInstance {
    let isStreaming: Bool
    let offersTick: Bool
    private let instance: ChildInstance

    init(_ instance: ChildInstance, isStreaming: Bool, offersTick: Bool) {
        (self.instance, self.isStreaming, self.offersTick) = (instance, isStreaming, offersTick)
    }

    var process: (any InstanceProcess)? { instance.process }

    var isOpen: Bool { instance.isOpen }

    func start() throws(SondeError) { try instance.start() }

    func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome { try instance.call(.collect, call) }

    func run(_ call: CallConditions) throws(SondeError) -> CallOutcome { try instance.call(.run, call) }

    func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome { try instance.call(.tick, call) }

    func close() { instance.close() }
}
