public import SondeDomain

/// Asks for the remote configuration.
///
/// Called from one thread; takes as long as networks do.
public protocol RemoteSource: Sendable {
    /// What the server has now, verified; `etag` is the version that is known.
    func fetch(etag: String?) -> RemoteAnswer
}

/// What a server said.
public enum RemoteAnswer: Sendable {
    /// It has the version that is known.
    case unchanged
    /// Its file is signed and whole.
    case file(RemoteLayer)
    /// There is no file that could be used.
    case failed(SondeError)
}

/// Keeps what the agent knows of remote configurations.
///
/// Called from one thread at a time.
public protocol RemoteStore: Sendable {
    /// What was kept; empty when nothing was.
    func load() throws(SondeError) -> RemoteState
    /// Keeps a state in place of the one before: once this returns it survives a power cut, and at any instant one of both is
    /// there.
    func save(_ state: RemoteState) throws(SondeError)
}

/// Checks in another process what the agent would run with.
///
/// Called from one thread; takes as long as plugins do.
public protocol RemoteCheck: Sendable {
    /// The result with this layer; nil: without one.
    func check(_ layer: RemoteLayer?) -> RemoteCheckResult
}

/// What a check has found.
public enum RemoteCheckResult: Hashable, Sendable {
    /// No errors.
    case valid
    /// An error, as one line.
    case invalid(String)
    /// It could not be found out.
    case unknown(String)
}

/// The remote layer of a configuration that is read.
///
/// Called from one thread at a time.
public protocol RemoteLayerReader: Sendable {
    /// The layer for an agent whose own files say this, and where it comes from in words; nil: there is none.
    func layer(_ agent: AgentSettings) -> ConfigurationPart?
}
