internal import SondeEngine

/// What identifies a machine, machine-id(5).
enum MachineID {
    static let standardPath = "/etc/machine-id"
    // Anything longer is none.
    private static let limit = 256

    /// The first line of the file; nil where there is none.
    static func read(_ path: String) -> String? {
        guard let contents = try? PosixFileReader().read(path, limit: limit) else { return nil }
        let line = contents.bytes.prefix { $0 != UInt8(ascii: "\n") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
