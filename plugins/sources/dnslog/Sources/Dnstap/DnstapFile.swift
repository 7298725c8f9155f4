internal import Glibc
internal import SondeWire

/// A stored Frame Streams file of dnstap, or a pipe with one.
struct DnstapFile: ~Copyable {
    /// How reading ended.
    enum End: Hashable {
        /// With the STOP that belongs there.
        case whole
        /// In the middle: the file is still written to, or was cut.
        case cutOff
        /// What came is no dnstap.
        case broken
        /// The system refused to read on, with this errno.
        case failed(Int32)
        /// `isCancelled` returned true.
        case cancelled
    }

    private let descriptor: Int32
    private var stream = FrameStream()
    private let room: UnsafeMutableRawBufferPointer

    /// Whether a file may begin so: with an escape, and a START that names dnstap or nothing.
    static func isPossible(_ head: [UInt8]) -> Bool {
        head.withUnsafeBytes { bytes in
            let head = WireBytes(bytes)
            guard head.uint32(at: 0) == 0, let length = head.uint32(at: 4), length <= ControlFrame.longest,
                head.has(Int(length), at: 8), let start = ControlFrame(head.dropping(8).prefix(Int(length)))
            else { return false }
            return start.kind == .start && start.content != .other
        }
    }

    /// The descriptor is left open.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        room = .allocate(byteCount: FrameStream.longestFrame * 2, alignment: 16)
    }

    deinit {
        room.deallocate()
    }

    /// Hands on every data frame, those in `head` first.
    ///
    /// `isCancelled` is called between reads.
    mutating func read(head: [UInt8] = [], isCancelled: () -> Bool = { false }, _ body: (WireBytes) -> Void) -> End {
        var waiting = head[...]
        var kept = 0
        while true {
            guard !isCancelled() else { return .cancelled }
            let count: Int
            if waiting.isEmpty {
                count = Glibc.read(descriptor, room.baseAddress.map { $0 + kept }, room.count &- kept)
            } else {
                count = min(waiting.count, room.count &- kept)
                UnsafeMutableRawBufferPointer(rebasing: room[kept...]).copyBytes(from: waiting.prefix(count))
                waiting = waiting.dropFirst(count)
            }
            guard count >= 0 else {
                if errno == EINTR { continue }
                return .failed(errno)
            }
            guard count > 0 else { return .cutOff }
            let filled = min(kept &+ count, room.count)
            let (used, step) = stream.take(UnsafeRawBufferPointer(rebasing: room[..<filled]), body)
            switch step {
            case .needsMore: break
            case .ended: return .whole
            // A stored stream has no peer that answers.
            case .reply, .broken: return .broken
            }
            kept = filled &- used
            if used > 0, kept > 0, let base = room.baseAddress { memmove(base, base + used, kept) }
        }
    }
}
