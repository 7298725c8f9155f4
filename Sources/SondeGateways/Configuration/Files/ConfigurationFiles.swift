import SondeDomain
public import SondeEngine

/// A configuration in files: the main one and what `conf.d/*.yaml` beside it adds, in the order of the names.
public struct ConfigurationFiles: ConfigurationOrigin {
    private static let fragmentLimit = 1_000

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
        let directory = Self.directory(of: path) + "conf.d"
        do throws(FileReadFailure) {
            let names = try files.names(inDirectory: directory) ?? []
            let fragments = names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.sorted(by: Self.isBefore)
            guard fragments.count <= Self.fragmentLimit else {
                return [file(path), unreadable(directory, "it holds more than \(Self.fragmentLimit) files")]
            }
            return files([path] + fragments.map { "\(directory)/\($0)" })
        } catch {
            return [file(path), unreadable(directory, error.reason)]
        }
    }

    private func files(_ paths: [String]) -> [ConfigurationPart] {
        var read: [ConfigurationPart] = []
        var total = 0
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
            return ConfigurationPart(path, .success(try files.read(path, limit: limits.bytes)))
        } catch {
            guard case .tooLarge = error else { return unreadable(path, error.reason) }
            let problem = ConfigurationProblem(
                .configurationTooLarge, at: Self.start(of: path),
                "the file is larger than \(SizeText.text(of: Int64(clamping: limits.bytes)))")
            return ConfigurationPart(path, .failure(problem))
        }
    }

    private func unreadable(_ path: String, _ reason: String) -> ConfigurationPart {
        ConfigurationPart(
            path,
            .failure(
                ConfigurationProblem(
                    .configurationUnreadable, at: Self.start(of: path), "cannot read it: \(reason)")))
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
