/// The words behind `sonde web`.
struct WebArguments: Hashable, Sendable {
    /// Why words mean nothing.
    struct Flaw: Error, Hashable, Sendable {
        /// One sentence.
        let message: String
    }

    /// How it is called.
    static let usage = "usage: sonde-web [OPTION]…; 'sonde web --help' says which there are."

    /// The agent's control socket; nil: at the usual places.
    private(set) var socket: String?
    /// The agent's configuration.
    private(set) var configuration: String?
    private(set) var listen: String?
    private(set) var hosts: [String] = []
    private(set) var certificate: String?
    private(set) var key: String?
    /// The file with the token.
    private(set) var tokenFile: String?
    /// Whether only the version is asked for.
    private(set) var isVersion = false

    /// Reads the words.
    init(_ words: [String]) throws(Flaw) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word != "--version" else {
                isVersion = true
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard word.hasPrefix("-"), Self.names.contains(parts[0]) else {
                throw Flaw(message: "unexpected argument '\(word)'")
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
                throw Flaw(message: "\(parts[0]) needs a value")
            }
            set(parts[0], value)
        }
    }

    private static let names: Set = [
        "--socket", "-c", "--config", "--listen", "--host", "--tls-certificate", "--tls-key", "--token-file",
    ]

    private mutating func set(_ name: String, _ value: String) {
        switch name {
        case "--socket": socket = value
        case "--listen": listen = value
        case "--host": hosts.append(value)
        case "--tls-certificate": certificate = value
        case "--tls-key": key = value
        case "--token-file": tokenFile = value
        default: configuration = value
        }
    }
}
