internal import SondeWire

/// One message of dnstap, as far as it is used (dnstap.info, dnstap.proto).
///
/// A view: the DNS messages are in the frame. What the sender left out is nil.
struct DnstapMessage {
    /// Sender and receiver; the numbers are those of `Message.Type`.
    enum Kind: UInt64 {
        case authQuery = 1
        case authResponse = 2
        case resolverQuery = 3
        case resolverResponse = 4
        case clientQuery = 5
        case clientResponse = 6
        case forwarderQuery = 7
        case forwarderResponse = 8
        case stubQuery = 9
        case stubResponse = 10
        case toolQuery = 11
        case toolResponse = 12
        case updateQuery = 13
        case updateResponse = 14
    }

    /// The result of decoding a frame.
    enum Decoded {
        case message(DnstapMessage)
        /// A kind of frame or message that was added later.
        case unknown
        case malformed
    }

    var kind = Kind.clientQuery
    var transport = LogTransport.unknown
    /// The client.
    var queryAddress: IPAddress?
    var queryPort: UInt16?
    /// The server.
    var responseAddress: IPAddress?
    var responsePort: UInt16?
    /// Nanoseconds since 1970.
    var queryTime: Int64?
    var responseTime: Int64?
    var query: WireBytes?
    var response: WireBytes?

    /// Decodes the payload of one data frame.
    static func decode(_ frame: WireBytes) -> Decoded {
        var reader = ProtobufReader(frame)
        var message: WireBytes?
        var type: UInt64?
        while true {
            switch reader.next() {
            case .malformed: return .malformed
            case .end:
                // `type` is required; MESSAGE is the only one there is.
                guard let type else { return .malformed }
                guard type == 1 else { return .unknown }
                return message.map(decodeMessage) ?? .malformed
            case .field(14, .bytes(let bytes)): message = bytes
            case .field(15, .number(let number)): type = number
            case .field: break
            }
        }
    }

    private static func decodeMessage(_ bytes: WireBytes) -> Decoded {
        var reader = ProtobufReader(bytes)
        var message = DnstapMessage()
        var kind: UInt64?
        var times = Times()
        while true {
            switch reader.next() {
            case .malformed: return .malformed
            case .end:
                guard let kind else { return .malformed }
                guard let known = Kind(rawValue: kind) else { return .unknown }
                message.kind = known
                message.queryTime = times.query
                message.responseTime = times.response
                return .message(message)
            case .field(1, .number(let number)): kind = number
            case .field(let number, let value):
                if !times.take(number, value) { message.take(number, value) }
            }
        }
    }

    @inline(__always)
    private mutating func take(_ field: UInt64, _ value: ProtobufReader.Value) {
        switch (field, value) {
        case (3, .number(let number)): transport = Self.transport(number)
        case (4, .bytes(let bytes)): queryAddress = Self.address(bytes)
        case (5, .bytes(let bytes)): responseAddress = Self.address(bytes)
        case (6, .number(let number)): queryPort = UInt16(exactly: number)
        case (7, .number(let number)): responsePort = UInt16(exactly: number)
        case (10, .bytes(let bytes)): query = bytes
        case (14, .bytes(let bytes)): response = bytes
        default: break
        }
    }

    /// `SocketProtocol`.
    private static func transport(_ number: UInt64) -> LogTransport {
        switch number {
        case 1: .udp
        case 2: .tcp
        case 3: .dot
        case 4: .doh
        case 5, 6: .dnscrypt
        case 7: .doq
        default: .unknown
        }
    }

    /// 4 or 16 bytes in network order; nil for any other number of them.
    private static func address(_ bytes: WireBytes) -> IPAddress? {
        switch bytes.count {
        case 4: return bytes.uint32(at: 0).map { IPAddress(ipv4: $0) }
        case 16:
            guard let high = bytes.uint64(at: 0), let low = bytes.uint64(at: 8) else { return nil }
            return IPAddress(high: high, low: low)
        default: return nil
        }
    }

    /// Seconds and nanoseconds, which are separate fields.
    private struct Times {
        private var querySeconds: UInt64?
        private var queryFraction: UInt32 = 0
        private var responseSeconds: UInt64?
        private var responseFraction: UInt32 = 0

        var query: Int64? { Self.join(querySeconds, queryFraction) }
        var response: Int64? { Self.join(responseSeconds, responseFraction) }

        /// False when the field is none of these.
        @inline(__always)
        mutating func take(_ field: UInt64, _ value: ProtobufReader.Value) -> Bool {
            switch (field, value) {
            case (8, .number(let number)): querySeconds = number
            case (9, .fixed32(let number)): queryFraction = number
            case (12, .number(let number)): responseSeconds = number
            case (13, .fixed32(let number)): responseFraction = number
            default: return false
            }
            return true
        }

        private static func join(_ seconds: UInt64?, _ fraction: UInt32) -> Int64? {
            guard let seconds, let whole = Int64(exactly: seconds), fraction < 1_000_000_000 else { return nil }
            let (time, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
            let (sum, overflowed) = time.addingReportingOverflow(Int64(fraction))
            return overflow || overflowed ? nil : sum
        }
    }
}
