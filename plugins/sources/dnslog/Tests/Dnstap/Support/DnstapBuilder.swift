import SondeTestKit

/// Builds dnstap messages and streams, sound ones and broken ones.
struct DnstapBuilder {
    private(set) var message: [UInt8] = []

    /// A message of this `Message.Type`.
    init(type: UInt64) {
        message = Self.number(1, type)
    }

    /// Adds a number to the message.
    func with(_ field: UInt64, _ value: UInt64) -> DnstapBuilder {
        adding(Self.number(field, value))
    }

    func with(_ field: UInt64, _ bytes: [UInt8]) -> DnstapBuilder {
        adding(Self.bytes(field, bytes))
    }

    /// Adds 32 bits of fixed length.
    func withFixed(_ field: UInt64, _ value: UInt32) -> DnstapBuilder {
        adding(Self.varint(field << 3 | 5) + (0..<4).map { UInt8(value >> ($0 * 8) & 255) })
    }

    /// The payload of a data frame.
    var payload: [UInt8] {
        Self.bytes(1, Array("host".utf8)) + Self.bytes(2, Array("unbound 1".utf8)) + Self.bytes(14, message)
            + Self.number(15, 1)
    }

    private func adding(_ bytes: [UInt8]) -> DnstapBuilder {
        var copy = self
        copy.message += bytes
        return copy
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var rest = value
        var bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] {
        varint(field << 3) + varint(value)
    }

    static func bytes(_ field: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        varint(field << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }

    /// A data frame.
    static func frame(_ payload: [UInt8]) -> [UInt8] {
        number32(UInt32(payload.count)) + payload
    }

    static func number32(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }
}

extension DnstapBuilder {
    /// A client at 192.0.2.7, port 4000, sends a query over UDP one second and 5 ns into 2026.
    static func clientQuery(_ message: [UInt8]) -> DnstapBuilder {
        exchange(type: 5).with(8, 1_767_225_601).withFixed(9, 5).with(10, message)
    }

    /// The same client gets this 0.25 s later.
    static func clientResponse(_ message: [UInt8]) -> DnstapBuilder {
        exchange(type: 6).with(12, 1_767_225_601).withFixed(13, 250_000_005).with(14, message)
    }

    /// The server 198.51.100.53, port 53, answers the resolver.
    static func resolverResponse(_ message: [UInt8]) -> DnstapBuilder {
        DnstapBuilder(type: 4).with(2, 1).with(3, 1).with(5, [198, 51, 100, 53]).with(7, 53).with(14, message)
    }

    private static func exchange(type: UInt64) -> DnstapBuilder {
        DnstapBuilder(type: type).with(2, 1).with(3, 1).with(4, [192, 0, 2, 7]).with(5, [192, 0, 2, 1]).with(6, 4_000)
            .with(7, 53)
    }
}
