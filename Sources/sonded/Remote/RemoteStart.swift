internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

/// The configuration that the agent starts with: with the kept remote one, unless that is what keeps it from starting.
struct RemoteStart {
    let session: Session
    let remote: RemoteConfiguration

    func loadChecked() -> Session.Checked {
        let whole = session.loadChecked()
        guard whole.loaded.configuration == nil, remote.state.inForce != nil else { return whole }
        // Errors that are there without it are not its own.
        let local = loadChecked(using: .none)
        guard local.loaded.configuration != nil else {
            remote.use(.inForce)
            return whole
        }
        if remote.state.trial != nil {
            let earlier = remote.state.good == nil ? local : loadChecked(using: .good)
            if earlier.loaded.configuration != nil {
                remote.changeAnyway { $0.takeBack(because: Self.reason(whole)) }
                remote.use(.inForce)
                let state = remote.state
                if let failed = state.failed {
                    session.startupLog.log(.error, SondeError(rolledBack: failed, to: state.good))
                }
                return earlier
            }
        }
        session.report(whole.loaded)
        remote.use(.none)
        return local
    }

    private func loadChecked(using use: RemoteConfiguration.Use) -> Session.Checked {
        remote.use(use)
        return session.loadChecked()
    }

    private static func reason(_ checked: Session.Checked) -> String {
        let problem = checked.loaded.problems.first { $0.severity == .error }
        return "the agent cannot start with it: \(problem.map { "\($0.code): \($0.message)" } ?? "it has errors")"
    }
}
