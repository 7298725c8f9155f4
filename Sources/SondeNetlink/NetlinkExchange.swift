internal import Glibc

/// Asks the kernel and takes its answers apart; one at a time, from one thread.
public final class NetlinkExchange {
    /// The result of a dump.
    public struct Dump<Value> {
        /// What was made of its messages.
        public let value: Value
        /// Whether nothing came or went while it was made; otherwise it may lack something, or have it twice.
        public let isWhole: Bool
    }

    /// A dump that is interrupted this often is taken as it is.
    private static let attempts = 4
    /// One of more messages is taken as it is at once: where so much is listed while things come and go, the next try would
    /// be interrupted as well, and each takes a second or more.
    private static let longDump = 4_096
    /// The kernel's datagrams of a dump have 32 KiB at most (`netlink_dump`, net/netlink/af_netlink.c).
    private static let bufferSize = 64 << 10

    private let transport: any NetlinkTransport
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 16)
    private var sequence: UInt32 = 0

    /// Asks through a transport.
    public init(_ transport: any NetlinkTransport) {
        self.transport = transport
    }

    deinit {
        buffer.deallocate()
    }

    /// Hands every message of a dump to `take`; begins again from `empty` when the dump was interrupted
    /// (NLM_F_DUMP_INTR), another one was running (EBUSY) or the answer overflowed (ENOBUFS).
    ///
    /// Throws ``NetlinkError``; an interruption is only marked in the answer.
    public func dump<Value>(
        _ request: inout NetlinkRequest,
        from empty: Value,
        _ take: (inout Value, NetlinkMessage) -> Void
    ) throws(NetlinkError) -> Dump<Value> {
        var attempt = 1
        while true {
            var value = empty
            var isWhole = true
            var messages = 0
            do throws(NetlinkError) {
                try exchange(&request) { message in
                    if message.isInterrupted { isWhole = false }
                    guard message.type != NetlinkMessage.doneType else { return false }
                    take(&value, message)
                    messages &+= 1
                    return true
                }
                let isLast = attempt >= Self.attempts || messages > Self.longDump
                if isWhole || isLast { return Dump(value: value, isWhole: isWhole) }
            } catch {
                guard error.isMomentary, attempt < Self.attempts else { throw error }
                transport.discardWaiting()
            }
            attempt &+= 1
        }
    }

    /// What `take` makes of the one answer to a request; nil when it returns nil.
    ///
    /// Throws ``NetlinkError``, ENODEV for instance.
    public func ask<Value>(
        _ request: inout NetlinkRequest,
        _ take: (NetlinkMessage) -> Value?
    ) throws(NetlinkError) -> Value? {
        var value: Value?
        try exchange(&request) { message in
            value = take(message)
            return false
        }
        return value
    }

    /// Sends a request and hands out its answers until `body` has seen enough.
    private func exchange(
        _ request: inout NetlinkRequest,
        _ body: (NetlinkMessage) -> Bool
    ) throws(NetlinkError) {
        sequence &+= 1
        request.number(sequence)
        try send(request)
        var isOpen = true
        var failure: Int32 = 0
        while isOpen {
            let count = try transport.receive(into: buffer)
            NetlinkMessage.walk(UnsafeRawBufferPointer(rebasing: buffer[..<min(count, buffer.count)])) { message in
                // The rest of an answer that was given up.
                guard message.sequence == sequence else { return true }
                if message.type == NetlinkMessage.errorType || message.type == NetlinkMessage.doneType {
                    failure = message.errorNumber
                }
                isOpen = failure == 0 && message.type != NetlinkMessage.errorType && body(message)
                return isOpen
            }
        }
        guard failure == 0 else { throw NetlinkError(.answer, failure) }
    }

    private func send(_ request: NetlinkRequest) throws(NetlinkError) {
        // withUnsafeBytes hands on no typed error.
        let result = request.bytes.withUnsafeBytes { bytes -> Result<Void, NetlinkError> in
            do throws(NetlinkError) { return .success(try transport.send(bytes)) } catch { return .failure(error) }
        }
        try result.get()
    }
}
