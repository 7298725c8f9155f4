internal import Glibc
internal import SondeWire

/// One sender of dnstap: bytes from a socket, and the stream in them.
final class DnstapConnection {
    /// The result of one read.
    enum Outcome {
        case progressed
        /// There is nothing more at the moment.
        case drained
        /// The sender has gone in good order, or just gone.
        case ended
        /// What came is no dnstap.
        case broken
    }

    let descriptor: Int32
    private(set) var stream = FrameStream()
    private(set) var room: UnsafeMutableRawBufferPointer
    private var kept = 0

    private static let firstRoom = 64 << 10
    /// MSG_NOSIGNAL; Swift sees the enum constant as one type or another.
    private static let withoutSignal: Int32 = 0x4000
    private static let mostRoom = FrameStream.longestFrame + 4_096

    /// Takes over the descriptor, which never waits.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        room = .allocate(byteCount: Self.firstRoom, alignment: 16)
    }

    deinit {
        close(descriptor)
        room.deallocate()
    }

    /// Reads once and hands on the whole data frames found.
    func read(_ body: (WireBytes) -> Void) -> Outcome {
        if kept == room.count { grow() }
        let count = recv(descriptor, room.baseAddress.map { $0 + kept }, room.count &- kept, 0)
        guard count != 0 else { return .ended }
        guard count > 0 else { return errno == EAGAIN || errno == EINTR ? .drained : .ended }
        kept = min(kept &+ count, room.count)
        return consume(body)
    }

    private func consume(_ body: (WireBytes) -> Void) -> Outcome {
        var position = 0
        defer { keep(from: position) }
        while true {
            let rest = UnsafeRawBufferPointer(rebasing: room[position..<kept])
            let (used, step) = stream.take(rest, body)
            position += used
            switch step {
            case .needsMore: return .progressed
            case .reply(let bytes):
                guard send(bytes) else { return .ended }
            case .ended(let bytes):
                _ = send(bytes)
                return .ended
            case .broken: return .broken
            }
        }
    }

    private func keep(from position: Int) {
        let rest = kept - position
        if position > 0, rest > 0, let base = room.baseAddress { memmove(base, base + position, rest) }
        kept = rest
    }

    /// The longest frame fits: a longer one is left out as it comes.
    private func grow() {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.mostRoom, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[..<kept]))
        room.deallocate()
        room = larger
    }

    /// Replies are a few dozen bytes: a sender that does not take them is gone.
    private func send(_ bytes: [UInt8]) -> Bool {
        bytes.isEmpty || Glibc.send(descriptor, bytes, bytes.count, Self.withoutSignal) == bytes.count
    }
}
