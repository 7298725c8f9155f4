internal import CSondePlugin
internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// The host of one instance: what stands behind the functions of its `sonde_host`.
///
/// Everything but ``log(_:_:)`` belongs to the thread that is inside a call of the instance. A plugin that breaks that
/// rule is turned away, so that its mistake cannot corrupt what a commit of the right thread is filling.
final class InstanceHost {
    static let checkpointLimit = 64 << 10
    static let messageLimit = 8 << 10

    let id: String
    let options: OptionRecords
    let services: any PluginServices
    /// The services of a source; nil for a sink.
    let source: (any SourceServices)?
    let offersTick: Bool
    let record: UnsafeMutablePointer<sonde_host>
    /// What a sink prefers to be sent.
    var preferredContent = SendContent.metrics

    private let idText = ContractStrings()
    var reader = SampleReader()
    var checkpoint: UnsafeMutableRawBufferPointer?
    private var notedBreaches: Set<ContractBreach> = []
    var failure: ContractBreach?
    private(set) var mayPrefer = false
    // Other threads of the plugin only compare it with themselves; a torn view of it cannot equal their own number.
    private var callingThread: pthread_t?

    init(id: String, options: OptionValues, services: any PluginServices, source: (any SourceServices)?, tick: Bool) {
        self.id = id
        self.options = OptionRecords(options)
        self.services = services
        self.source = source
        offersTick = tick
        record = .allocate(capacity: 1)
        record.initialize(to: .table())
        record.pointee.instance_id = idText.store(id)
        record.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        checkpoint?.deallocate()
        record.deallocate()
    }

    /// Runs one call of the instance, and returns what it returned and what the plugin did in it that must fail it.
    func during<Result>(_ body: () -> Result) -> (result: Result, breach: ContractBreach?) {
        callingThread = pthread_self()
        failure = nil
        let result = body()
        callingThread = nil
        checkpoint?.deallocate()
        checkpoint = nil
        return (result, failure)
    }

    /// Runs `create`, in which a sink may say what it prefers.
    func duringCreate<Result>(_ body: () -> Result) -> (result: Result, breach: ContractBreach?) {
        mayPrefer = true
        defer { mayPrefer = false }
        return during(body)
    }

    var isOnCallingThread: Bool { callingThread == pthread_self() }

    func log(_ level: LogLevel, _ message: String) {
        services.log(level, message)
    }

    /// Reports a breach that the rest of the call survives, once per breach.
    func note(_ breach: ContractBreach) {
        // A plugin can invent breaches without end.
        guard notedBreaches.count < 64, notedBreaches.insert(breach).inserted else { return }
        services.log(.error, "\(ErrorCode.pluginContractBroken): the plugin \(breach.text)")
    }
}
