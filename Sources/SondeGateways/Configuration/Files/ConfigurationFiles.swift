import Glibc
import SondeDomain
public import SondeEngine

/// A configuration in files: the main one and what `conf.d/*.yaml` beside it adds, in the order of the names.
public struct ConfigurationFiles: ConfigurationOrigin {
    private static let fragmentLimit = 1_000
    /// Beside fragments a directory may hold what editors and packages leave.
    private static let entryLimit = 10_000
    private static let attempts = 3

    private let path: String
    private let files: any FileReader
    private let limits = YAMLLimits()

    /// The configuration whose main file is at `path`.
    public init(_ path: String, files: any FileReader = PosixFileReader()) {
        self.path = path
        self.files = files
    }

    /// Every file in order, or why one cannot be read.
    public func read() -> [ConfigurationPart] {
        let main = file(path)
        var fragments: [ConfigurationPart] = []
        // A file that vanishes after it was listed belongs to a change that is under way: what is there then counts.
        for _ in 0..<Self.attempts {
            fragments = self.fragments(after: main.contents)
            guard fragments.contains(where: \.isAbsent) else { break }
        }
        return [main] + fragments
    }

    private func fragments(after main: Result<FileContents, ConfigurationProblem>) -> [ConfigurationPart] {
        let directory = Self.directory(of: path) + "conf.d"
        let contents: DirectoryContents
        do throws(FileReadFailure) {
            guard let found = try files.directory(directory, limit: Self.entryLimit) else { return [] }
            contents = found
        } catch {
            // Where the main file's own directory is none, its problem says enough.
            if case .notDirectory = error, case .failure = main { return [] }
            return [unreadable(directory, error.reason)]
        }
        guard !contents.isWritableByAnyone else { return [exposed(directory)] }
        if let problem = foreign(directory, contents.owner, main) { return [problem] }
        let names = contents.names.filter(Self.isFragment).sorted(by: Self.isBefore)
        guard names.count <= Self.fragmentLimit else {
            return [unreadable(directory, "it holds more than \(Self.fragmentLimit) files")]
        }
        let malformed = contents.malformedNames.filter(Self.isFragment).sorted().map {
            unreadable("\(directory)/\($0)", "its name is not UTF-8")
        }
        let bytes = (try? main.get().bytes.count) ?? 0
        return files(names.map { "\(directory)/\($0)" }, after: bytes) + malformed + misnamed(contents, directory)
    }

    /// What editors leave (`a.yaml~`, `.a.yaml.swp`, `#a.yaml#`) and packages (`a.yaml.dpkg-new`) does not end so.
    private static func isFragment(_ name: String) -> Bool {
        name.hasSuffix(".yaml") && !name.hasPrefix(".")
    }

    /// A warning for each file that was most likely meant to be read.
    private func misnamed(_ contents: DirectoryContents, _ directory: String) -> [ConfigurationPart] {
        let names = contents.names.filter { $0.hasSuffix(".yml") && !$0.hasPrefix(".") }.sorted(by: Self.isBefore)
        return names.prefix(Self.fragmentLimit).map { name in
            let path = "\(directory)/\(name)"
            return ConfigurationPart(
                path,
                .failure(
                    ConfigurationProblem(
                        .fragmentIgnored, at: Self.start(of: path), "it is not read: its name does not end in '.yaml'",
                        suggestion: "rename it, or end its name in '.off'", severity: .warning)))
        }
    }

    private func files(_ paths: [String], after bytes: Int) -> [ConfigurationPart] {
        var read: [ConfigurationPart] = []
        var total = bytes
        for path in paths {
            let file = file(path)
            total += (try? file.contents.get().bytes.count) ?? 0
            guard total <= limits.totalBytes else {
                let bound = SizeText.text(of: Int64(clamping: limits.totalBytes))
                return read + [unreadable(path, "the files hold more than \(bound) in all")]
            }
            read.append(file)
        }
        return read
    }

    private func file(_ path: String) -> ConfigurationPart {
        do throws(FileReadFailure) {
            let contents = try files.read(path, limit: limits.bytes)
            guard !contents.isWritableByAnyone else { return exposed(path) }
            return ConfigurationPart(path, .success(contents))
        } catch {
            switch error {
            case .notFound: return unreadable(path, error.reason, isAbsent: true)
            case .tooLarge:
                let problem = ConfigurationProblem(
                    .configurationTooLarge, at: Self.start(of: path),
                    "the file is larger than \(SizeText.text(of: Int64(clamping: limits.bytes)))")
                return ConfigurationPart(path, .failure(problem))
            default: return unreadable(path, error.reason)
            }
        }
    }

    private func unreadable(_ path: String, _ reason: String, isAbsent: Bool = false) -> ConfigurationPart {
        let problem = ConfigurationProblem(
            .configurationUnreadable, at: Self.start(of: path), "cannot read it: \(reason)")
        return ConfigurationPart(path, .failure(problem), isAbsent: isAbsent)
    }

    /// A user who can change the configuration can have the agent run programs.
    private func exposed(_ path: String) -> ConfigurationPart {
        ConfigurationPart(
            path,
            .failure(
                ConfigurationProblem(
                    .writableConfiguration, at: Self.start(of: path), "every user of this machine may write to it",
                    suggestion: "chmod o-w \(path)")))
    }

    /// In a directory like /tmp others could put a `conf.d` beside a file of ours.
    private func foreign(
        _ path: String, _ owner: UInt32, _ main: Result<FileContents, ConfigurationProblem>
    ) -> ConfigurationPart? {
        let trusted = [0, geteuid(), (try? main.get().owner) ?? 0]
        guard !trusted.contains(owner) else { return nil }
        return ConfigurationPart(
            path,
            .failure(
                ConfigurationProblem(
                    .writableConfiguration, at: Self.start(of: path),
                    "it belongs to user \(owner), who is neither root nor the agent's user nor the owner of the main file",
                    suggestion: "chown root \(path)")))
    }

    private static func start(of path: String) -> SourceMark {
        SourceMark(file: path, line: 1, column: 1)
    }

    /// The directory with its final slash; empty for the current one.
    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return String(path[...slash])
    }

    // By bytes, as `LC_ALL=C ls` sorts: the same on every machine.
    private static func isBefore(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
