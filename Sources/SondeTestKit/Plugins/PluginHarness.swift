public import CSondePlugin
public import SondeDomain
public import SondePluginKit

#if canImport(Glibc)
    internal import Glibc
#endif

/// Drives one plugin instance through the C contract as the daemon would, with a ``FakeHost``.
///
///     let harness = try PluginHarness(sonde_plugin_procnet(), options: ["proc": .string(root)])
///     try harness.start()
///     try harness.collect()
///     #expect(harness.host.lastCommit["sonde.kernel.tcp.curr_estab"] == .unsigned(3))
///
/// Works for a plugin in any language: it sees nothing but the exported table. Use it from one thread.
public final class PluginHarness {
    /// How a call ended when it did not fail.
    public enum Outcome: Hashable, Sendable {
        /// It did what it should.
        case completed
        /// It ended early because it was cancelled.
        case cancelled
    }

    /// The host that the instance sees.
    public let host: FakeHost
    /// The receiver's answer in the last `deliver`.
    public private(set) var delivery = Delivery.complete

    private let table: UnsafePointer<sonde_plugin>
    private var instance: UnsafeMutableRawPointer?
    private var isAlive = false
    private let cancelPipe: (read: Int32, write: Int32)

    /// Makes an instance.
    ///
    /// Throws what `create` reports.
    ///
    /// Options that `options` does not set have no value: defaults are the daemon's work, so a test gives what it needs.
    public init(
        _ table: UnsafePointer<sonde_plugin>,
        id: String = "test",
        options: [String: FakeHost.Option] = [:],
        version: FakeHost.Version = .current
    ) throws {
        self.table = table
        host = FakeHost(id: id, options: options, version: version)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw PluginError("", .resource, "pipe failed: \(errno)") }
        cancelPipe = (ends[0], ends[1])
        _ = try checked { table.pointee.create(table, host.record, &instance, $0) }
        isAlive = true
    }

    deinit {
        if isAlive { table.pointee.destroy(instance) }
        close(cancelPipe.read)
        close(cancelPipe.write)
    }

    /// The description as JSON.
    public var description: String {
        let text = table.pointee.describe(table)
        return String(decoding: UnsafeRawBufferPointer(start: text.data, count: text.size), as: UTF8.self)
    }

    /// Calls `start`.
    public func start() throws {
        guard let start = table.pointee.start else { return }
        _ = try checked { start(instance, $0) }
    }

    /// Calls `collect`.
    @discardableResult
    public func collect(isFinal: Bool = false, interval: Nanoseconds = .seconds(10)) throws -> Outcome {
        guard let collect = table.pointee.collect else { throw missing("collect") }
        var call = conditions(isFinal: isFinal, interval: interval)
        return try checked { collect(instance, &call, $0) }
    }

    /// Calls `run`; cancel from another thread or beforehand.
    @discardableResult
    public func run(interval: Nanoseconds = .seconds(10)) throws -> Outcome {
        guard let run = table.pointee.run else { throw missing("run") }
        var call = conditions(isFinal: false, interval: interval)
        return try checked { run(instance, &call, $0) }
    }

    /// Calls `tick`.
    @discardableResult
    public func tick() throws -> Outcome {
        guard let tick = table.pointee.tick else { throw missing("tick") }
        var call = conditions(isFinal: false, interval: .seconds(10))
        return try checked { tick(instance, &call, $0) }
    }

    /// Calls `deliver` with `timeout` from now as the deadline.
    @discardableResult
    public func deliver(
        _ batch: Batch, timeout: Nanoseconds = .seconds(30), isFinal: Bool = false
    ) throws -> Outcome {
        guard let deliver = table.pointee.deliver else { throw missing("deliver") }
        var call = conditions(isFinal: isFinal, interval: .zero, timeout: timeout)
        var report = sonde_delivery()
        report.struct_size = UInt32(MemoryLayout<sonde_delivery>.size)
        let contract = ContractBatch(batch, version: host.version)
        let outcome = try withExtendedLifetime(contract) {
            try checked { deliver(instance, contract.pointer, &call, &report, $0) }
        }
        delivery = Delivery(rejectedPoints: report.rejected_points, message: string(of: report.message))
        return outcome
    }

    /// Calls `probe` with `timeout` from now as the deadline.
    @discardableResult
    public func probe(timeout: Nanoseconds = .seconds(30)) throws -> Outcome {
        guard let probe = table.pointee.probe else { throw missing("probe") }
        var call = conditions(isFinal: false, interval: .zero, timeout: timeout)
        return try checked { probe(instance, &call, $0) }
    }

    /// Makes the cancel descriptor readable, permanently.
    public func cancel() {
        // Closing it would not do: a process that was started meanwhile has both ends, too.
        var one: UInt8 = 1
        _ = write(cancelPipe.write, &one, 1)
    }

    private func conditions(isFinal: Bool, interval: Nanoseconds, timeout: Nanoseconds? = nil) -> sonde_call {
        var call = sonde_call()
        call.struct_size = UInt32(MemoryLayout<sonde_call>.size)
        call.cancel_fd = cancelPipe.read
        let now = MonotonicInstant(nanoseconds: host.record.pointee.monotonic_time_ns(host.record))
        call.deadline_ns = now.advanced(by: timeout ?? .seconds(10)).nanoseconds
        call.time_ns = host.wallTime.nanoseconds
        call.interval_ns = interval.value
        call.flags = isFinal ? UInt32(SONDE_CALL_FINAL) : 0
        return call
    }

    private func missing(_ function: String) -> PluginError {
        PluginError("", .programmer, "the plugin does not offer \(function)")
    }

    private func checked(_ body: (UnsafeMutablePointer<sonde_error>) -> sonde_status) throws -> Outcome {
        var failure = sonde_error()
        failure.struct_size = UInt32(MemoryLayout<sonde_error>.size)
        failure.retry_after_ns = Int64(SONDE_RETRY_AFTER_NONE)
        switch body(&failure) {
        case sonde_status(SONDE_OK): return .completed
        case sonde_status(SONDE_CANCELLED): return .cancelled
        default:
            throw PluginError(failure)
        }
    }

    private func string<Field>(of field: Field) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
