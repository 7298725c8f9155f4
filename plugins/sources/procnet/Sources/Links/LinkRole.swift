internal import SondeDomain

/// How a device is reported.
enum LinkRole: Hashable {
    /// Under its own name.
    case alone
    /// In the sum of the virtual devices that are too many.
    case summed
    /// Not at all: the configuration leaves it out.
    case left

    /// The roles of all devices: those that the filter leaves out, then of the virtual ones that are no uplinks all but
    /// the `limit` with the lowest numbers, which have been there the longest.
    static func roles(
        of links: some Sequence<NetworkLink>,
        uplinks: Set<Int32>,
        filter: GlobFilter,
        limit: Int
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
        for index in virtual.sorted().dropFirst(limit) { roles[index] = .summed }
        return roles
    }
}
