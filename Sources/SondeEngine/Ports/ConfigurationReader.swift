/// Reads the configuration that an agent was started with once more.
public protocol ConfigurationReader: Sendable {
    /// The configuration, read and checked whole, or every problem; plugins validate what differs from the one in
    /// force.
    ///
    /// Takes as long as disks and plugins do; called from one thread at a time.
    func read(inForce: CheckedConfiguration) -> ConfigurationReadResult
    /// The configuration that was read last and taken, its remote layer included, as the limits of the agent want it now: no file is read.
    func readAgain(inForce: CheckedConfiguration) -> ConfigurationReadResult
}

/// The result of reading a configuration once more.
public enum ConfigurationReadResult: Sendable {
    /// It has no errors; the problems are warnings.
    case usable(CheckedConfiguration, [ConfigurationProblem])
    /// It cannot be used: every problem, sorted by place.
    case unusable([ConfigurationProblem])
}
