import SondeDomain
import SondeEngine

/// Reads the main file and those of `conf.d` beside it.
struct FileSetReader {
    private static let fragmentLimit = 1_000

    let files: any FileReader
    let limits: YAMLLimits

    func read(_ path: String) -> [ConfigurationFile] {
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

    private func files(_ paths: [String]) -> [ConfigurationFile] {
        var read: [ConfigurationFile] = []
        var total = 0
        for path in paths {
            let file = file(path)
            total += file.text.bytes.count
            guard total <= limits.totalBytes else {
                let bound = SizeText.text(of: Int64(clamping: limits.totalBytes))
                return read + [unreadable(path, "the files hold more than \(bound) in all")]
            }
            read.append(file)
        }
        return read
    }

    private func file(_ path: String) -> ConfigurationFile {
        do {
            return ConfigurationFile(try files.read(path, limit: limits.bytes), name: path, limits: limits)
        } catch {
            guard case .tooLarge = error else { return unreadable(path, error.reason) }
            let problem = ConfigurationProblem(
                .configurationTooLarge, at: Self.start(of: path),
                "the file is larger than \(SizeText.text(of: Int64(clamping: limits.bytes)))")
            return ConfigurationFile(name: path, problem)
        }
    }

    private func unreadable(_ path: String, _ reason: String) -> ConfigurationFile {
        ConfigurationFile(
            name: path,
            ConfigurationProblem(.configurationUnreadable, at: Self.start(of: path), "cannot read it: \(reason)"))
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
