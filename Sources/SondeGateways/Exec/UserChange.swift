internal import Glibc
internal import SondeDomain

/// The numbers of a user that the agent can run a program as.
struct UserChange {
    // CAP_KILL, CAP_SETGID and CAP_SETUID: to become another user, and to end what it runs.
    private static let needed: UInt64 = 1 << 5 | 1 << 6 | 1 << 7

    /// Whether it is another one than the agent's.
    let isAnother: Bool
    /// Those of the user and of its groups, as the supervisor takes them: `UID:GID,GROUP…`.
    let numbers: String

    /// Throws why a program cannot run as the user.
    init(to user: String) throws(SondeError) {
        guard let entry = getpwnam(user) else {
            throw .programUnsuited("user", "there is no user '\(user.prefix(64))'", advice: "name one of this host")
        }
        let (number, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        numbers = "\(number):" + Self.groups(user, group).map(String.init).joined(separator: ",")
        isAnother = number != geteuid()
        guard isAnother, !Self.isAllowed else { return }
        throw .programUnsuited(
            "user", "the agent (user \(geteuid())) may not run a program as user '\(user.prefix(64))'",
            advice: "leave 'user' out, or run an agent that may: as root, or with a drop-in of its unit that says "
                + "AmbientCapabilities=CAP_KILL CAP_SETGID CAP_SETUID")
    }

    /// The user's own group, then the others.
    private static func groups(_ user: String, _ own: gid_t) -> [gid_t] {
        var groups = [gid_t](repeating: 0, count: 64)
        var count = Int32(groups.count)
        guard getgrouplist(user, own, &groups, &count) >= 0 else { return [own] }
        return [own] + groups.prefix(Int(count)).filter { $0 != own }
    }

    /// Root has what its process has; what is executed by another user gets the ambient set only.
    private static var isAllowed: Bool {
        let line = geteuid() == 0 ? "CapEff:" : "CapAmb:"
        guard let set = capabilities(line) else { return false }
        return set & needed == needed
    }

    /// A set of this process, by its name in /proc/self/status.
    static func capabilities(_ name: String) -> UInt64? {
        let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 8_192)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(name) }.flatMap { line in
            line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
        }
    }
}
