internal import CSondePlugin
internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// One instance of a plugin behind the C contract: what sources and sinks have in common.
final class CInstance {
    let table: PluginTable
    let host: InstanceHost
    private var instance: UnsafeMutableRawPointer?
    private var isOpen = false

    /// Calls `create`.
    init(_ table: PluginTable, _ host: InstanceHost) throws(SondeError) {
        self.table = table
        self.host = host
        let created = try BoundedCall.run {
            () -> (UnsafeMutableRawPointer?, sonde_status, ContractBreach?, sonde_error) in
            var instance: UnsafeMutableRawPointer?
            var failure = sonde_error.empty
            let (status, breach) = host.duringCreate {
                table.raw.pointee.create(table.raw, host.record, &instance, &failure)
            }
            return (instance, status, breach, failure)
        }
        guard let (instance, status, breach, failure) = created else { throw host.overstayed("create") }
        self.instance = instance
        // An instance that was created must be destroyed, also when the call counts as failed.
        isOpen = status == SONDE_OK
        if try outcome(status, failure, breach, .configuration) == .cancelled {
            throw SondeError(ContractBreach("cancelled create"), .configuration, component: host.id)
        }
    }

    deinit {
        close()
    }

    /// Runs one call and returns how it ended.
    func call(
        _ stage: SondeError.Stage,
        _ body: (UnsafeMutableRawPointer?, UnsafeMutablePointer<sonde_error>) -> sonde_status
    ) throws(SondeError) -> CallOutcome {
        guard isOpen else {
            throw SondeError(ContractBreach("was called after its end"), stage, component: host.id)
        }
        var failure = sonde_error.empty
        let (status, breach) = host.during { body(instance, &failure) }
        return try outcome(status, failure, breach, stage)
    }

    /// Runs a call with conditions; only such a call may end early.
    func call(
        _ stage: SondeError.Stage,
        _ conditions: CallConditions,
        _ body: (UnsafeMutableRawPointer?, UnsafePointer<sonde_call>, UnsafeMutablePointer<sonde_error>) -> sonde_status
    ) throws(SondeError) -> CallOutcome {
        var record = sonde_call(conditions)
        let outcome = try call(stage) { body($0, &record, $1) }
        guard outcome == .completed || conditions.isCancelled else {
            throw SondeError(
                ContractBreach("returned SONDE_CANCELLED without being cancelled"), stage, component: host.id)
        }
        return outcome
    }

    /// Calls `start`, if there is one.
    func start() throws(SondeError) {
        guard let start = table.raw.pointee.start else { return }
        let outcome = try call(.start) { start($0, $1) }
        guard outcome == .completed else {
            throw SondeError(ContractBreach("cancelled start"), .start, component: host.id)
        }
    }

    /// Calls `destroy`, once.
    func close() {
        guard isOpen else { return }
        isOpen = false
        let (table, host, instance) = (table, host, instance)
        self.instance = nil
        do throws(SondeError) {
            let isDestroyed = try BoundedCall.run {
                _ = host.during { table.raw.pointee.destroy(instance) }
                return true
            }
            if isDestroyed == nil { host.report(host.overstayed("destroy")) }
        } catch {
            host.report(error)
        }
    }

    private func outcome(
        _ status: sonde_status,
        _ failure: sonde_error,
        _ breach: ContractBreach?,
        _ stage: SondeError.Stage
    ) throws(SondeError) -> CallOutcome {
        if let breach { throw SondeError(breach, stage, component: host.id) }
        switch status {
        case SONDE_OK: return .completed
        case SONDE_CANCELLED: return .cancelled
        case SONDE_FAILED: throw host.explaining(SondeError(failure, stage, component: host.id))
        default: throw SondeError(ContractBreach("returned unknown status \(status)"), stage, component: host.id)
        }
    }
}

extension CallConditions {
    /// Whether the end of the call was requested.
    fileprivate var isCancelled: Bool {
        var descriptor = pollfd(fd: cancelDescriptor, events: Int16(POLLIN), revents: 0)
        return cancelDescriptor < 0 || poll(&descriptor, 1, 0) == 1
    }
}

extension sonde_call {
    init(_ conditions: CallConditions) {
        self.init(
            struct_size: UInt32(MemoryLayout<sonde_call>.size),
            cancel_fd: conditions.cancelDescriptor,
            deadline_ns: conditions.deadline.nanoseconds,
            time_ns: conditions.time.nanoseconds,
            interval_ns: conditions.interval.value,
            flags: conditions.isFinal ? SONDE_CALL_FINAL : 0,
            reserved: 0
        )
    }
}
