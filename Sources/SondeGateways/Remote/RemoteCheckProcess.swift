internal import Glibc
internal import SondeDomain
public import SondeEngine

/// Checks a remote configuration as `sonde check` does, in a child: a plugin that crashes or hangs does so there.
public struct RemoteCheckProcess: RemoteCheck {
    private static let patience = Nanoseconds.seconds(60)
    private static let outputLimit = 256 << 10
    private static let configurationError: Int32 = 78

    private let path: String
    private let pluginDirectories: [String]
    private let programs: ChildPrograms?

    /// A check of the configuration at `path`.
    public init(_ path: String, pluginDirectories: [String], programs: ChildPrograms?) {
        (self.path, self.pluginDirectories, self.programs) = (path, pluginDirectories, programs)
    }

    /// The result with this layer.
    public func check(_ layer: RemoteLayer?) -> RemoteCheckResult {
        guard let programs else { return .unknown("the program sonde-supervisor is missing") }
        let words = ["check", "--config", path] + pluginDirectories.flatMap { ["--plugin-dir", $0] }
        do throws(SondeError) {
            let result = try RemoteChild(programs).run(
                words + ["--remote", layer == nil ? "none" : "-"], input: layer?.text ?? [],
                environment: Self.environment, limit: Self.outputLimit, within: Self.patience)
            switch result.exitCode {
            case 0: return .valid
            case Self.configurationError: return .invalid(result.lastError ?? "it has errors")
            case let code?: return .invalid("its check has ended with \(code): \(result.lastError ?? "")")
            case nil: return .invalid("its check did not end in a minute, or was killed: \(result.lastError ?? "")")
            }
        } catch {
            return .unknown("the check cannot be started: \(error.message)")
        }
    }

    /// All of it: references name variables.
    private static var environment: [String] {
        var texts: [String] = []
        var next = environ
        while let text = next.pointee {
            texts.append(String(cString: text))
            next += 1
        }
        return texts
    }
}
