internal import CSondePlugin
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
        var failure = sonde_error.empty
        let (status, breach) = host.duringCreate {
            table.raw.pointee.create(table.raw, host.record, &instance, &failure)
        }
        // Created is created, also when the call is held to have failed: it must be destroyed.
        isOpen = status == SONDE_OK
        if try outcome(status, failure, breach, .configuration) == .cancelled {
            throw SondeError(ContractBreach("cancelled create"), .configuration, component: host.id)
        }
    }

    deinit {
        close()
    }

    /// Runs one call and says how it ended.
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
        _ = host.during { table.raw.pointee.destroy(instance) }
        instance = nil
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
        case SONDE_FAILED: throw SondeError(failure, stage, component: host.id)
        default: throw SondeError(ContractBreach("returned unknown status \(status)"), stage, component: host.id)
        }
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
