internal import CCurl
internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// Makes libcurl load the files of `tls` as a connection does first, without connecting.
enum TLSTrial {
    /// The transfer that failed because of the files; nil: nothing is wrong with them, or there are none.
    static func failure(_ settings: TransportSettings) throws(PluginError) -> Transfer? {
        guard settings.tls.authorityFile != nil || settings.tls.certificateFile != nil else { return nil }
        guard CurlLibrary.prepare() else { throw .libcurl("libcurl cannot be initialized") }
        let way = try DeadEnd()
        let transfer = try CurlTransfer(Request(fields: [], body: []), settings, .none, timeout: .seconds(5))
        try transfer.lead(over: way.pointer)
        let result = withExtendedLifetime(way) { transfer.result(curl_easy_perform(transfer.handle)) }
        return [.trustStore, .ownCertificate].contains(TransferFault(result)) ? result : nil
    }
}

/// A pair of sockets within the process, for a connection whose other end has answered with something that is no TLS.
///
/// Of datagrams, because libcurl connects any socket that it is given: these may be connected again, to a name that the
/// kernel chooses, and no listener is needed.
private final class DeadEnd {
    let pointer = UnsafeMutablePointer<sonde_curl_way>.allocate(capacity: 1)
    private let other: Int32

    init() throws(PluginError) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            pointer.deallocate()
            throw .libcurl("no pair of sockets: error \(errno)")
        }
        other = ends[1]
        pointer.initialize(to: sonde_curl_way())
        pointer.pointee.socket = ends[0]
        pointer.pointee.length = socklen_t(MemoryLayout<sockaddr>.size)
        var unnamed = sockaddr()
        unnamed.sa_family = sa_family_t(AF_UNIX)
        // Only the kind of address: the kernel makes up a name that is in no file system.
        bind(other, &unnamed, socklen_t(MemoryLayout<sa_family_t>.size))
        getsockname(other, &pointer.pointee.peer, &pointer.pointee.length)
        send(other, "no TLS", 6, 0)
    }

    deinit {
        if pointer.pointee.socket >= 0 { close(pointer.pointee.socket) }
        close(other)
        pointer.deallocate()
    }
}
