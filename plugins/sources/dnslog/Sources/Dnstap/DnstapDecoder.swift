internal import SondePluginKit
internal import SondeWire

/// Turns the frames of dnstap into the events that lines of a log become.
///
/// Client queries and responses are counted; of the resolver's own queries, only failures. Use it from one thread.
struct DnstapDecoder: ~Copyable {
    /// When the last message was sent or received, in milliseconds since 1970; nil when it has no time.
    private(set) var time: Int64?
    /// Frames that are no dnstap, or whose DNS message has no header.
    private(set) var malformed: UInt64 = 0

    /// The addresses that clients sent queries to.
    private(set) var resolvers = SeenResolvers()

    private let seed: UInt64
    private var times = QueryTimes()
    private var headers = HeaderKeys()
    private var summary = DNSSummary()
    /// Room for a name as text, and for the bytes that a key is made of.
    private let room: UnsafeMutableRawPointer

    /// Every octet of a name may become four characters.
    private static let longestText = 4 * DNSName.mostOctets
    private static let keyLength = 24
    private static let roomSize = longestText + keyLength + DNSName.mostOctets + 1

    /// A decoder whose keys cannot be predicted without `seed`.
    init(seed: UInt64) {
        self.seed = seed
        room = .allocate(byteCount: Self.roomSize, alignment: 8)
    }

    deinit {
        room.deallocate()
    }

    /// The event of a frame; its name is valid until the next call.
    mutating func event(_ frame: WireBytes) -> LogEvent {
        time = nil
        switch DnstapMessage.decode(frame) {
        case .malformed:
            malformed &+= 1
            return .unparsed
        case .unknown: return .noise
        case .message(let message):
            time = (message.responseTime ?? message.queryTime).map { $0 / 1_000_000 }
            return event(message)
        }
    }

    private mutating func event(_ message: DnstapMessage) -> LogEvent {
        switch message.kind {
        case .clientQuery, .authQuery: return query(message)
        case .clientResponse, .authResponse: return response(message)
        case .resolverResponse, .forwarderResponse: return upstream(message)
        default: return .noise
        }
    }

    private mutating func query(_ message: DnstapMessage) -> LogEvent {
        guard var event = exchange(.query, message, message.query) else { return .unparsed }
        resolvers.add(message.responseAddress, message.responsePort)
        event.outcome = LogEvent.Outcome()
        if message.queryPort != nil { headers.note(headerKey(message), event.key) }
        if let time = message.queryTime { times.note(event.key, time) }
        return event
    }

    private mutating func response(_ message: DnstapMessage) -> LogEvent {
        guard var event = exchange(.response, message, message.response) else { return .unparsed }
        event.outcome.code = Int16(truncatingIfNeeded: summary.responseCode.rawValue)
        if summary.extent == .whole { event.outcome.records = summary.answerCount > 0 ? .some : .none }
        if !summary.hasQuestion, let asked = headers.key(of: headerKey(message)) { event.key = asked }
        let known = times.take(event.key)
        if let start = message.queryTime ?? known, let end = message.responseTime, end >= start {
            event.outcome.latency = UInt64(end &- start)
        }
        return event
    }

    /// An event with what query and response have in common; nil without a DNS header.
    private mutating func exchange(
        _ kind: LogEvent.Kind,
        _ message: DnstapMessage,
        _ bytes: WireBytes?
    ) -> LogEvent? {
        guard let bytes, read(bytes) else {
            malformed &+= 1
            return nil
        }
        var event = LogEvent(kind)
        event.client = message.queryAddress
        event.transport = message.transport
        event.type = summary.questionType.rawValue
        event.key = key(message, bytes)
        event.name = name(bytes)
        return event
    }

    /// What another server answered, if that is a failure.
    private mutating func upstream(_ message: DnstapMessage) -> LogEvent {
        guard let bytes = message.response else { return .noise }
        guard let cause = read(bytes) ? failure : .malformed else { return .noise }
        var event = LogEvent(.upstreamFailure)
        event.cause = cause
        event.server = server(message)
        return event
    }

    private var failure: UpstreamCause? {
        if summary.malformation != nil { return .malformed }
        switch summary.responseCode.rawValue {
        case 0, 3: return nil
        case 1: return .formerr
        case 2: return .servfail
        case 4: return .notimp
        case 5: return .refused
        default: return .other
        }
    }

    private mutating func read(_ message: WireBytes) -> Bool {
        summary.decode(message, wireLength: message.count, seed: seed)
        return summary.extent != .nothing
    }

    /// The same for a query and its response: client, port, transport, id and question.
    private func key(_ message: DnstapMessage, _ bytes: WireBytes) -> UInt64 {
        let start = room + Self.longestText
        storeHeader(message, type: summary.questionType.rawValue, at: start)
        let length = summary.copyName(of: bytes, to: start + Self.keyLength)
        return KeyHash.of(UnsafeRawBufferPointer(start: start, count: Self.keyLength &+ length), seed: seed) | 1
    }

    /// What is left of a key where there is no question.
    private func headerKey(_ message: DnstapMessage) -> UInt64 {
        let start = room + Self.longestText
        storeHeader(message, type: 0, at: start)
        return KeyHash.of(UnsafeRawBufferPointer(start: start, count: Self.keyLength), seed: seed) | 1
    }

    private func storeHeader(_ message: DnstapMessage, type: UInt16, at start: UnsafeMutableRawPointer) {
        let client = message.queryAddress ?? .unspecified
        let rest = UInt64(message.queryPort ?? 0) << 32 | UInt64(summary.id) << 16 | UInt64(type)
        start.storeBytes(of: client.high, toByteOffset: 0, as: UInt64.self)
        start.storeBytes(of: client.low, toByteOffset: 8, as: UInt64.self)
        start.storeBytes(of: rest | UInt64(message.transport.rawValue) << 48, toByteOffset: 16, as: UInt64.self)
    }

    /// The name of the first question as text with the escapes of RFC 1035, section 5.1; none without a question.
    private func name(_ message: WireBytes) -> LogName {
        guard summary.nameLength > 0 else { return LogName() }
        var text = NameText(room: room, limit: Self.longestText)
        var position = DNSHeader.size
        while let length = message.uint8(at: position), length > 0, length < 0x40 {
            if !text.isEmpty { text.append(0x2e) }
            for offset in 1...Int(length) { text.appendEscaped(message.uint8(at: position &+ offset) ?? 0) }
            position &+= 1 &+ Int(length)
        }
        if text.isEmpty { text.append(0x2e) }
        return LogName(LogBytes(base: room, count: text.count), .escaped)
    }

    /// Address and port as text, in the room that names take otherwise.
    private func server(_ message: DnstapMessage) -> LogBytes {
        guard let address = message.responseAddress else { return .none }
        var text = NameText(room: room, limit: Self.longestText)
        let number = address.description
        for byte in (address.isIPv4 ? number : "[\(number)]").utf8 { text.append(byte) }
        if let port = message.responsePort { for byte in ":\(port)".utf8 { text.append(byte) } }
        return LogBytes(base: room, count: text.count)
    }
}

/// Text that grows in its own buffer.
private struct NameText {
    let room: UnsafeMutableRawPointer
    let limit: Int
    private(set) var count = 0

    init(room: UnsafeMutableRawPointer, limit: Int) {
        self.room = room
        self.limit = limit
    }

    var isEmpty: Bool { count == 0 }

    mutating func append(_ byte: UInt8) {
        guard count < limit else { return }
        room.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case 0x2e, 0x5c:
            append(0x5c)
            append(byte)
        case 0x21...0x7e: append(byte)
        default:
            append(0x5c)
            append(0x30 &+ byte / 100)
            append(0x30 &+ byte / 10 % 10)
            append(0x30 &+ byte % 10)
        }
    }
}
