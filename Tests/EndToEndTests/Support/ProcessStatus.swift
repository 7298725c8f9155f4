import Foundation
import Glibc

/// What the kernel says of a process, `/proc/PID/status`.
struct ProcessStatus {
    private let fields: [String: String]

    /// Nil when there is no such process.
    init?(_ process: pid_t) {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
        var fields: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2 { fields[parts[0]] = parts[1] }
        }
        self.fields = fields
    }

    subscript(field: String) -> String? { fields[field] }

    /// A set of capabilities: `CapEff`, for instance.
    func capabilities(_ set: String) -> UInt64? { fields[set].flatMap { UInt64($0, radix: 16) } }

    /// The process that runs an isolated instance of that id, its supervisor apart.
    static func child(of id: String) -> pid_t? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.lazy.compactMap { pid_t($0) }.first { process in
            let words = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))) ?? Data()
            let text = words.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return text.count == 4 && text[1] == "plugin-child" && text[3] == id
        }
    }
}
