internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// What a request has to show before it gets a page.
struct Authorization {
    /// The only value of the field `Authorization` that is right, or nil: none is needed.
    private let expected: Secret?
    /// What `WWW-Authenticate` says.
    let challenge: String

    /// Reads `auth.bearer` (RFC 6750) or `auth.basic` (RFC 7617).
    init(_ options: Options) throws(PluginError) {
        let bearer = options.string("auth.bearer")
        let username = options.string("auth.basic.username")
        let password = options.string("auth.basic.password")
        switch (bearer, username, password) {
        case (nil, nil, nil):
            (expected, challenge) = (nil, "")
        case (let token?, nil, nil):
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
                throw Self.refused("auth.bearer", "is no token", "Look for a space or a line break in it.")
            }
            (expected, challenge) = (Secret("Bearer " + token), "Bearer realm=\"sonde\"")
        case (nil, let username?, let password?):
            guard !username.utf8.contains(0x3a) else {
                throw Self.refused(
                    "auth.basic.username", "has a colon", "A user name of basic authentication has none.")
            }
            guard !password.isEmpty else { throw Self.refused("auth.basic.password", "is empty", "Set one.") }
            let pair = String(decoding: Base64.encode(Array("\(username):\(password)".utf8)), as: UTF8.self)
            (expected, challenge) = (Secret("Basic " + pair), "Basic realm=\"sonde\", charset=\"UTF-8\"")
        case (nil, _, _):
            throw Self.refused(
                username == nil ? "auth.basic.username" : "auth.basic.password", "is missing", "Give both, or neither.")
        default:
            throw Self.refused("auth.bearer", "is set beside auth.basic", "Keep one of the two.")
        }
    }

    /// Whether requests are refused without it.
    var isSet: Bool { expected != nil }

    /// Whether a request with this field may read.
    func allows(_ field: String?) -> Bool {
        guard let expected else { return true }
        guard let field else { return false }
        return Self.isEqual(Self.normalized(field), Array(expected.reveal().utf8))
    }

    /// The scheme is compared without regard to case.
    private static func normalized(_ field: String) -> [UInt8] {
        // RFC 9110, section 5.5: white space around a value is none of it.
        let bytes = Array(field.utf8.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed())
        let space = bytes.firstIndex(of: 0x20) ?? bytes.endIndex
        let scheme = bytes[..<space].enumerated().map { index, byte in
            index == 0
                ? (0x61...0x7a).contains(byte) ? byte - 0x20 : byte : (0x41...0x5a).contains(byte) ? byte + 0x20 : byte
        }
        return scheme + bytes[space...]
    }

    // The time that it takes says nothing of where they differ.
    private static func isEqual(_ given: [UInt8], _ expected: [UInt8]) -> Bool {
        guard given.count == expected.count else { return false }
        return zip(given, expected).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func refused(_ option: String, _ fault: String, _ hint: String) -> PluginError {
        .refused(ScrapeCode.access, "\(option) \(fault)", hint: hint, option: option)
    }

    static let options = [
        OptionDefinition(
            "auth.bearer", .string, secret: true, help: "The token that a scrape has to show.",
            example: "\"${file:/run/secrets/scrape}\""),
        OptionDefinition(
            "auth.basic.username", .string, help: "The user of basic authentication.", example: "prometheus"),
        OptionDefinition(
            "auth.basic.password", .string, secret: true, help: "Its password.",
            example: "\"${file:/run/secrets/scrape}\""),
    ]
}
