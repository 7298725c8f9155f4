import SondeTestKit
import SondeWire
import Testing

@testable import DNSLogPlugin

/// The protobuf of one frame.
@Suite struct DnstapMessageTests {
    private static let query = DNSMessageBuilder(id: 77).asking("www.example.com").bytes

    private func decode(_ payload: [UInt8]) -> DnstapMessage.Decoded {
        payload.withUnsafeBytes { DnstapMessage.decode(WireBytes($0)) }
    }

    /// Decodes and returns the result; views are looked at while the bytes are there.
    private func outcome(_ payload: [UInt8]) -> String {
        payload.withUnsafeBytes { raw in
            switch DnstapMessage.decode(WireBytes(raw)) {
            case .malformed: return "malformed"
            case .unknown: return "unknown"
            case .message(let message):
                let sizes = [message.query, message.response].map { $0?.count ?? -1 }
                let inside = [message.query, message.response].allSatisfy { part in
                    guard let part, part.count > 0, let start = part.buffer.baseAddress, let base = raw.baseAddress
                    else { return true }
                    return start >= base && start + part.count <= base + raw.count
                }
                return "\(message.kind) \(sizes) \(inside)"
            }
        }
    }

    @Test func everyFieldThatIsUsedIsRead() {
        let payload = DnstapBuilder.clientQuery(Self.query).with(12, 9).with(14, [1, 2, 3]).payload
        payload.withUnsafeBytes { raw in
            guard case .message(let message) = DnstapMessage.decode(WireBytes(raw)) else {
                Issue.record("no message")
                return
            }
            #expect(message.kind == .clientQuery)
            #expect(message.transport == .udp)
            #expect(message.queryAddress == IPAddress(ipv4: 0xc000_0207))
            #expect(message.responseAddress == IPAddress(ipv4: 0xc000_0201))
            #expect(message.queryPort == 4_000)
            #expect(message.responsePort == 53)
            #expect(message.queryTime == 1_767_225_601_000_000_005)
            #expect(message.responseTime == 9_000_000_000)
            #expect(message.query.map { Array($0.buffer) } == Self.query)
            #expect(message.response.map { Array($0.buffer) } == [1, 2, 3])
        }
    }

    @Test func whatIsLeftOutIsUnknownAndNotZero() {
        let payload = DnstapBuilder(type: 6).payload
        payload.withUnsafeBytes { raw in
            guard case .message(let message) = DnstapMessage.decode(WireBytes(raw)) else {
                Issue.record("no message")
                return
            }
            #expect(message.transport == .unknown)
            #expect(message.queryAddress == nil && message.queryPort == nil)
            #expect(message.queryTime == nil && message.responseTime == nil)
            #expect(message.query == nil && message.response == nil)
        }
    }

    @Test func numbersThatCannotBeAreUnknown() {
        let payload = DnstapBuilder(type: 5).with(4, [1, 2, 3]).with(6, 65_536).with(8, .max).with(3, 99).payload
        payload.withUnsafeBytes { raw in
            guard case .message(let message) = DnstapMessage.decode(WireBytes(raw)) else {
                Issue.record("no message")
                return
            }
            #expect(message.queryAddress == nil && message.queryPort == nil && message.queryTime == nil)
            #expect(message.transport == .unknown)
        }
    }

    @Test func fieldsAndKindsOfLaterVersionsDoNoHarm() {
        let later = DnstapBuilder.clientQuery(Self.query).with(900, 5).with(901, [1, 2]).withFixed(902, 7)
        #expect(outcome(later.payload) == "clientQuery [\(Self.query.count), -1] true")
        #expect(outcome(DnstapBuilder(type: 99).payload) == "unknown")
        #expect(outcome(DnstapBuilder.number(15, 2)) == "unknown")
    }

    @Test func whatIsNoMessageIsMalformed() {
        let cases: [[UInt8]] = [
            [], [0], [0x80], [0x0b], [0x72, 0xff], [UInt8](repeating: 0xff, count: 40),
            DnstapBuilder.number(15, 1),
            DnstapBuilder.bytes(14, []) + DnstapBuilder.number(15, 1),
            DnstapBuilder.bytes(14, DnstapBuilder.number(1, 5)),
            DnstapBuilder.varint(14 << 3 | 2) + DnstapBuilder.varint(.max) + DnstapBuilder.number(15, 1),
        ]
        for bytes in cases { #expect(outcome(bytes) == "malformed", "\(bytes)") }
    }

    @Test func noChangeOfAByteAndNoCutReadsBeyondTheFrame() {
        let payload = DnstapBuilder.clientQuery(Self.query).with(14, Self.query).payload
        var outcomes: Set<String> = []
        for index in payload.indices {
            for value in [0, 1, 0x7f, 0x80, 0xff, payload[index] ^ 1, payload[index] ^ 0x80, payload[index] &+ 1] {
                var changed = payload
                changed[index] = UInt8(value)
                outcomes.insert(outcome(changed))
            }
            outcomes.insert(outcome(Array(payload[..<index])))
        }
        #expect(!outcomes.contains { $0.hasSuffix("false") })
        #expect(outcomes.contains("malformed") && outcomes.contains("unknown"))
    }

    @Test func noiseReadsBeyondNothing() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...80, using: &random)
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(!outcome(bytes).hasSuffix("false"))
        }
    }
}
