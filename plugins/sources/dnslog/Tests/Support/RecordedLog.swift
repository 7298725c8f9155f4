/// The log of a real resolver, from the folder of fixtures.
enum RecordedLog {
    static let names = [
        "unbound", "unbound-untagged", "bind-queries", "bind-query-errors", "bind-other", "dnsmasq-extra",
        "dnsmasq-plain", "powerdns-structured", "powerdns-classic", "kresd",
    ]

    /// The bytes of the log `name`.
    static func bytes(_ name: String) throws -> [UInt8] { try Recording.bytes("\(name).log") }

    /// The lines of the log `name`.
    static func lines(_ name: String) throws -> [[UInt8]] {
        try bytes(name).split(separator: 0x0a, omittingEmptySubsequences: true).map(Array.init)
    }
}
