public import SondeDomain
internal import Synchronization

/// The remote configuration of the agent that runs: what is kept of it, and which layer counts.
///
/// Its state is on disk before it is in force. May be called from any thread; changes come from one at a time.
public final class RemoteConfiguration: RemoteLayerReader {
    /// Opens the store of a state directory.
    public typealias Opening = @Sendable (_ directory: String) throws(SondeError) -> any RemoteStore

    /// Which of the kept layers counts.
    public enum Use: Hashable, Sendable {
        /// The one in force.
        case inForce
        /// The last good one.
        case good
        /// None.
        case none
    }

    private struct Kept {
        var settings = RemoteSettings()
        var store: (any RemoteStore)?
        var state = RemoteState()
        var use = Use.inForce
        var isOpen = false
        var isStopped = false
        /// Why nothing can be kept.
        var failure: SondeError?
    }

    private let open: Opening
    private let log: any EventLog
    private let kept = Mutex(Kept())

    /// A configuration that was not read.
    public init(log: any EventLog, open: @escaping Opening) {
        self.log = log
        self.open = open
    }

    /// The settings, once the configuration was read.
    public var settings: RemoteSettings { kept.withLock { $0.settings } }

    /// What is kept.
    public var state: RemoteState { kept.withLock { $0.state } }

    /// Which of the kept layers counts.
    public var use: Use { kept.withLock { $0.use } }

    /// Why nothing can be kept; nil: it can.
    public var failure: SondeError? { kept.withLock { $0.failure } }

    /// Whether it can be followed: there is an address, and a place to keep what comes from it.
    public var isFollowed: Bool { kept.withLock { $0.store != nil } }

    /// The layer that counts; the first call reads what is kept and counts the start.
    public func layer(_ agent: AgentSettings) -> ConfigurationPart? {
        guard let url = agent.remote.url else { return nil }
        return kept.withLock { kept in
            if !kept.isOpen { begin(agent, &kept) }
            let layer =
                switch kept.use {
                case .inForce: kept.state.inForce
                case .good: kept.state.good
                case .none: RemoteLayer?.none
                }
            return layer.map { ConfigurationPart($0, of: url) }
        }
    }

    /// Chooses the layer that counts.
    public func use(_ use: Use) { kept.withLock { $0.use = use } }

    /// Changes what is kept, on disk first; throws where that fails, and then nothing has changed.
    ///
    /// Nothing changes after ``stop()``.
    public func change(_ change: (inout RemoteState) -> Void) throws(SondeError) {
        try kept.withLock { kept throws(SondeError) in
            guard !kept.isStopped, let store = kept.store else { return }
            var next = kept.state
            change(&next)
            guard next != kept.state else { return }
            try store.save(next)
            kept.state = next
        }
    }

    /// Changes what is kept; where the disk fails, for this run only.
    public func changeAnyway(_ change: (inout RemoteState) -> Void) {
        do throws(SondeError) {
            try self.change(change)
            kept.withLock { $0.failure = nil }
        } catch {
            log.log(.error, error)
            kept.withLock { kept in
                change(&kept.state)
                kept.failure = error
            }
        }
    }

    /// The agent was stopped as planned.
    public func stop() {
        guard isFollowed else { return }
        if state.probation?.starts ?? 0 > 0 { changeAnyway { $0.stop() } }
        kept.withLock { $0.isStopped = true }
    }

    private func begin(_ agent: AgentSettings, _ kept: inout Kept) {
        kept.isOpen = true
        kept.settings = agent.remote
        guard let directory = agent.stateDirectory else { return }
        do throws(SondeError) {
            let store = try open(directory)
            kept.store = store
            kept.state = try store.load()
            let before = kept.state
            kept.state.start()
            if let failed = kept.state.failed, before.failed == nil {
                log.log(.error, SondeError(rolledBack: failed, to: kept.state.good))
            }
            if kept.state != before { try store.save(kept.state) }
        } catch {
            kept.failure = error
            log.log(.error, error)
        }
    }
}

extension ConfigurationPart {
    /// A layer, by its address and number; what follows `?` in the address can be a secret.
    public init(_ layer: RemoteLayer, of url: String) {
        let address = url.prefix { $0 != "?" && $0 != "#" }
        self.init("\(address)#\(layer.serial)", .success(FileContents(bytes: layer.text)), isRemote: true)
    }
}

extension SondeError {
    /// A failure of the remote configuration, with class and advice of its definition.
    public init(remote code: ErrorCode, _ message: String, retryAfter: Nanoseconds? = nil) {
        self.init(defined: code, stage: .configuration, message, retryAfter: retryAfter)
    }

    /// A layer was taken back.
    public init(rolledBack failed: RemoteState.Failed, to good: RemoteLayer?) {
        let now = good.map { "\($0.serial) is in force again" } ?? "there is none in force now"
        self.init(
            remote: .remoteRolledBack, "remote configuration \(failed.serial) was taken back: \(failed.reason); \(now)")
    }
}
