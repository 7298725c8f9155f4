internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// The persistent state of this run.
struct KeptState: Sendable {
    /// The agent's identity, `agent_id` in what it sends.
    let identity: String
    /// The state directory; nil: there is none, or it may not be used.
    let directory: String?
    /// Why it may not be used.
    let failure: SondeError?

    /// Checks a state directory and reads the identity in it, or makes one.
    init(_ directory: String?, log: any EventLog) {
        var random = SystemRandomNumberGenerator()
        var identity = UUIDText.random(using: &random)
        var refusal: SondeError?
        if let directory {
            do throws(SondeError) {
                identity = try AgentIdentityStore(directory: directory).load(using: &random)
            } catch {
                if error.code == .stateUnsafe { refusal = error } else { log.log(.warning, error) }
            }
        }
        self.identity = identity
        self.directory = refusal == nil ? directory : nil
        failure = refusal
    }
}

/// Opens the log as configured: on disk where there is a state directory, in memory otherwise.
struct SpoolFactory {
    /// An open log and its data for status and logs.
    struct Opened: Sendable {
        let store: any SpoolStore
        let kind: AgentFacts.Spool.Kind
        let maxBytes: Int64
        /// Why it is in memory although a state directory is configured.
        var failure: SondeError?
    }

    // What waits in memory may have so much of a limit on memory.
    private static let memoryShare: Int64 = 4

    let settings: AgentSettings
    /// The bound of a log on disk by the agent's limits; nil: they have none.
    var disk: Int64?
    let resource: Resource
    let clock: any Clock
    let log: any EventLog

    /// The log; throws only when another agent has it.
    func open(_ state: KeptState) throws(SondeError) -> Opened {
        if let failure = state.failure { return memory(because: failure) }
        guard let directory = state.directory else { return memory() }
        do throws(SondeError) {
            return try disk("\(directory)/spool")
        } catch {
            guard error.code != .spoolLocked else { throw error }
            return memory(because: error)
        }
    }

    private func memory(because failure: SondeError) -> Opened {
        log.log(.error, failure)
        log.log(.error, "points are kept in memory instead: what waits is lost when the agent ends", component: nil)
        var opened = memory()
        opened.failure = failure
        return opened
    }

    /// A log in memory.
    func memory() -> Opened {
        let maxBytes = settings.spoolMaxBytes ?? memoryBound
        let store = MemorySpool(epoch: newEpoch().text, maxBytes: maxBytes, overflow: settings.overflow)
        store.resource = resource
        return Opened(store: store, kind: .memory, maxBytes: maxBytes)
    }

    private var memoryBound: Int64 {
        let share = settings.limits.memory.map { $0 / Self.memoryShare } ?? .max
        return min(AgentSettings.memorySpoolBytes, share)
    }

    private func disk(_ directory: String) throws(SondeError) -> Opened {
        let asked = settings.spoolMaxBytes ?? disk ?? AgentSettings.diskSpoolBytes
        let maxBytes = max(asked, DiskSpoolSettings.leastBytes)
        if maxBytes > asked {
            let text = "agent.spool.max_bytes is raised to \(maxBytes) bytes, the least a log on disk works with"
            log.log(.warning, text, component: nil)
        }
        var spool = DiskSpoolSettings(directory: directory, maxBytes: maxBytes)
        spool.maxAge = settings.spoolMaxAge
        spool.minFree = settings.spoolMinFree
        spool.overflow = settings.overflow
        spool.synchronization = settings.spoolSync
        spool.resource = resource
        spool.machine = AgentIdentityStore(directory: directory).machine
        let disk = try DiskSpool(spool, clock: clock, newEpoch: newEpoch())
        let bound = min(maxBytes, memoryBound)
        let (epoch, overflow) = (newEpoch().text, settings.overflow)
        let store = FailoverSpool(disk, clock: clock) {
            MemorySpool(epoch: epoch, maxBytes: bound, overflow: overflow)
        }
        return Opened(store: store, kind: .disk, maxBytes: maxBytes)
    }

    private func newEpoch() -> SpoolEpoch {
        var random = SystemRandomNumberGenerator()
        return SpoolEpoch.random(using: &random)
    }
}
