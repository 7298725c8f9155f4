internal import Glibc

/// A new folder that a template is written to.
struct Project {
    /// The folder's absolute path.
    let path: String

    /// Makes the folder; one that exists is refused.
    init(folder: String) throws(ProjectFailure) {
        guard mkdir(folder, 0o755) == 0 else { throw .notWritten(folder, errno) }
        guard let resolved = realpath(folder, nil) else { throw .notWritten(folder, errno) }
        defer { free(resolved) }
        path = String(cString: resolved)
    }

    /// Writes every file of a template, with its words replaced in names and content.
    func fill(from template: String, words: [(word: String, replacement: String)]) throws(ProjectFailure) {
        do throws(ProjectFailure) {
            try copy(template, to: path, words)
        } catch {
            // Nothing was written when the template is not there: an empty folder would be in the way of the next try.
            rmdir(path)
            throw error
        }
    }

    private func copy(
        _ folder: String, to target: String, _ words: [(word: String, replacement: String)]
    ) throws(ProjectFailure) {
        for name in try Self.names(in: folder) {
            let source = "\(folder)/\(name)"
            let copied = "\(target)/\(Self.text(Self.replaced(Array(name.utf8), words)))"
            var status = stat()
            guard stat(source, &status) == 0 else { throw .templateMissing(source, errno) }
            if status.st_mode & S_IFMT == S_IFDIR {
                guard mkdir(copied, 0o755) == 0 else { throw .notWritten(copied, errno) }
                try copy(source, to: copied, words)
            } else {
                let content = Self.replaced(try Self.content(of: source), words)
                try Self.write(content, to: copied, mode: status.st_mode & 0o111 == 0 ? 0o644 : 0o755)
            }
        }
    }

    private static func names(in folder: String) throws(ProjectFailure) -> [String] {
        guard let directory = opendir(folder) else { throw .templateMissing(folder, errno) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { text(Array($0.prefix { $0 != 0 })) }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func content(of path: String) throws(ProjectFailure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .templateMissing(path, errno) }
        defer { close(file) }
        var content: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &block, block.count)
            guard count >= 0 else { throw .templateMissing(path, errno) }
            guard count > 0 else { return content }
            content += block.prefix(count)
        }
    }

    private static func write(_ content: [UInt8], to path: String, mode: mode_t) throws(ProjectFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw .notWritten(path, errno) }
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                let code = errno
                close(file)
                throw .notWritten(path, code)
            }
            rest = rest.dropFirst(count)
        }
        guard close(file) == 0 else { throw .notWritten(path, errno) }
    }

    private static func replaced(
        _ bytes: [UInt8], _ words: [(word: String, replacement: String)]
    ) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            if let match = words.first(where: { rest.starts(with: $0.word.utf8) }) {
                result += match.replacement.utf8
                rest = rest.dropFirst(match.word.utf8.count)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
