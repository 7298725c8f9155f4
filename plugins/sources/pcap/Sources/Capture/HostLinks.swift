internal import Glibc
internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit
internal import SondeWire

/// Which links and addresses there are, and where the default routes lead.
///
/// Everything throws `SND-PCP009`.
enum HostLinks {
    /// More links or addresses than this are not looked at.
    private static let limit = 65_536

    /// Every link of this network namespace.
    static func links() throws(PluginError) -> [LinkDescription] {
        try read { reader throws(NetlinkError) in
            try whole(try reader.links(limit: limit)).links
        }
    }

    /// Every address of this network namespace.
    static func addresses() throws(PluginError) -> [HostAddress] {
        try read { reader throws(NetlinkError) in
            try whole(try reader.addresses(limit: limit) { HostAddress($0) })
        }
    }

    /// The devices that packets to the outside leave through.
    static func defaultRoutes() throws(PluginError) -> [Int32] {
        try read { reader throws(NetlinkError) in try reader.defaultRoutes() }
    }

    /// Hears of links and addresses that come, go or change.
    static func watch() throws(PluginError) -> LinkWatch {
        do throws(NetlinkError) { return try LinkWatch([.links, .addresses]) } catch {
            throw .linksUnreadable(error.number)
        }
    }

    private static func read<Value>(
        _ body: (LinkReader) throws(NetlinkError) -> Value
    ) throws(PluginError) -> Value {
        do throws(NetlinkError) { return try body(try LinkReader()) } catch { throw .linksUnreadable(error.number) }
    }

    private static func whole<Value>(_ dump: NetlinkExchange.Dump<Value>) throws(NetlinkError) -> Value {
        guard dump.isWhole else { throw NetlinkError(.answer, EINTR) }
        return dump.value
    }
}
