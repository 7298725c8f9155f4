internal import Glibc
internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit
internal import SondeWire

/// Which links and addresses there are, and where the default routes lead.
///
/// Where links change all the time, the kernel may not reach the end of a list before it changes. Such a list is used
/// for what it adds and changes; what it lacks is kept from before.
///
/// Everything throws `SND-PCP009`.
struct HostLinks {
    /// A list, and whether it is all there is.
    struct Listing<Entry> {
        var entries: [Entry]
        var isWhole: Bool
    }

    private let reader: LinkReader

    /// Reads through a transport.
    init(_ transport: any NetlinkTransport) {
        reader = LinkReader(transport)
    }

    /// Those of the network namespace that the calling thread is in now.
    static var here: HostLinks {
        get throws(PluginError) {
            do throws(NetlinkError) { return HostLinks(try NetlinkSocket(.route)) } catch {
                throw .linksUnreadable(error.number)
            }
        }
    }

    /// More links or addresses than this are not looked at.
    private static let limit = 65_536

    /// Every link; of those in `known` what an incomplete list lacks.
    func links(besides known: [LinkDescription]) throws(PluginError) -> Listing<LinkDescription> {
        let dump = try read { reader throws(NetlinkError) in try reader.links(limit: Self.limit) }
        let found = dump.value.links
        guard !dump.isWhole else { return Listing(entries: found, isWhole: true) }
        // An interrupted list may have a link twice.
        var byIndex: [Int32: LinkDescription] = [:]
        for link in found { byIndex[link.link.index] = link }
        let names = Set(found.map(\.link.name))
        for link in known where byIndex[link.link.index] == nil && !names.contains(link.link.name) {
            byIndex[link.link.index] = link
        }
        return Listing(entries: byIndex.values.sorted { $0.link.index < $1.link.index }, isWhole: false)
    }

    /// Every address; of those in `known` what an incomplete list lacks.
    func addresses(besides known: [HostAddress]) throws(PluginError) -> Listing<HostAddress> {
        let dump = try read { reader throws(NetlinkError) in
            try reader.addresses(limit: Self.limit) { HostAddress($0) }
        }
        let entries = dump.isWhole ? dump.value : Array(Set(dump.value).union(known))
        return Listing(entries: entries, isWhole: dump.isWhole)
    }

    /// What the kernel has counted of a link; nil: it is gone, or the kernel does not report it.
    func counters(_ request: inout NetlinkRequest) -> LinkCounters? {
        try? reader.counters(&request)
    }

    /// The devices that packets to the outside leave through.
    func defaultRoutes() throws(PluginError) -> [Int32] {
        try read { reader throws(NetlinkError) in try reader.defaultRoutes() }
    }

    /// Reports links and addresses that are added, removed or changed.
    static func watch() throws(PluginError) -> LinkWatch {
        do throws(NetlinkError) { return try LinkWatch([.links, .addresses]) } catch {
            throw .linksUnreadable(error.number)
        }
    }

    private func read<Value>(
        _ body: (LinkReader) throws(NetlinkError) -> Value
    ) throws(PluginError) -> Value {
        do throws(NetlinkError) { return try body(reader) } catch {
            throw .linksUnreadable(error.number)
        }
    }
}
