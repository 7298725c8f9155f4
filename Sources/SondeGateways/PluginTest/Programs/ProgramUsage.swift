internal import Glibc
internal import SondeEngine

/// What a program uses while it runs, and what it has started.
struct ProgramUsage {
    /// Bytes in memory that no file has, of the program.
    var memory: UInt64 = 0
    /// Open descriptors of the program.
    var descriptors = 0
    /// The program and its descendants.
    var processes = 0

    /// That of the program under a supervisor; nil: it has ended.
    init?(under supervisor: pid_t) {
        guard let program = Self.children(of: supervisor).first else { return nil }
        descriptors = Self.entries("/proc/\(program)/fd").count
        processes = Self.count(from: program, depth: 0)
        guard let text = try? PosixFileReader().read("/proc/\(program)/status", limit: 16_384).text else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) } ?? 0
        memory = kibibytes << 10
    }

    private static func count(from process: pid_t, depth: Int) -> Int {
        guard depth < 32 else { return 1 }
        return children(of: process).reduce(1) { $0 + count(from: $1, depth: depth + 1) }
    }

    private static func children(of process: pid_t) -> [pid_t] {
        entries("/proc/\(process)/task").flatMap { thread in
            let path = "/proc/\(process)/task/\(thread)/children"
            guard let text = try? PosixFileReader().read(path, limit: 1 << 20).text else { return [pid_t]() }
            return text.split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// The numbers that entries of a directory are called.
    private static func entries(_ path: String) -> [Int32] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var found: [Int32] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int32(name) { found.append(number) }
        }
        return found
    }
}
