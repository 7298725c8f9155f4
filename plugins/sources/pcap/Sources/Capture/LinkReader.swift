internal import CPcap
internal import Glibc
internal import SondeDomain
internal import SondePluginKit
internal import SondeWire

/// Reads which links and addresses there are, and where the default routes lead, through rtnetlink.
struct LinkReader {
    /// More links or addresses than this are not looked at.
    private static let limit = 65_536
    private static let attempts = 4

    /// Every link of this network namespace.
    ///
    /// Throws `SND-PCP009`.
    static func links() throws(PluginError) -> [NetworkLink] {
        try dump(sonde_route_request_links, RTM_NEWLINK) { NetworkLink($0) }
    }

    /// Every address of this network namespace.
    ///
    /// Throws `SND-PCP009`.
    static func addresses() throws(PluginError) -> [IPAddress] {
        try dump(sonde_route_request_addresses, RTM_NEWADDR) { IPAddress(netlinkAddress: $0) }
    }

    /// The devices that packets to the outside leave through, for IPv4 and IPv6.
    ///
    /// Asked for one address each, of the ranges for documentation, which nothing but a default route leads to: the
    /// answer costs the same on a router with a million routes.
    static func defaultRoutes() throws(PluginError) -> [Int32] {
        let outside: [[UInt8]] = [
            [192, 0, 2, 1], [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        ]
        var devices: [Int32] = []
        for address in outside {
            if let device = try device(towards: address) { devices.append(device) }
        }
        return devices
    }

    private static func dump<Element>(
        _ ask: (Int32, UInt32) -> Int32,
        _ kind: Int,
        _ element: (UnsafeRawBufferPointer) -> Element?
    ) throws(PluginError) -> [Element] {
        func request(_ descriptor: Int32) -> Int32 { ask(descriptor, 1) }
        for _ in 0..<attempts {
            var found: [Element] = []
            var isWhole = true
            try exchange(request) { type, flags, content in
                // Something changed while it was read.
                if flags & UInt16(NLM_F_DUMP_INTR) != 0 { isWhole = false }
                if type == UInt16(kind), found.count < limit, let value = element(content) { found.append(value) }
                return type != UInt16(NLMSG_DONE)
            }
            if isWhole { return found }
        }
        throw .linksUnreadable(EINTR)
    }

    private static func device(towards address: [UInt8]) throws(PluginError) -> Int32? {
        var device: Int32?
        let request: (Int32) -> Int32 = { sonde_route_request_route($0, 1, address, UInt16(address.count)) }
        try exchange(request) { type, _, content in
            guard type == UInt16(RTM_NEWROUTE), content.count >= 12 else { return false }
            NetlinkMessage.attributes(content, from: 12) { type, value in
                if type == 4 { device = NetlinkMessage.number(value) }
            }
            return false
        }
        return device
    }

    /// Sends a request and hands out the messages of the answer until `body` has seen enough.
    ///
    /// An error message of the kernel, no route for instance, ends the answer.
    private static func exchange(
        _ request: (Int32) -> Int32,
        _ body: (UInt16, UInt16, UnsafeRawBufferPointer) -> Bool
    ) throws(PluginError) {
        let descriptor = sonde_route_socket(0)
        guard descriptor >= 0 else { throw .linksUnreadable(errno) }
        defer { close(descriptor) }
        guard request(descriptor) == 0 else { throw .linksUnreadable(errno) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var isOpen = true
        while isOpen {
            let count = try receive(descriptor, buffer)
            NetlinkMessage.walk(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { type, flags, content in
                isOpen = type != UInt16(NLMSG_ERROR) && body(type, flags, content)
                return isOpen
            }
        }
    }

    private static func receive(
        _ descriptor: Int32,
        _ buffer: UnsafeMutableRawBufferPointer
    ) throws(PluginError) -> Int {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return count }
            let number = count == 0 ? EIO : errno
            guard number == EAGAIN || number == EINTR else { throw .linksUnreadable(number) }
            // The kernel answers before send(2) returns; a second is for a machine that stands still.
            guard number == EINTR || poll(&entry, 1, 1_000) > 0 else { throw .linksUnreadable(ETIMEDOUT) }
        }
    }
}
