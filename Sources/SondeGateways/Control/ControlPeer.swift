internal import Glibc

/// What the peer of a connection may request.
public enum ControlPermission: Sendable {
    /// Requests that change nothing.
    case read
    /// Everything.
    case change
}

/// The peer of a connection, as the kernel recorded it when the connection was made; unix(7).
struct ControlPeer {
    // As many as a process may have, credentials(7).
    private static let groupBound = 65_536

    let user: UInt32
    /// Its own group, and its supplementary groups.
    let groups: Set<UInt32>

    /// The peer of a connected socket; nil when the kernel does not report it.
    init?(of socket: Int32) {
        var own: (process: Int32, user: UInt32, group: UInt32) = (0, .max, .max)
        var size = socklen_t(MemoryLayout.size(ofValue: own))
        guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &own, &size) == 0 else { return nil }
        user = own.user
        groups = Set([own.group] + Self.furtherGroups(of: socket))
    }

    private static func furtherGroups(of socket: Int32) -> [UInt32] {
        var groups = [UInt32](repeating: 0, count: 32)
        while true {
            let room = groups.count * MemoryLayout<UInt32>.stride
            var size = socklen_t(room)
            if getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, &groups, &size) == 0 {
                return Array(groups.prefix(Int(size) / MemoryLayout<UInt32>.stride))
            }
            guard errno == ERANGE, groups.count < groupBound else { return [] }
            groups = [UInt32](repeating: 0, count: groupBound)
        }
    }
}

/// The groups of the host.
enum HostGroup {
    private static let textBound = 1 << 20

    /// The number of the group of that name; nil: there is none.
    static func number(of name: String) -> UInt32? {
        var size = 4_096
        while size <= textBound {
            var entry = group()
            var found: UnsafeMutablePointer<group>?
            var text = [CChar](repeating: 0, count: size)
            let code = getgrnam_r(name, &entry, &text, size, &found)
            if code == 0 { return found.map { $0.pointee.gr_gid } }
            guard code == ERANGE else { return nil }
            size *= 4
        }
        return nil
    }
}
