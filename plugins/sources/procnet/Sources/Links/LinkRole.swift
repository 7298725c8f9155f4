internal import SondeDomain

/// How a device is reported.
enum LinkRole: Hashable {
    /// Under its own name.
    case alone
    /// In the sum of the virtual devices that are too many.
    case summed
    /// Not at all: the configuration leaves it out.
    case left

    /// The roles of all devices: those that the filter leaves out, and of the virtual ones that are no uplinks `limit`
    /// individually and the others summed up, where they are more.
    ///
    /// A device that is reported individually stays so, and free places go to new devices, the lowest numbers first. What
    /// was summed up is individual again when there is room for all: where a thousand containers end one after the other,
    /// each would otherwise be reported for its last second.
    static func roles(
        of links: some Sequence<NetworkLink>,
        uplinks: Set<Int32>,
        filter: GlobFilter,
        limit: Int,
        before: [Int32: LinkRole] = [:]
    ) -> [Int32: LinkRole] {
        var roles: [Int32: LinkRole] = [:]
        var virtual: [Int32] = []
        for link in links {
            guard filter.passes(link.name) else {
                roles[link.index] = .left
                continue
            }
            roles[link.index] = .alone
            if !link.isPhysical, !link.isLoopback, !uplinks.contains(link.index) { virtual.append(link.index) }
        }
        guard virtual.count > limit else { return roles }
        virtual.sort()
        let staying = virtual.filter { before[$0] == .alone }.prefix(limit)
        let coming = virtual.filter { before[$0] == nil }.prefix(limit - staying.count)
        for index in Set(virtual).subtracting(staying).subtracting(coming) { roles[index] = .summed }
        return roles
    }
}
