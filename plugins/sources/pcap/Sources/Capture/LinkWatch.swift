internal import CPcap
internal import Glibc
internal import SondePluginKit

/// Becomes readable when a link comes, goes, changes its name or is switched, and when an address comes or goes.
final class LinkWatch {
    let descriptor: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)

    /// Throws `SND-PCP009`.
    init() throws(PluginError) {
        // RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV6_IFADDR
        descriptor = sonde_route_socket(0x1 | 0x10 | 0x100)
        guard descriptor >= 0 else {
            buffer.deallocate()
            throw .linksUnreadable(errno)
        }
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    /// Takes everything that waits; true when there was something, an overflow (ENOBUFS) included.
    func drain() -> Bool {
        var hasNews = false
        while true {
            if recv(descriptor, buffer.baseAddress, buffer.count, 0) > 0 {
                hasNews = true
            } else if errno == ENOBUFS {
                hasNews = true
            } else if errno != EINTR {
                return hasNews
            }
        }
    }
}
