import Glibc
import SondeTestKit

/// `openssl s_server` on a free port.
final class OpenSSLServer {
    let url: String
    private let directory: TemporaryDirectory
    private let process: TestProcess
    // It ends with its input.
    private let input: [Int32]

    /// It did not report its port within 20 seconds.
    struct Silence: Error {
        let output: String
    }

    init(_ identity: CertificateAuthority.Identity, _ arguments: [String]) throws {
        directory = try TemporaryDirectory()
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        input = ends
        process = try TestProcess(
            "openssl",
            ["s_server", "-accept", "127.0.0.1:0", "-cert", identity.certificate, "-key", identity.key] + arguments,
            in: directory.path,
            input: ends[0]
        )
        url = "https://127.0.0.1:\(try Self.port(process))/"
    }

    deinit {
        for descriptor in input { close(descriptor) }
    }

    /// Ends it at once.
    func end() { process.stop() }

    private static func port(_ process: TestProcess) throws -> Substring {
        for _ in 0..<2_000 {
            if let port = process.output.firstMatch(of: /ACCEPT 127\.0\.0\.1:(\d+)\n/) { return port.1 }
            usleep(10_000)
        }
        throw Silence(output: process.output)
    }
}
