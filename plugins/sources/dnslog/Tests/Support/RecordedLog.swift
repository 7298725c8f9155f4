import Foundation

/// The log of a real resolver, from the folder of fixtures.
enum RecordedLog {
    static let names = [
        "unbound", "unbound-untagged", "bind-queries", "bind-query-errors", "bind-other", "dnsmasq-extra",
        "dnsmasq-plain", "powerdns-structured", "powerdns-classic", "kresd",
    ]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures")

    /// The bytes of the log `name`.
    static func bytes(_ name: String) throws -> [UInt8] {
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/usr/bin/gzip")
        gzip.arguments = ["-dc", folder.appending(path: "\(name).log.gz").path]
        let output = Pipe()
        gzip.standardOutput = output
        try gzip.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        gzip.waitUntilExit()
        return bytes
    }

    /// The lines of the log `name`.
    static func lines(_ name: String) throws -> [[UInt8]] {
        try bytes(name).split(separator: 0x0a, omittingEmptySubsequences: true).map(Array.init)
    }
}
