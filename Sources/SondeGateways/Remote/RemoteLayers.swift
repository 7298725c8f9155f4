internal import Glibc
internal import SondeDomain
public import SondeEngine

/// The remote layer that an agent keeps in its state directory, as other commands see it.
public struct KeptRemoteLayer: RemoteLayerReader {
    /// A reader.
    public init() {}

    /// What the agent would start with; a warning where this user may not see it.
    public func layer(_ agent: AgentSettings) -> ConfigurationPart? {
        guard let url = agent.remote.url, let state = agent.stateDirectory else { return nil }
        do throws(SondeError) {
            return try RemoteStateFile(readingIn: state).load().inForce.map { ConfigurationPart($0, of: url) }
        } catch {
            let place = SourceMark(file: "\(state)/remote/state", line: 1, column: 1)
            let problem = ConfigurationProblem(
                error.code, at: place, "the remote configuration is left out: \(error.message)", severity: .warning)
            return ConfigurationPart(place.file, .failure(problem), isRemote: true)
        }
    }
}

/// No remote layer, whatever is kept.
public struct NoRemoteLayer: RemoteLayerReader {
    /// A reader.
    public init() {}

    /// None.
    public func layer(_ agent: AgentSettings) -> ConfigurationPart? { nil }
}

/// A file that is not signed yet, in place of the remote layer.
public struct GivenRemoteLayer: RemoteLayerReader {
    private let path: String

    /// The file at `path`; `-` is standard input.
    public init(_ path: String) { self.path = path }

    /// Its text.
    public func layer(_ agent: AgentSettings) -> ConfigurationPart? {
        do throws(FileReadFailure) {
            let limit = YAMLLimits().bytes
            let contents =
                path == "-" ? try Self.standardInput(limit) : try PosixFileReader().read(path, limit: limit)
            let name = path == "-" ? "remote configuration" : path
            return ConfigurationPart(name, .success(FileContents(bytes: contents.bytes)), isRemote: true)
        } catch {
            let problem = ConfigurationProblem(
                .configurationUnreadable, at: SourceMark(file: path, line: 1, column: 1),
                "cannot read it: \(error.reason)")
            return ConfigurationPart(path, .failure(problem), isRemote: true)
        }
    }

    private static func standardInput(_ limit: Int) throws(FileReadFailure) -> FileContents {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return FileContents(bytes: bytes) }
            guard bytes.count + count <= limit else { throw .tooLarge(limit: limit) }
            bytes += chunk[..<count]
        }
    }
}
