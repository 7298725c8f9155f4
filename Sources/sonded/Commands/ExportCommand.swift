internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeFormats
internal import SondeGateways

/// `export`: history as a file, complete or absent, or on standard output.
struct ExportCommand {
    let session: Session

    func run() throws(SondeError) -> ExitCode {
        guard let path = session.arguments.history.output, path != "-" else {
            return try write { StandardStream.output($0) }
        }
        return try write(to: path)
    }

    private func write(to path: String) throws(SondeError) -> ExitCode {
        let file = try ReplacedFile(path: path)
        do throws(SondeError) {
            _ = try write { (bytes) throws(SondeError) in
                try file.append(bytes)
                return .ok
            }
            try file.finish()
            return .ok
        } catch {
            file.abandon()
            throw error
        }
    }

    private func write(_ body: ([UInt8]) throws(SondeError) -> ExitCode) throws(SondeError) -> ExitCode {
        var next: JSONValue?
        let format = JSONValue.Member("format", .string(session.arguments.formatWord))
        defer { progress("") }
        repeat {
            let after = next.map { [JSONValue.Member("after", $0)] } ?? []
            let page = try AgentQuery.intoSpool(session).ask(
                "export", session.arguments.history.request + [format] + after, for: "export")
            let code = try body(Array((page["text"]?.asString ?? "").utf8))
            guard code == .ok else { return code }
            next = page["next"]
            progress("\(page["done"]?.asUInt64 ?? 0) of \(page["count"]?.asUInt64 ?? 0) parts")
        } while next != nil
        return .ok
    }

    /// Shows the progress on a terminal; an empty text removes it.
    private func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1, isatty(STDOUT_FILENO) == 0 || session.arguments.history.output != nil else {
            return
        }
        let line = Array("\r\u{1b}[K\(text)".utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }
}
