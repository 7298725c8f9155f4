internal import Glibc
internal import SondeDomain
public import SondeEngine

/// Fetches the remote configuration by a child, which alone has TLS, signatures and what the server sends.
public struct RemoteFetch: RemoteSource {
    /// The word with which the program is executed as that child.
    public static let word = "remote-fetch"
    // What the answer has besides the file.
    private static let headLimit = 4 << 10
    private static let spare = Nanoseconds.seconds(5)

    private let settings: RemoteSettings
    private let programs: ChildPrograms?
    private let version: String

    /// A source with these settings; `version` is what the server learns of the agent.
    public init(_ settings: RemoteSettings, programs: ChildPrograms?, version: String) {
        (self.settings, self.programs, self.version) = (settings, programs, version)
    }

    /// What the server has now.
    public func fetch(etag: String?) -> RemoteAnswer {
        guard let programs else { return .failed(Self.missing("the program sonde-supervisor")) }
        do throws(SondeError) {
            let limit = Int(clamping: settings.maxBytes)
            let result = try RemoteChild(programs).run(
                [Self.word], input: request(etag), limit: limit + Self.headLimit, within: settings.timeout + Self.spare)
            return Self.answer(result, limit: limit)
        } catch {
            return .failed(error)
        }
    }

    private func request(_ etag: String?) -> [UInt8] {
        let pairs: [(String, String?)] = [
            ("url", settings.url), ("key", settings.publicKey), ("etag", etag), ("ca_file", settings.caFile),
            ("proxy", settings.proxy), ("bearer", settings.bearer?.reveal()), ("agent", "sonde/\(version)"),
            ("timeout_ms", "\(settings.timeout.value / 1_000_000)"), ("limit", "\(settings.maxBytes)"),
        ]
        return Array(pairs.map { word, value in value.map { "\(word) \($0)\n" } ?? "" }.joined().utf8)
    }

    /// The answer in what the child has printed: lines of a word and a value, an empty line, the text.
    static func answer(_ result: RemoteChild.Result, limit: Int) -> RemoteAnswer {
        var rest = result.output[...]
        var head: [String: String] = [:]
        while let end = rest.firstIndex(of: 0x0a) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            guard !line.isEmpty else { return answer(head, Array(rest), limit) }
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            head[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
        }
        let end = result.exitCode.map { "it has ended with \($0)" } ?? "it did not end in time, or was killed"
        return .failed(
            SondeError(remote: .remoteUnreachable, "the process that asks has no answer: \(result.lastError ?? end)"))
    }

    private static func answer(_ head: [String: String], _ text: [UInt8], _ limit: Int) -> RemoteAnswer {
        let message = head["message"] ?? ""
        let retryAfter = head["retry_after"].flatMap { Int64($0) }.map { Nanoseconds.seconds($0) }
        func failed(_ code: ErrorCode, _ message: String) -> RemoteAnswer {
            .failed(SondeError(remote: code, message, retryAfter: retryAfter))
        }
        switch head["result"] {
        case "unchanged": return .unchanged
        case "new":
            guard let serial = head["serial"].flatMap({ UInt64($0) }), head["size"] == "\(text.count)" else {
                return failed(.remoteUnreachable, "the process that asks was cut off")
            }
            return .file(RemoteLayer(serial: serial, text: text, etag: head["etag"] ?? ""))
        case "denied": return failed(.remoteAccessRefused, "the remote configuration is refused: \(message)")
        case "wrong": return failed(.remoteAddressWrong, "there is no remote configuration: \(message)")
        case "untrusted": return failed(.remoteUntrusted, "the server's certificate is not trusted: \(message)")
        case "oversized":
            let bound = SizeText.text(of: Int64(limit))
            return failed(.remoteTooLarge, "the remote configuration is larger than \(bound)")
        case "unsigned": return failed(.remoteUnsigned, "the remote configuration is refused: \(message)")
        case "library": return .failed(missing(message))
        default: return failed(.remoteUnreachable, "the remote configuration cannot be fetched: \(message)")
        }
    }

    private static func missing(_ what: String) -> SondeError {
        SondeError(remote: .remoteProgramMissing, "\(what) is missing")
    }
}
