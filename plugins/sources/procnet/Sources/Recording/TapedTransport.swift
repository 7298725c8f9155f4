internal import Glibc
internal import SondeNetlink
internal import SondePluginKit

/// Netlink whose answers are kept, or come from what was kept.
final class TapedTransport: NetlinkTransport {
    private static let sequenceOffset = 8
    private static let requestStep: Int32 = 0x10000
    /// Nil when replaying.
    private let transport: (any NetlinkTransport)?
    private let tape: SourceTape
    private var key = ""
    private var sequence: UInt32 = 0

    /// Records what `transport` answers; nil: answers what was kept.
    init(_ transport: (any NetlinkTransport)?, _ tape: SourceTape) {
        self.transport = transport
        self.tape = tape
    }

    /// A transport through a socket that `open` makes; on a tape where there is one.
    static func make(
        _ family: NetlinkSocket.Family, _ tape: SourceTape?
    ) throws(NetlinkError) -> any NetlinkTransport {
        guard let tape else { return try NetlinkSocket(family) }
        let key = "netlink \(family.rawValue)"
        guard tape.mode == .recording else {
            let number = tape.number(key) { nil } ?? Int64(EPROTONOSUPPORT)
            guard number == 0 else { throw NetlinkError(.open, Int32(truncatingIfNeeded: number)) }
            return TapedTransport(nil, tape)
        }
        do throws(NetlinkError) {
            let socket = try NetlinkSocket(family)
            _ = tape.number(key) { 0 }
            return TapedTransport(socket, tape)
        } catch {
            _ = tape.number(key) { Int64(error.number) }
            throw error
        }
    }

    func send(_ request: UnsafeRawBufferPointer) throws(NetlinkError) {
        key = Self.key(of: request)
        sequence = request.count >= 12 ? request.loadUnaligned(fromByteOffset: Self.sequenceOffset, as: UInt32.self) : 0
        guard let transport else { return }
        do throws(NetlinkError) {
            try transport.send(request)
        } catch {
            tape.keep(key, error.number | Self.requestStep, [])
            throw error
        }
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(NetlinkError) -> Int {
        guard let transport else { return try answer(into: buffer) }
        do throws(NetlinkError) {
            let count = try transport.receive(into: buffer)
            var bytes = Array(buffer[..<min(max(0, count), buffer.count)])
            // The sequence is what differs from one process to the next.
            NetlinkPrivacy.forEachMessage(in: bytes) { message in
                let number: UInt32 = message.sequence == sequence ? 0 : .max
                NetlinkPrivacy.put(number, at: message.start + Self.sequenceOffset, in: &bytes)
            }
            if tape.secret != nil { NetlinkPrivacy.erase(&bytes) }
            tape.keep(key, 0, bytes)
            return count
        } catch {
            tape.keep(key, error.number, [])
            throw error
        }
    }

    func discardWaiting() { transport?.discardWaiting() }

    private func answer(into buffer: UnsafeMutableRawBufferPointer) throws(NetlinkError) -> Int {
        // As a kernel that does not know the request.
        guard let kept = tape.read(key), kept.count >= 4 else { throw NetlinkError(.answer, EOPNOTSUPP) }
        let number = Int32(littleEndian: kept.loadUnaligned(as: Int32.self))
        guard number == 0 else {
            throw NetlinkError(number & Self.requestStep == 0 ? .answer : .request, number & ~Self.requestStep)
        }
        var bytes = Array(kept[4...])
        guard bytes.count <= buffer.count else { throw NetlinkError(.answer, EMSGSIZE) }
        NetlinkPrivacy.forEachMessage(in: bytes) { message in
            if message.sequence == 0 {
                NetlinkPrivacy.put(sequence, at: message.start + Self.sequenceOffset, in: &bytes)
            }
        }
        buffer.copyBytes(from: bytes)
        return bytes.count
    }

    /// The request but for its sequence, as text: all of one collection differ, and are the same in every process.
    private static func key(of request: UnsafeRawBufferPointer) -> String {
        guard request.count >= 16 else { return "netlink" }
        let type = request.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        // FNV-1a
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in request[16...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "netlink \(type) \(String(hash, radix: 16))"
    }
}
