internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// The configuration that the agent starts with: with the kept remote one, unless that is what keeps it from starting.
struct RemoteStart {
    let session: Session
    let remote: RemoteConfiguration

    /// A configuration that plugins have validated, and what it was made of.
    struct Result {
        /// At level 0 of saving.
        let checked: Session.Checked
        /// As it was read.
        let read: LoadedConfiguration
        /// Nil: it has no limits.
        let limiter: ConfigurationLimiter?

        fileprivate var isUsable: Bool { checked.loaded.configuration != nil }
    }

    func load() -> Result {
        let whole = loadOnce()
        guard !whole.isUsable, remote.state.inForce != nil else { return whole }
        // Errors that are there without it are not its own.
        let local = load(using: .none)
        guard local.isUsable else {
            remote.use(.inForce)
            return whole
        }
        if remote.state.probation != nil {
            let earlier = remote.state.good == nil ? local : load(using: .good)
            if earlier.isUsable {
                remote.changeAnyway { $0.takeBack(because: Self.reason(whole.checked)) }
                remote.use(.inForce)
                let state = remote.state
                if let failed = state.failed {
                    session.startupLog.log(.error, SondeError(rolledBack: failed, to: state.good))
                }
                return earlier
            }
        }
        session.report(whole.checked.loaded)
        remote.use(.none)
        return local
    }

    private func load(using use: RemoteConfiguration.Use) -> Result {
        remote.use(use)
        return loadOnce()
    }

    private func loadOnce() -> Result {
        let (read, catalog) = session.load()
        let limiter = ConfigurationLimiter(for: read)
        limiter?.noteInForce(read, catalog)
        let checked = session.checked(limiter?.limited(read, catalog) ?? read, catalog, log: session.startupLog)
        return Result(checked: checked, read: read, limiter: limiter)
    }

    private static func reason(_ checked: Session.Checked) -> String {
        let problem = checked.loaded.problems.first { $0.severity == .error }
        return "the agent cannot start with it: \(problem.map { "\($0.code): \($0.message)" } ?? "it has errors")"
    }
}
