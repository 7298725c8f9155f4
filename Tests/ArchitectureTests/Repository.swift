import Foundation

/// The files of this checkout.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Where the test binary, the programs and the plugins were built.
    static let buildFolder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// The paths relative to the root of every file below `folder`, what builds leave behind excepted.
    static func files(below folder: String = "", suffixes: [String] = [""]) -> [String] {
        let generated: Set = [".build", ".git", ".swiftpm", "__pycache__", "dist", "Package.resolved"]
        var found: [String] = []
        for name in names(in: folder) where !generated.contains(name) && !name.hasPrefix(".build") {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            if isFolder(path) {
                found += files(below: path, suffixes: suffixes)
            } else if suffixes.contains(where: name.hasSuffix) {
                found.append(path)
            }
        }
        return found
    }

    /// The folders in `folder`, as paths relative to the root.
    static func folders(in folder: String) -> [String] {
        names(in: folder).map { "\(folder)/\($0)" }.filter(isFolder)
    }

    /// The folders of the plugins: `plugins/<sources|sinks>/<name>`.
    static var pluginFolders: [String] {
        ["plugins/sinks", "plugins/sources"].flatMap(folders)
    }

    static func isFolder(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url(path).path, isDirectory: &isDirectory)
        return exists && isDirectory.boolValue
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: url(path).path)
    }

    /// A file's text; bytes that are not UTF-8 become replacement characters.
    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: url(path)), as: UTF8.self)
    }

    static func url(_ path: String) -> URL {
        path.isEmpty ? root : root.appending(path: path)
    }

    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url(folder).path)) ?? []).sorted()
    }
}
