internal import Glibc
internal import SondeEngine

/// The processes of one session, by `/proc`: those of a program whose supervisor is gone.
struct ProcessSession {
    private static let rounds = 500
    private let leader: pid_t

    /// The session that a process has begun.
    init(_ leader: pid_t) { self.leader = leader }

    /// Kills all of them, those too that they start meanwhile; how many there were beside its leader.
    func end() -> Int {
        var seen: Set<pid_t> = []
        // The number 0 is the kernel's own.
        for _ in 0..<Self.rounds where leader > 0 {
            let members = members
            if members.isEmpty { break }
            for member in members { kill(member, SIGKILL) }
            seen.formUnion(members)
            usleep(1_000)
        }
        return seen.subtracting([leader]).count
    }

    private var members: [pid_t] {
        guard let directory = opendir("/proc") else { return [] }
        defer { closedir(directory) }
        var found: [pid_t] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = pid_t(name), isMember(number) { found.append(number) }
        }
        return found
    }

    /// Whether a process is of the session and has not ended.
    private func isMember(_ process: pid_t) -> Bool {
        guard let text = try? PosixFileReader().read("/proc/\(process)/stat", limit: 4_096).text,
            let end = text.lastIndex(of: ")")
        else { return false }
        // proc_pid_stat(5): state, parent, group, session.
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 3 && fields[0] != "Z" && pid_t(fields[3]) == leader
    }
}
