internal import Glibc
public import SondeNetlink

/// Answers that were written down beforehand, one datagram after the other.
public final class NetlinkScript: NetlinkTransport {
    private var datagrams: [[UInt8]]

    /// These datagrams, whatever is asked.
    public init(_ datagrams: [[UInt8]]) {
        self.datagrams = datagrams
    }

    /// Takes a request, and leaves it unread.
    public func send(_ request: UnsafeRawBufferPointer) throws(NetlinkError) {}

    /// Hands out the next datagram.
    public func receive(into buffer: UnsafeMutableRawBufferPointer) throws(NetlinkError) -> Int {
        guard !datagrams.isEmpty else { throw NetlinkError(.answer, ETIMEDOUT) }
        let datagram = datagrams.removeFirst()
        buffer.copyBytes(from: datagram.prefix(buffer.count))
        return datagram.count
    }

    /// Keeps the rest.
    public func discardWaiting() {}
}
