public import SondeDomain

/// The sources and sinks that run.
public protocol ReconfigurableInstances: Sendable {
    /// Applies a change as a whole, or throws and leaves everything as it was.
    ///
    /// Returns when removed instances have ended, or timed out: then the ids of those that hang, whose successors
    /// wait for them. Called from one thread at a time, which is not the loop's.
    func carryOut(_ change: ConfigurationChange) throws(SondeError) -> [String]
    /// Notes that a configuration is in force, also where it changes nothing that runs.
    func noteInForce(_ configuration: CheckedConfiguration)
    /// Makes an instance that is held until a person acts try again at once; any other is left unchanged.
    func retryIfHeld(_ id: String)
}
