public import SondeEngine

/// A separate environment.
public struct FakeEnvironmentReader: EnvironmentReader {
    private let variables: [String: String]

    /// Variables by name.
    public init(_ variables: [String: String] = [:]) {
        self.variables = variables
    }

    /// The value of a variable; nil when it is not set.
    public func value(of name: String) -> String? {
        variables[name]
    }
}
