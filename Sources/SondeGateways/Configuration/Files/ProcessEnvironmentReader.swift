import Glibc
public import SondeEngine

/// Reads the environment that the process was started with.
public struct ProcessEnvironmentReader: EnvironmentReader {
    /// A reader.
    public init() {}

    /// The value of a variable; nil when it is not set.
    public func value(of name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
