/// `openssl s_server` on a free port.
final class OpenSSLServer {
    let url: String
    private let directory: TemporaryDirectory
    private let process: ChildProcess

    init(_ identity: CertificateAuthority.Identity, _ arguments: [String]) throws {
        directory = try TemporaryDirectory()
        process = try ChildProcess(
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", identity.certificate, "-key", identity.key]
                + arguments,
            in: directory.path
        )
        let port = try process.output(after: "ACCEPT 127.0.0.1:")
        url = "https://127.0.0.1:\(port)/"
    }

    /// Ends it at once.
    func end() { process.end() }
}
