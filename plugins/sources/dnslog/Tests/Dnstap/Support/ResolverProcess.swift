import Foundation
import Glibc

/// A program that runs beside the test, and ends with it.
final class ResolverProcess {
    private let process = Process()
    private let file: URL

    static func path(of program: String) -> String? {
        ["/usr/sbin/", "/usr/bin/"].map { $0 + program }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// What `program` prints goes to `file`.
    init(_ program: String, _ arguments: [String], output file: String) throws {
        guard let path = Self.path(of: program) else { throw POSIXError(.ENOENT) }
        self.file = URL(filePath: file)
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        try Data().write(to: self.file)
        process.standardOutput = try FileHandle(forWritingTo: self.file)
        process.standardError = process.standardOutput
        try process.run()
    }

    deinit {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var hasEnded: Bool { !process.isRunning }

    /// What it has printed so far.
    var output: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    /// Its exit code.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Asks it to end, and waits for it.
    func end() {
        process.terminate()
        process.waitUntilExit()
    }

    /// A port of 127.0.0.1 that nobody listens at.
    static func freePort() throws -> UInt16 {
        let probe = socket(AF_INET, 2, 0)
        defer { close(probe) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 }
            return bind(probe, base, size) == 0 ? getsockname(probe, base, &size) : -1
        }
        guard result == 0 else { throw LogFolder.failure }
        return UInt16(bigEndian: address.sin_port)
    }
}
