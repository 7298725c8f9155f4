internal import Glibc
public import SondeDomain

/// Keeps the agent's identity in the state directory: a random UUID with the machine-id beside it.
///
/// A different machine-id means a cloned image: a new identity is made, so that two hosts never send under one.
public struct AgentIdentityStore {
    private static let fileName = "agent-id"

    private let directory: String
    private let machineIDPath: String

    /// A store in `directory`, which exists already or can be made.
    public init(directory: String, machineIDPath: String = "/etc/machine-id") {
        self.directory = directory
        self.machineIDPath = machineIDPath
    }

    /// What tells this machine from others (machine-id(5)); nil where the system has none.
    public var machine: String? {
        let line = TextFile.read(machineIDPath, limit: 256).map(Self.firstLine)
        return line?.isEmpty == false ? line : nil
    }

    /// The identity kept, or a new one that is kept from now on.
    public func load(using generator: inout some RandomNumberGenerator) throws(SondeError) -> String {
        let path = "\(directory)/\(Self.fileName)"
        let machine = self.machine ?? "unknown"
        if let text = TextFile.read(path, limit: 1_024) {
            let lines = text.split(separator: "\n").map(String.init)
            if lines.count == 2, UUIDText.isValid(lines[0]), lines[1] == machine { return lines[0] }
        }
        let identity = UUIDText.random(using: &generator)
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw unavailable("cannot be made", errno) }
        guard TextFile.replace(path, with: Array("\(identity)\n\(machine)\n".utf8)) else {
            throw unavailable("cannot be written to", errno)
        }
        return identity
    }

    private static func firstLine(_ text: String) -> String {
        String(text.prefix { $0 != "\n" })
    }

    private func unavailable(_ what: String, _ code: Int32) -> SondeError {
        SondeError(
            .stateUnavailable,
            stage: .start,
            class: .unsafeStorage,
            message: "the state directory '\(directory)' \(what): \(String(cString: strerror(code)))",
            recovery: [.advise("Create the directory and make it writable for the agent's user.")]
        )
    }
}
