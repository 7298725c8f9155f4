internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways

/// Queries the agent that the arguments select: at `--socket`, at the socket of `--config`, or at the usual paths.
struct AgentQuery {
    let session: Session
    /// How long the agent may take to answer.
    var patience = Nanoseconds.seconds(5)
    /// What is done when the configuration file has an error, so that the socket's path is not known.
    var unreadable = Unreadable.isAFailure

    /// The treatment of a configuration file with an error.
    enum Unreadable {
        /// Fail.
        case isAFailure
        /// Ask the agent at the usual paths that reads this file, if one does: it reports the error.
        case isForItsAgent
    }

    /// A query that may take the agent a while, since it reads files.
    static func intoSpool(_ session: Session) -> AgentQuery {
        AgentQuery(session: session, patience: .seconds(30))
    }

    /// The member `key` of the answer; throws when no agent answers, with the most specific reason.
    func ask(
        _ request: String,
        _ members: [JSONValue.Member] = [],
        for key: String
    ) throws(SondeError) -> JSONValue {
        try whereAnswered { (path) throws(SondeError) in
            try ControlClient.ask(at: path, request, members, for: key, patience: patience)
        }
    }

    /// Subscribes to a feed, whose answers `use` gets until it returns a code.
    func watch(
        _ request: String,
        _ members: [JSONValue.Member] = [],
        _ use: (JSONValue) -> ExitCode?
    ) throws(SondeError) -> ExitCode {
        var end: SondeError?
        let code = try whereAnswered { (path) throws(SondeError) -> ExitCode? in
            var hasBegun = false
            do throws(SondeError) {
                // With an optional type, the first nil of `use` would be a result.
                let code: ExitCode = try ControlClient.watch(at: path, request, members, patience: patience) { answer in
                    hasBegun = true
                    return use(answer)
                }
                return code
            } catch {
                // The agent that was watched has ended; another one at the next path was not requested.
                guard hasBegun else { throw error }
                end = error
                return nil
            }
        }
        if let end { throw end }
        return code ?? .failure
    }

    private func whereAnswered<Result>(
        _ body: (String) throws(SondeError) -> Result
    ) throws(SondeError) -> Result {
        var reasons: [SondeError] = []
        for path in try paths() {
            do throws(SondeError) {
                return try body(path)
            } catch {
                guard error.code == .controlNotAnswered || error.code == .controlPeerRefused else { throw error }
                reasons.append(error)
            }
        }
        // A refusal is more specific than the absence of an agent.
        let refused = reasons.first { $0.code == .controlPeerRefused }
        guard let reason = refused ?? reasons.last else { throw SondeError.noControlSocket }
        throw reason
    }

    /// Where an agent may answer, in the order in which they are tried.
    func paths() throws(SondeError) -> [String] {
        if let path = session.arguments.socketPath { return [path] }
        guard let configuration = session.arguments.configPath else {
            return ControlSocketPath.candidates(ProcessEnvironmentReader())
        }
        let setting: AgentSettings.ControlSocket
        do throws(SondeError) {
            setting = try self.setting(configuration)
        } catch {
            guard unreadable == .isForItsAgent else { throw error }
            let paths = ControlSocketPath.candidates(ProcessEnvironmentReader()).filter { reads(configuration, at: $0) }
            guard !paths.isEmpty else { throw error }
            return paths
        }
        return ControlSocketPath.candidates(setting, ProcessEnvironmentReader())
    }

    /// Whether the agent at a socket reads this file; a relative path does not say so.
    private func reads(_ configuration: String, at path: String) -> Bool {
        guard configuration.hasPrefix("/"),
            let status = try? ControlClient.ask(at: path, "status", for: "status", patience: .seconds(5))
        else { return false }
        return status["agent"]?["config"]?.asString == configuration
    }

    private func setting(_ path: String) throws(SondeError) -> AgentSettings.ControlSocket {
        let loaded = session.loadAgent(path)
        if let configuration = loaded.configuration { return configuration.agent.controlSocket }
        let errors = loaded.problems.filter { $0.severity == .error }
        let first = errors.first
        let more = errors.count > 1 ? "; 'sonde check' shows \(errors.count - 1) more" : ""
        throw SondeError(
            first?.code ?? .configurationUnreadable,
            stage: .configuration,
            class: .configuration,
            message: "the control socket is not known: "
                + (first.map { "\($0.mark): \($0.message)\(more)" } ?? "'\(path)' cannot be read"),
            recovery: [.advise(first?.suggestion ?? "Name the socket with --socket, or correct the file.")]
        )
    }
}

extension ExitCode {
    /// The code for a failure to query a running agent.
    init(asking error: SondeError) {
        switch error.code {
        case .controlPeerRefused, .controlChangeRefused: self = .permission
        case .controlNotAnswered, .controlBusy, .spoolOrdersFull, .reloadInterrupted, .systemCallFailed:
            self = .temporaryFailure
        case .reloadRefused, .reloadNeedsRestart: self = .configuration
        default: self = error.stage == .configuration ? .configuration : .failure
        }
    }
}
