import Glibc
import SondeNetlink

/// Answers that were written down beforehand, one datagram after the other.
final class NetlinkScript: NetlinkTransport {
    private var datagrams: [[UInt8]]

    init(_ datagrams: [[UInt8]]) {
        self.datagrams = datagrams
    }

    func send(_ request: UnsafeRawBufferPointer) throws(NetlinkError) {}

    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(NetlinkError) -> Int {
        guard !datagrams.isEmpty else { throw NetlinkError(.answer, ETIMEDOUT) }
        let datagram = datagrams.removeFirst()
        buffer.copyBytes(from: datagram.prefix(buffer.count))
        return datagram.count
    }

    func discardWaiting() {}
}
