/// Reads the environment of the process.
///
/// Implementations may be called from any thread.
public protocol EnvironmentReader: Sendable {
    /// The value of a variable; nil when it is not set.
    func value(of name: String) -> String?
}
