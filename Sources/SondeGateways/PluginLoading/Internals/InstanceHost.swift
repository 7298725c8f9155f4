internal import CLinux
internal import CSondePlugin
internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondePluginKit
internal import Synchronization

/// The host of one instance: the implementation of its `sonde_host`.
///
/// Everything but ``log(_:_:)`` belongs to the thread that is inside a call of the instance. A plugin that breaks that
/// rule is refused, so that its error cannot corrupt what a commit of the right thread is filling.
final class InstanceHost {
    static let checkpointLimit = 64 << 10
    static let messageLimit = 8 << 10
    static let foreignThread = "called its host from a thread that is not inside a call of the instance"

    /// The kind of the instance, with the engine's services for it.
    enum Role {
        /// A source; `tick`: whether it offers ticks.
        case source(any SourceServices, tick: Bool)
        /// A sink.
        case sink(any SinkServices)
        /// It reads a file offline.
        case inspector(any PluginServices)
    }

    let id: String
    let options: OptionRecords
    let role: Role
    /// The metrics of the points of the batch that is being delivered, by index.
    var batch: Batch?
    /// The points of that batch that the receiver rejected.
    var rejectedPoints: Set<Int> = []
    let record: UnsafeMutablePointer<sonde_host>
    /// What a sink prefers to be sent.
    private(set) var preferredContent = SendContent.metrics

    /// The name of the called instance in messages.
    private let name: String
    private let nameText: sonde_string
    private let mask: SecretMask
    private let values: OptionValues
    private let recoveries: [String: String]
    private var lossReasons = BoundedReasons()
    private let idText = ContractStrings()
    private var reader = SampleReader()
    private var checkpoint: UnsafeMutableRawBufferPointer?
    private var taped: UnsafeMutableRawBufferPointer?
    private var notedBreaches: Set<ContractBreach> = []
    private let hasNotedForeignThread = Atomic<Bool>(false)
    private var failure: ContractBreach?
    private var isCreating = false
    // Other threads of the plugin only compare it with their own number; a torn read of it cannot equal that.
    private var callingThread: pthread_t?

    init(
        id: String,
        options: OptionValues,
        descriptor: PluginDescriptor,
        role: Role
    ) {
        self.id = id
        self.options = OptionRecords(options)
        self.role = role
        name = "plugin \(descriptor.name), instance \(id)"
        nameText = idText.store(name)
        values = options
        mask = SecretMask(options.values.values.compactMap { if case .secret(let secret) = $0 { secret } else { nil } })
        recoveries = Dictionary(descriptor.errors.map { ($0.code, $0.recovery) }) { first, _ in first }
        record = .allocate(capacity: 1)
        record.initialize(to: .table())
        record.pointee.instance_id = idText.store(id)
        record.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        checkpoint?.deallocate()
        taped?.deallocate()
        record.deallocate()
    }

    var services: any PluginServices {
        switch role {
        case .source(let services, _): services
        case .sink(let services): services
        case .inspector(let services): services
        }
    }

    var source: (any SourceServices)? {
        if case .source(let services, _) = role { services } else { nil }
    }

    private var sink: (any SinkServices)? {
        if case .sink(let services) = role { services } else { nil }
    }

    /// Runs one call of the instance, and returns what it returned and what the plugin did in it that must fail it.
    func during<Result>(_ body: () -> Result) -> (result: Result, breach: ContractBreach?) {
        callingThread = pthread_self()
        failure = nil
        sonde_begin_call(nameText.data)
        let result = body()
        sonde_end_call()
        callingThread = nil
        checkpoint?.deallocate()
        checkpoint = nil
        return (result, failure)
    }

    /// Runs `create`, in which a sink may set its preference.
    func duringCreate<Result>(_ body: () -> Result) -> (result: Result, breach: ContractBreach?) {
        isCreating = true
        defer { isCreating = false }
        return during(body)
    }

    var isOnCallingThread: Bool { callingThread == pthread_self() }

    func log(_ level: LogLevel, _ message: String) {
        services.log(level, mask.masking(message))
    }

    /// A failure as it is shown: without secrets, with the place of the wrong option, and with the recovery of
    /// the description where the plugin has none.
    func explaining(_ error: SondeError) -> SondeError {
        error.masking(mask)
            .advising(recoveries[error.code.text])
            .at(error.optionPath.flatMap { values.mark(for: $0) })
    }

    /// A call that has not returned in time.
    func overstayed(_ function: String) -> SondeError {
        SondeError(
            .pluginOverstays,
            stage: .start,
            class: .programmer,
            message: "\(name) has not returned from \(function) in \(CallConditions.setupLimit.seconds) s",
            recovery: [.advise("report it to the plugin's author")],
            component: id
        )
    }

    /// Writes a failure of the instance to the log.
    func report(_ error: SondeError) {
        services.log(.error, "\(error.code): \(error.message)")
    }

    /// Reports a breach that does not end the call, once per breach.
    func note(_ breach: ContractBreach) {
        // The number of different breaches is not bounded.
        guard notedBreaches.count < 64, notedBreaches.insert(breach).inserted else { return }
        services.log(.error, "\(ErrorCode.pluginContractBroken): the plugin \(breach.text)")
    }

    /// Reports, once, a call of the host from a thread that may not make it.
    ///
    /// Called from that thread.
    func noteForeignThread() {
        guard !hasNotedForeignThread.exchange(true, ordering: .relaxed) else { return }
        services.log(.error, "\(ErrorCode.pluginContractBroken): the plugin \(Self.foreignThread)")
    }

    // MARK: What the functions of sonde_host do

    func openSeries(_ pointer: UnsafePointer<sonde_series>?) -> UInt64 {
        guard let source else { return 0 }
        guard !isCreating else {
            _ = refuse(ContractBreach("opened a series in create, before start"))
            return 0
        }
        do throws(ContractBreach) {
            return source.openSeries(try SeriesSpecification(pointer))
        } catch {
            note(error)
            return 0
        }
    }

    func commit(
        _ first: UnsafePointer<sonde_sample>?,
        _ count: Int,
        _ checkpoint: UnsafePointer<sonde_checkpoint>?
    ) -> CommitResult {
        guard let source else { return refuse(ContractBreach("is a sink and committed samples")) }
        guard !isCreating else { return refuse(ContractBreach("committed samples in create, before start")) }
        guard (0...SampleReader.limit).contains(count) else {
            return refuse(ContractBreach("committed more than \(SampleReader.limit) samples at once"))
        }
        let position: [UInt8]?
        do throws(ContractBreach) {
            position = try Self.position(checkpoint)
        } catch {
            return refuse(error)
        }
        guard count > 0 else { return source.commit([], checkpoint: position, rejections: []) }
        guard let first else { return refuse(ContractBreach("committed \(count) samples at NULL")) }
        reader.read(first, count: count)
        defer { reader.removeAll() }
        return source.commit(reader.samples, checkpoint: position, rejections: reader.rejections)
    }

    func loadCheckpoint() -> sonde_bytes {
        guard !isCreating else {
            _ = refuse(ContractBreach("loaded its checkpoint in create, before start"))
            return sonde_bytes()
        }
        guard let bytes = source?.loadCheckpoint() else { return sonde_bytes() }
        return Self.lend(bytes, in: &checkpoint)
    }

    /// Keeps a copy where a pointer to it stays valid.
    private static func lend(_ bytes: [UInt8], in place: inout UnsafeMutableRawBufferPointer?) -> sonde_bytes {
        place?.deallocate()
        // No bytes are a value too: they need an address.
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 16)
        block.copyBytes(from: bytes)
        place = block
        return sonde_bytes(data: block.baseAddress, size: bytes.count)
    }

    var tape: (any InputTape)? { source?.tape }

    func writeTape(_ key: sonde_string, _ data: sonde_bytes) {
        guard let tape else { return }
        guard let key = String(key, limit: 255), !key.isEmpty, data.size >= 0, data.data != nil || data.size == 0 else {
            return note(ContractBreach("wrote to a tape with a malformed key, or bytes at NULL"))
        }
        tape.write(key, UnsafeRawBufferPointer(start: data.data, count: data.size))
    }

    func readTape(_ key: sonde_string) -> sonde_bytes? {
        guard let tape, let key = String(key, limit: 255), let bytes = tape.read(key) else { return nil }
        return Self.lend(bytes, in: &taped)
    }

    func reportLoss(_ pointer: UnsafePointer<sonde_loss>?) {
        do throws(ContractBreach) {
            var loss = try Loss(pointer, component: id)
            loss.reason = lossReasons.bounded(mask.masking(loss.reason))
            services.reportLoss(loss)
        } catch {
            note(error)
        }
    }

    func reportTrouble(_ pointer: UnsafePointer<sonde_error>?, since: Int64) -> Bool {
        guard let error = sonde_error(copying: pointer) else {
            note(ContractBreach("reported trouble of NULL or an impossible struct_size"))
            return false
        }
        let trouble = explaining(SondeError(error, source == nil ? .deliver : .collect, component: id))
        return services.reportTrouble(
            trouble, since: since == Int64(SONDE_TIME_UNKNOWN) ? nil : Timestamp(nanoseconds: since))
    }

    func clearTrouble(_ code: sonde_string, _ optionPath: sonde_string) {
        guard let code = String(code, limit: 24), let path = String(optionPath, limit: OptionRecords.pathLimit) else {
            return note(ContractBreach("cleared trouble with a malformed code or option_path"))
        }
        services.clearTrouble(ErrorCode(code), optionPath: path.isEmpty ? nil : path)
    }

    func rejectPoint(at index: Int, _ reason: sonde_string) {
        guard let sink, let batch, batch.entries.indices.contains(index),
            batch.series.indices.contains(batch.entries[index].seriesIndex)
        else { return note(ContractBreach("rejected a point that is in no batch under way")) }
        let text = String(reason, limit: Loss.reasonLimit) ?? "other"
        rejectedPoints.insert(index)
        sink.reject(pointOf: batch.series[batch.entries[index].seriesIndex].name, reason: mask.masking(text))
    }

    func requestTick(every period: Nanoseconds) -> Bool {
        guard case .source(let source, tick: true) = role else { return false }
        guard period == .zero || SourceChannel.tickRange.contains(period) else { return false }
        return source.requestTick(every: period)
    }

    func prefer(_ mask: UInt32) {
        let content = SendContent(rawValue: mask).intersection([.metrics, .snapshots])
        guard isCreating, sink != nil, !content.isEmpty else {
            note(ContractBreach("called prefer_send outside of a sink's create, or with nothing known in the mask"))
            return
        }
        preferredContent = content
    }

    // The call has to return: the breach fails it.
    private func refuse(_ breach: ContractBreach) -> CommitResult {
        failure = breach
        return .stopping
    }

    private static func position(
        _ pointer: UnsafePointer<sonde_checkpoint>?
    ) throws(ContractBreach) -> [UInt8]? {
        guard let pointer else { return nil }
        guard let record = sonde_checkpoint(copying: pointer) else {
            throw ContractBreach("committed a checkpoint of an impossible struct_size")
        }
        guard (0...checkpointLimit).contains(record.data.size) else {
            throw ContractBreach("committed a checkpoint of more than \(checkpointLimit) bytes")
        }
        guard let data = record.data.data else {
            guard record.data.size == 0 else { throw ContractBreach("committed a checkpoint at NULL") }
            return nil
        }
        return [UInt8](UnsafeRawBufferPointer(start: data, count: record.data.size))
    }
}
