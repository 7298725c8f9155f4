/// From which users' files the agent loads code: root's and its own, and no other user may write to them.
///
/// Write permission of a group counts as another user's unless it is the user's private group, which by the convention
/// of useradd(8) has the user's own number. A directory of root with the sticky bit, such as /tmp, may be writable by
/// everybody: no user can rename or replace in it what belongs to another.
struct TrustRule: Hashable, Sendable {
    /// The effective user.
    let user: UInt32
    /// The effective group.
    let group: UInt32

    /// Why the file must not be loaded, or nil.
    func objection(toFile status: FileStatus) -> String? {
        objectionToOwner(status) ?? objectionToWriters(status)
    }

    /// Why nothing must be loaded from below the directory, or nil.
    func objection(toDirectory status: FileStatus) -> String? {
        if let objection = objectionToOwner(status) { return objection }
        if status.isSticky, status.owner == 0 { return nil }
        return objectionToWriters(status)
    }

    private func objectionToOwner(_ status: FileStatus) -> String? {
        guard status.owner != 0, status.owner != user else { return nil }
        return "it belongs to user \(status.owner), who is neither root nor the agent's user (\(user))"
    }

    private func objectionToWriters(_ status: FileStatus) -> String? {
        let mode = "mode 0\(String(status.permissions, radix: 8))"
        if status.othersMayWrite { return "every user can write to it (\(mode))" }
        guard status.groupMayWrite else { return nil }
        guard isPrivate(status.group) else { return "group \(status.group) can write to it (\(mode))" }
        // The group bits are the mask of an access control list when there is one, and not the group's permission.
        return status.hasAccessList ? "an access control list lets another user write to it" : nil
    }

    private func isPrivate(_ candidate: UInt32) -> Bool {
        candidate == group && group == user
    }
}
