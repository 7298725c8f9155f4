internal import CNetlink
internal import Glibc

/// How fast a device is, as its driver reports.
public struct LinkSpeed: Hashable, Sendable {
    /// Whether it sends and receives at once.
    public enum Duplex: String, Hashable, Sendable {
        /// One at a time.
        case half
        /// Both at once.
        case full
    }

    /// In bytes per second; nil where the driver does not report it.
    public var bytesPerSecond: UInt64?
    /// Nil where the driver does not report it.
    public var duplex: Duplex?

    /// A speed.
    public init(bytesPerSecond: UInt64? = nil, duplex: Duplex? = nil) {
        self.bytesPerSecond = bytesPerSecond
        self.duplex = duplex
    }
}

/// Asks drivers how fast their devices are, through a socket of the namespace that it was made in (ethtool's
/// ETHTOOL_GSET, which needs no privilege).
public final class LinkSpeedReader {
    private let descriptor: Int32

    /// Throws ``NetlinkError`` when there is no socket.
    public init() throws(NetlinkError) {
        descriptor = sonde_device_socket()
        guard descriptor >= 0 else { throw NetlinkError(.open, errno) }
    }

    deinit {
        close(descriptor)
    }

    /// The speed of a device; nil where its driver reports none, or it is gone.
    public func speed(of name: String) -> LinkSpeed? {
        var megabits: UInt32 = 0
        var duplex: UInt8 = 0
        guard sonde_device_speed(descriptor, name, &megabits, &duplex) == 0 else { return nil }
        // SPEED_UNKNOWN is all ones; drivers whose link is down report 0, 65535 or that.
        let isKnown = megabits != 0 && megabits != 65_535 && megabits != .max
        return LinkSpeed(
            bytesPerSecond: isKnown ? UInt64(megabits) &* 125_000 : nil,
            duplex: duplex == 0 ? .half : duplex == 1 ? .full : nil
        )
    }
}
