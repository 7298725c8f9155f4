public import SondeDomain
internal import SondeEngine

/// Keeps the agent's identity in the state directory: a random UUID with the machine-id beside it.
///
/// A different machine-id means a cloned image: a new identity is made, so that two hosts never send under one.
public struct AgentIdentityStore {
    static let fileName = "agent-id"
    // Anything longer is not an identity.
    private static let limit = 1_024

    private let directory: String
    private let machineIDPath: String

    /// A store in `directory`, which exists already or can be made.
    public init(directory: String, machineIDPath: String? = nil) {
        self.directory = directory
        self.machineIDPath = machineIDPath ?? MachineID.standardPath
    }

    /// What identifies this machine (machine-id(5)); nil where the system has none.
    public var machine: String? { MachineID.read(machineIDPath) }

    /// The identity kept, or a new one that is kept from now on.
    public func load(using generator: inout some RandomNumberGenerator) throws(SondeError) -> String {
        try StateDirectory.require(directory)
        let machine = self.machine ?? "unknown"
        let lines = kept.split(separator: "\n").map(String.init)
        if lines.count == 2, UUIDText.isValid(lines[0]), lines[1] == machine { return lines[0] }
        let identity = UUIDText.random(using: &generator)
        do throws(FileSystemError) {
            let text = "\(identity)\n\(machine)\n"
            try PosixFileSystem().replace(Self.fileName, in: directory, with: Array(text.utf8))
        } catch {
            throw StateDirectory.unavailable(directory, "cannot be written to", error.code)
        }
        return identity
    }

    /// The text of the file; empty where it cannot be had.
    private var kept: String {
        let file = try? PosixFileSystem().open("\(directory)/\(Self.fileName)", .read)
        return String(decoding: (try? file?.readWhole(Self.limit, at: 0)) ?? [], as: UTF8.self)
    }
}
