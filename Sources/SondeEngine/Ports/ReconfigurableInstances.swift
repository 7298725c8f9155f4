public import SondeDomain

/// The sources and sinks that run.
public protocol ReconfigurableInstances: Sendable {
    /// Carries a change out as a whole, or throws and leaves everything as it was.
    ///
    /// Returns when whoever leaves has ended, or their time is over: then the ids of those that hang, whose successors
    /// wait for them. Called from one thread at a time, which is not the loop's.
    func carryOut(_ change: ConfigurationChange) throws(SondeError) -> [String]
    /// Learns that a configuration is in force, also where it changes nothing that runs.
    func noteInForce(_ configuration: CheckedConfiguration)
    /// Has an instance that is held until a person acts try again at once; any other is not disturbed.
    func retryIfHeld(_ id: String)
}
