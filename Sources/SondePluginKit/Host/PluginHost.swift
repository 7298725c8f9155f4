internal import CSondePlugin
public import SondeDomain

/// The services of the host for one instance.
///
/// Valid from `init(host:)` until the instance is gone.
///
/// Call it from the thread that is inside a call of the instance. A thread of the plugin's own takes ``logger`` along.
public final class PluginHost {
    /// How urgent a log line is.
    public enum LogLevel: Int32, Sendable {
        /// For the author of the plugin.
        case debug = 1
        /// Worth knowing once.
        case info = 2
        /// Something is lost or late, and the plugin continues.
        case warning = 3
        /// Something failed.
        case error = 4
    }

    /// The result of ``commit(_:checkpoint:)``.
    public enum CommitResult: Hashable, Sendable {
        /// All of it was taken.
        case taken
        /// Nothing was taken: keep the position and try again a little later.
        case busy
        /// Nothing was taken and nothing will be any more.
        case stopping
    }

    let raw: UnsafePointer<sonde_host>

    /// What this source reads from outside is recorded in, or comes from; nil, as usual: neither.
    public let tape: SourceTape?

    init(_ raw: UnsafePointer<sonde_host>) {
        self.raw = raw
        tape = SourceTape(raw)
    }

    /// The `id` of this source or sink in the configuration.
    public var instanceID: String { String(raw.pointee.instance_id) }

    /// The options, validated against the descriptor and defaulted.
    public var options: Options { Options(raw) }

    /// The wall clock.
    public var wallTime: Timestamp {
        Timestamp(nanoseconds: raw.pointee.wall_time_ns?(raw) ?? 0)
    }

    /// CLOCK_MONOTONIC.
    public var monotonicTime: MonotonicInstant {
        MonotonicInstant(nanoseconds: raw.pointee.monotonic_time_ns?(raw) ?? 0)
    }

    /// Writes one line to the agent's log.
    public func log(_ level: LogLevel, _ message: String) {
        logger.log(level, message)
    }

    /// Writes to the agent's log from any thread of the plugin, until the instance is gone.
    public var logger: PluginLogger { PluginLogger(raw) }

    /// Hands over samples and, if given, a checkpoint, as one whole.
    public func commit(_ samples: SampleBuffer, checkpoint: [UInt8]? = nil) -> CommitResult {
        guard let commit = raw.pointee.commit else { return .stopping }
        let status = samples.withContractSamples { contract in
            guard let checkpoint else { return commit(raw, contract.baseAddress, contract.count, nil) }
            return checkpoint.withUnsafeBytes { bytes in
                var record = sonde_checkpoint()
                record.struct_size = UInt32(MemoryLayout<sonde_checkpoint>.size)
                record.data = sonde_bytes(data: bytes.baseAddress, size: bytes.count)
                return commit(raw, contract.baseAddress, contract.count, &record)
            }
        }
        switch status {
        case Int32(SONDE_COMMIT_OK): return .taken
        case Int32(SONDE_COMMIT_BUSY): return .busy
        default: return .stopping
        }
    }

    /// The last checkpoint that was committed and survived, or nil.
    public func loadCheckpoint() -> [UInt8]? {
        guard let bytes = raw.pointee.load_checkpoint?(raw), let data = bytes.data else { return nil }
        return [UInt8](UnsafeRawBufferPointer(start: data, count: bytes.size))
    }

    /// Enters a loss into the ledger.
    ///
    /// `count` nil: not known.
    public func reportLoss(reason: String, from: Timestamp? = nil, to: Timestamp? = nil, count: UInt64?) {
        reason.withContractString { text in
            var loss = sonde_loss()
            loss.struct_size = UInt32(MemoryLayout<sonde_loss>.size)
            loss.reason = text
            loss.from_ns = from?.nanoseconds ?? Int64(SONDE_TIME_UNKNOWN)
            loss.to_ns = to?.nanoseconds ?? Int64(SONDE_TIME_UNKNOWN)
            loss.count = count ?? .max
            raw.pointee.report_loss?(raw, &loss)
        }
    }

    /// Reports that a part of the instance has failed while the rest works: one log of three, one interface of two.
    ///
    /// The status shows it, identified by code and option path, until it is cleared or the instance ends; a second
    /// report replaces the first. `since` nil: now. False when the instance has 32 already, or the host is older than 1.1.
    @discardableResult
    public func reportTrouble(_ error: PluginError, since: Timestamp? = nil) -> Bool {
        guard knows(\.report_trouble), let report = raw.pointee.report_trouble else { return false }
        var record = sonde_error()
        record.struct_size = UInt32(MemoryLayout<sonde_error>.size)
        _ = error.report(to: &record)
        return report(raw, &record, since?.nanoseconds ?? Int64(SONDE_TIME_UNKNOWN)) == 1
    }

    /// Reports that the part works again.
    public func clearTrouble(_ code: String, optionPath: String = "") {
        guard knows(\.clear_trouble), let clear = raw.pointee.clear_trouble else { return }
        code.withContractString { code in optionPath.withContractString { clear(raw, code, $0) } }
    }

    /// Sinks, in `deliver` only: the receiver took the batch but for the point at this index, for this short reason.
    ///
    /// Do not count it in ``Delivery/rejectedPoints``. False when the host is older than 1.1: count it there then.
    public func rejectPoint(at index: Int, reason: String) -> Bool {
        guard knows(\.reject_point), let reject = raw.pointee.reject_point else { return false }
        reason.withContractString { reject(raw, index, $0) }
        return true
    }

    private func knows<Function>(_ function: KeyPath<sonde_host, Function>) -> Bool {
        raw.knows(function)
    }

    /// Asks for calls of `tick` between collections, 20 ms to 1 s apart; zero turns them off.
    ///
    /// They are counted from the collection before, and none falls together with one, which can take the same reading.
    ///
    /// False when refused.
    public func requestTick(every period: Nanoseconds) -> Bool {
        raw.pointee.request_tick?(raw, period.value) == 1
    }

    /// Sinks, in `init` only: what to send when the configuration has no `send` key.
    public func preferSend(metrics: Bool, snapshots: Bool) {
        var mask: UInt32 = 0
        if metrics { mask |= UInt32(SONDE_SEND_METRICS) }
        if snapshots { mask |= UInt32(SONDE_SEND_SNAPSHOTS) }
        raw.pointee.prefer_send?(raw, mask)
    }
}

/// The agent's log, for any thread of the plugin until the instance is gone.
public struct PluginLogger: @unchecked Sendable {
    // The contract allows log from any thread until destroy returns.
    private let raw: UnsafePointer<sonde_host>

    init(_ raw: UnsafePointer<sonde_host>) {
        self.raw = raw
    }

    /// Writes one line to the agent's log.
    public func log(_ level: PluginHost.LogLevel, _ message: String) {
        message.withContractString { raw.pointee.log?(raw, level.rawValue, $0) }
    }
}

extension UnsafePointer<sonde_host> {
    /// Whether the host, which may be older than this kit, has the function.
    func knows<Function>(_ function: KeyPath<sonde_host, Function>) -> Bool {
        guard let offset = MemoryLayout<sonde_host>.offset(of: function) else { return false }
        return Int(pointee.struct_size) >= offset + MemoryLayout<Function>.size
    }
}
