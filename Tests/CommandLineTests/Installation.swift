import Foundation

/// `sonde` in a folder of its own, with a daemon beside it that shows how it was called.
final class Installation {
    struct Result {
        let standardOutput: String
        let standardError: String
        let status: Int32
        let processID: Int32
    }

    /// Prints the process id, its own path and each argument on a line of its own, and exits with 42.
    static let echo = "#!/bin/sh\nprintf '%s\\n' \"$$\" \"$0\" \"$@\"\nexit 42\n"

    let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "sonde-command-\(UUID().uuidString)")
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "sonde")
        try FileManager.default.createDirectory(at: root.appending(path: "bin"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: root.appending(path: "link"),
            withDestinationURL: root.appending(path: "bin/sonde")
        )
        try FileManager.default.copyItem(at: program, to: root.appending(path: "bin/sonde"))
    }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    func addDaemon(_ path: String = "bin/sonded", script: String = Installation.echo, mode: Int = 0o755) throws {
        try addFile(path, script, mode: mode)
    }

    func addFile(_ path: String, _ text: String, mode: Int = 0o644) throws {
        let file = root.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    /// Runs `sonde` to its end.
    ///
    /// What it prints here fits into the pipes.
    func run(
        _ arguments: [String], program: String = "bin/sonde", path: String = "/usr/bin:/bin",
        environment: [String: String] = [:]
    ) throws -> Result {
        while true {
            do {
                return try runOnce(arguments, program, environment.merging(["PATH": path]) { $1 })
            } catch let error as NSError where Self.isBusy(error) {
                // A test beside this one has just forked, and its child holds what we wrote open until it executes.
                usleep(1_000)
            }
        }
    }

    private static func isBusy(_ error: NSError) -> Bool {
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        return cause.domain == NSPOSIXErrorDomain && cause.code == Int(ETXTBSY)
    }

    private func runOnce(_ arguments: [String], _ program: String, _ environment: [String: String]) throws -> Result {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = root.appending(path: program)
        process.arguments = arguments
        process.environment = environment
        // Where a run that measures coverage wants its counters.
        process.environment?["LLVM_PROFILE_FILE"] = ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errorText = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Result(
            standardOutput: text,
            standardError: errorText,
            status: process.terminationStatus,
            processID: process.processIdentifier
        )
    }
}
