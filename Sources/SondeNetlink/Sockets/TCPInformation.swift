/// TCP's figures of one connection (`struct tcp_info`, linux/tcp.h), as far as the kernel's struct goes.
public struct TCPInformation {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The smoothed round-trip time in microseconds; nil before the first measurement.
    public var roundTrip: UInt32? { number(68).flatMap { $0 == 0 ? nil : $0 } }

    /// The shortest round-trip time of the last minutes in microseconds; nil before the first measurement.
    public var shortestRoundTrip: UInt32? { number(148).flatMap { $0 == .max || $0 == 0 ? nil : $0 } }

    /// Segments that were sent again since the connection began.
    public var retransmitted: UInt32? { number(100) }

    /// The rate at which data arrived at the other end lately, in bytes per second; nil before the first measurement.
    public var deliveryRate: UInt64? { number(160).flatMap { $0 == 0 ? nil : $0 } }

    /// Bytes that the other end acknowledged since the connection began.
    public var acknowledgedBytes: UInt64? { number(120) }

    /// Bytes that came since the connection began.
    public var receivedBytes: UInt64? { number(128) }

    private func number<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number? {
        guard bytes.count >= offset &+ MemoryLayout<Number>.size else { return nil }
        return bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
    }
}
