public import SondeEngine

/// Reads what this machine says of itself.
public struct LocalHostReader: HostReader {
    private static let releaseLimit = 64 << 10

    private let givenName: String?
    private let root: String

    /// The machine whose files are below `root`, with its own name or another one.
    public init(name: String? = nil, root: String = "") {
        givenName = name
        self.root = root
    }

    /// Its name.
    public var name: String? { givenName ?? HostName.current }

    /// Its machine-id; nil also where it is yet to be made at the first boot.
    public var machineID: String? {
        MachineID.read(root + MachineID.standardPath).flatMap { $0 == "uninitialized" ? nil : $0 }
    }

    /// `ID` and `VERSION_ID` of os-release with a dash between; `linux` where it has no `ID`, as os-release(5) says.
    public var operatingSystem: String? {
        let paths = ["/etc/os-release", "/usr/lib/os-release"]
        let contents = paths.lazy.compactMap { path in
            try? PosixFileReader().read(root + path, limit: Self.releaseLimit)
        }.first
        guard let contents else { return nil }
        let version = Self.value(of: "VERSION_ID", in: contents.text)
        return (Self.value(of: "ID", in: contents.text) ?? "linux") + (version.map { "-\($0)" } ?? "")
    }

    /// The value of an assignment; both fields are plain words, which may stand in quotes.
    private static func value(of key: String, in text: String) -> String? {
        for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("\(key)=") {
            let value = line.dropFirst(key.count + 1).filter { $0 != "\"" && $0 != "'" }
            return value.isEmpty ? nil : String(value)
        }
        return nil
    }
}
