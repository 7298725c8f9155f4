internal import SondeWire

/// One Frame Streams connection or file, as its bytes come (farsightsec.github.io/fstrm).
///
/// Bidirectional: READY from the sender, ACCEPT from us, START, data, STOP, FINISH from us. Unidirectional, as in files:
/// START, data, STOP. It keeps no bytes: the caller passes what was left over again with what follows it.
struct FrameStream {
    /// What is to be done next.
    enum Step {
        /// Nothing, until more has come.
        case needsMore
        /// `ControlFrame` bytes are to be sent.
        case reply([UInt8])
        /// The sender has ended the stream; send these bytes, if any.
        case ended([UInt8])
        /// What came is no stream of dnstap.
        case broken
    }

    private enum State {
        case new
        case accepted
        case open
        case ended
    }

    /// How much a data frame may hold: two DNS messages of 64 KiB and what surrounds them.
    static let longestFrame = 256 << 10

    private var state = State.new
    private var isBidirectional = false
    /// Bytes of a frame that is too long, still to be left out.
    private var toSkip: UInt64 = 0
    /// Data frames handed on.
    private(set) var frames: UInt64 = 0
    /// Data frames left out for their length.
    private(set) var tooLong: UInt64 = 0

    /// Whether data frames can come.
    var isOpen: Bool { state == .open }

    /// Whether a stream has ended as it should.
    var hasEnded: Bool { state == .ended }

    /// Hands on the whole data frames in `bytes` and returns how many bytes were consumed.
    ///
    /// Stops where something is to be done; call it again with the rest.
    @inline(__always)
    mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (WireBytes) -> Void
    ) -> (used: Int, step: Step) {
        let input = WireBytes(bytes)
        var position = 0
        while true {
            position &+= skip(input.count &- position)
            guard toSkip == 0, let length = input.uint32(at: position) else { return (position, .needsMore) }
            guard length > 0 else {
                if let step = takeControl(input, &position) { return (position, step) }
                continue
            }
            guard state == .open else { return (position, .broken) }
            guard length <= Self.longestFrame else {
                tooLong &+= 1
                toSkip = UInt64(length)
                position &+= 4
                continue
            }
            guard input.has(Int(length), at: position &+ 4) else { return (position, .needsMore) }
            body(input.dropping(position &+ 4).prefix(Int(length)))
            frames &+= 1
            position &+= 4 &+ Int(length)
        }
    }

    private mutating func skip(_ available: Int) -> Int {
        let count = Int(clamping: min(toSkip, UInt64(max(available, 0))))
        toSkip &-= UInt64(count)
        return count
    }

    /// Nil when the frame is done with and the next one may be looked at.
    private mutating func takeControl(_ input: WireBytes, _ position: inout Int) -> Step? {
        guard let length = input.uint32(at: position &+ 4) else { return .needsMore }
        guard length >= 4, length <= ControlFrame.longest else { return .broken }
        guard input.has(Int(length), at: position &+ 8) else { return .needsMore }
        guard let frame = ControlFrame(input.dropping(position &+ 8).prefix(Int(length))) else { return .broken }
        position &+= 8 &+ Int(length)
        return act(on: frame)
    }

    private mutating func act(on frame: ControlFrame) -> Step? {
        switch (state, frame.kind) {
        case (.new, .ready):
            guard frame.content != .other else { return .broken }
            isBidirectional = true
            state = .accepted
            return .reply(ControlFrame.bytes(.accept, content: frame.content))
        case (.new, .start), (.accepted, .start):
            guard frame.content != .other else { return .broken }
            state = .open
            return nil
        case (.open, .stop):
            state = .ended
            return .ended(isBidirectional ? ControlFrame.bytes(.finish) : [])
        default: return .broken
        }
    }
}
