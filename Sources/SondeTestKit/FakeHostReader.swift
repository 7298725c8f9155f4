public import SondeEngine

/// A host with given answers.
public struct FakeHostReader: HostReader {
    /// Its name.
    public let name: String?
    /// Its machine-id.
    public let machineID: String?
    /// Its distribution.
    public let operatingSystem: String?

    /// A host.
    public init(name: String? = "web-1", machineID: String? = nil, operatingSystem: String? = nil) {
        self.name = name
        self.machineID = machineID
        self.operatingSystem = operatingSystem
    }
}
