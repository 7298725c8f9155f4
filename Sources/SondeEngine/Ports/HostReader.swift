/// Reads what the host says of itself.
///
/// Implementations may be called from any thread.
public protocol HostReader: Sendable {
    /// Its name, gethostname(2); nil where it has none.
    var name: String? { get }
    /// Its machine-id, machine-id(5); nil where it has none.
    var machineID: String? { get }
    /// Its distribution, os-release(5): `debian-12`; nil where it cannot be read.
    var operatingSystem: String? { get }
}
