internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import SondeGateways
public import SondePresentation

/// `sonde web`, from its words to its exit code.
public struct WebCommand: Sendable {
    // sysexits.h, as all commands of Sonde use it.
    private enum Code {
        static let failure: Int32 = 1
        static let usage: Int32 = 64
        static let configuration: Int32 = 78
    }

    private static let longestToken = 4_096

    private let version: String
    private let timing: DashboardTiming

    /// A server of that version, whose pages ask at that pace.
    public init(version: String, timing: DashboardTiming = DashboardTiming()) {
        (self.version, self.timing) = (version, timing)
    }

    /// Sets what holds for the whole process; before any other thread exists.
    public static func prepareProcess() {
        ResidentMemory.shareOneHeap()
        // A browser that is gone is an error of the call that writes to it.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Serves until a signal ends it; returns the exit code.
    public func run(_ words: [String]) async -> Int32 {
        do {
            let arguments = try WebArguments(words)
            guard !arguments.isVersion else {
                Self.print("sonde-web \(version)", to: STDOUT_FILENO)
                return 0
            }
            return await serve(arguments)
        } catch {
            Self.report("error: \(error.message)")
            Self.print(WebArguments.usage, to: STDERR_FILENO)
            return Code.usage
        }
    }

    private func serve(_ arguments: WebArguments) async -> Int32 {
        do throws(SondeError) {
            let settings = try WebSettings(
                arguments, token: try Self.token(arguments.tokenFile), sockets: try WebContainer.sockets(arguments))
            try await WebServer(settings, version: version, timing: timing).run(report: Self.report) { link in
                Self.print(link, to: STDOUT_FILENO)
            }
            return 0
        } catch {
            let advice = error.recovery.compactMap { if case .advise(let text) = $0 { text } else { nil } }
            Self.report(
                "error[\(error.code.text)]: \(error.message)" + advice.map { "\n  help: \($0)" }.joined())
            return error.failureClass == .configuration ? Code.configuration : Code.failure
        }
    }

    // MARK: What the words name

    private static func token(_ path: String?) throws(SondeError) -> [UInt8]? {
        guard let path else { return nil }
        let contents: FileContents
        do throws(FileReadFailure) {
            contents = try PosixFileReader().read(path, limit: longestToken)
        } catch {
            throw SondeError(web: .webFileUnusable, "the token file '\(path)' cannot be read: \(error.reason)")
        }
        guard contents.permissions & 0o007 == 0 else {
            throw SondeError(web: .webFileUnusable, "the token file '\(path)' is open to all users")
        }
        return contents.bytes
    }

    // MARK: What is said

    private static func report(_ text: String) {
        print("sonde-web: \(text)", to: STDERR_FILENO)
    }

    private static func print(_ line: String, to descriptor: Int32) {
        _ = DescriptorWriter.write(Array("\(line)\n".utf8), to: descriptor)
    }
}
