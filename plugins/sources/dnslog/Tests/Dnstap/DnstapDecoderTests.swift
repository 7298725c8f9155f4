import SondeTestKit
import SondeWire
import Testing

@testable import DNSLogPlugin

/// What becomes of the messages.
@Suite struct DnstapDecoderTests {
    /// An event with its views in plain values.
    private struct Told {
        var event: LogEvent
        var name: String
        var server: String
    }

    /// A decoder in a box, so that a test can use it from closures.
    private final class Box {
        var decoder = DnstapDecoder(seed: 9)

        func event(_ builder: DnstapBuilder) -> Told {
            builder.payload.withUnsafeBytes { raw in
                let event = decoder.event(WireBytes(raw))
                let name = String(decoding: event.name.bytes.buffer, as: UTF8.self)
                return Told(event: event, name: name, server: String(decoding: event.server.buffer, as: UTF8.self))
            }
        }
    }

    private static func query(_ name: String, id: UInt16 = 77) -> [UInt8] {
        DNSMessageBuilder(id: id).asking(name, type: 28).bytes
    }

    private static func response(_ name: String, code: UInt16 = 0, id: UInt16 = 77) -> DNSMessageBuilder {
        DNSMessageBuilder(id: id, flags: 0x8180 | code).asking(name, type: 28)
    }

    @Test func aQueryAndItsResponseHaveTheSameKey() {
        let box = Box()
        let asked = box.event(.clientQuery(Self.query("WWW.Example.com")))
        #expect(asked.event.kind == .query)
        #expect(asked.name == "WWW.Example.com")
        #expect(asked.event.client == IPAddress(ipv4: 0xc000_0207))
        #expect(asked.event.transport == .udp)
        #expect(asked.event.type == 28)
        #expect(box.decoder.time == 1_767_225_601_000)
        let answer = Self.response("www.example.com").answering(type: 28, data: [UInt8](repeating: 1, count: 16))
        let told = box.event(.clientResponse(answer.bytes))
        #expect(told.event.kind == .response)
        #expect(told.event.key == asked.event.key)
        #expect(told.event.outcome.code == 0)
        #expect(told.event.outcome.records == .some)
        #expect(told.event.outcome.latency == 250_000_000)
        #expect(told.event.outcome.cache == .unknown)
        let other = box.event(.clientQuery(Self.query("www.example.com", id: 78)))
        #expect(other.event.key != asked.event.key)
    }

    @Test func aResponseWithoutAQuestionBelongsToTheQueryOfItsHeader() {
        let box = Box()
        let asked = box.event(.clientQuery(Self.query("www.example.com")))
        let refused = box.event(.clientResponse(DNSMessageBuilder(id: 77, flags: 0x8185).bytes))
        #expect(refused.event.key == asked.event.key)
        #expect(refused.event.outcome.code == 5)
        let other = box.event(.clientResponse(DNSMessageBuilder(id: 78, flags: 0x8185).bytes))
        #expect(other.event.key != asked.event.key)
    }

    @Test func aResponseThatCannotHoldWhatItCountsBelongsToTheQueryOfItsHeader() {
        let box = Box()
        let asked = box.event(.clientQuery(Self.query("www.example.com")))
        var bytes = Self.response("www.example.com").bytes
        // ANCOUNT: the question behind such a header is not read.
        bytes[7] = 1
        #expect(box.event(.clientResponse(bytes)).event.key == asked.event.key)
    }

    @Test func aResponseThatTellsWhenItWasAskedNeedsNoQuery() {
        let box = Box()
        let message = DnstapBuilder.clientResponse(Self.response("a.example").bytes).with(8, 1_767_225_600)
        let told = box.event(message)
        #expect(told.event.outcome.latency == 1_250_000_005)
        #expect(told.event.outcome.records == .none)
    }

    @Test func aResponseWithoutItsQueryHasNoLatency() {
        let told = Box().event(.clientResponse(Self.response("a.example", code: 3).bytes))
        #expect(told.event.outcome.code == 3)
        #expect(told.event.outcome.latency == LogEvent.Outcome.unknownLatency)
    }

    @Test func aResponseBeforeItsQueryHasNoLatency() {
        let box = Box()
        _ = box.event(.clientQuery(Self.query("a.example")).with(8, 1_767_225_700))
        let told = box.event(.clientResponse(Self.response("a.example").bytes))
        #expect(told.event.outcome.latency == LogEvent.Outcome.unknownLatency)
    }

    @Test func theHighBitsOfACodeComeFromOPT() {
        let bytes = Self.response("a.example").withEDNS(timeToLive: 0x0100_0000).bytes
        #expect(Box().event(.clientResponse(bytes)).event.outcome.code == 16)
    }

    @Test func hostileNamesAreEscaped() {
        let name: [UInt8] = [6, 0x61, 0x2e, 0x5c, 0x20, 0x00, 0xff, 3, 0x3c, 0x22, 0x3e, 0]
        let told = Box().event(.clientQuery(DNSMessageBuilder().asking(wireName: name).bytes))
        #expect(told.name == #"a\.\\\032\000\255.<">"#)
        #expect(told.event.name.form == .escaped)
    }

    @Test func theLongestNameFits() {
        let label = [UInt8(63)] + [UInt8](repeating: 0, count: 63)
        let wire = label + label + label + [61] + [UInt8](repeating: 0, count: 61) + [0]
        #expect(wire.count == 255)
        let told = Box().event(.clientQuery(DNSMessageBuilder().asking(wireName: wire).bytes))
        #expect(told.name.utf8.count == 4 * (63 * 3 + 61) + 3)
    }

    @Test func theRootIsADotAndAMessageWithoutQuestionHasNoName() {
        #expect(Box().event(.clientQuery(DNSMessageBuilder().asking(wireName: [0]).bytes)).name == ".")
        let told = Box().event(.clientResponse(DNSMessageBuilder(flags: 0x8181).bytes))
        #expect(told.event.kind == .response)
        #expect(told.event.outcome.code == 1)
        #expect(!told.event.name.isKnown)
    }

    @Test(arguments: [(UInt64(1), LogTransport.udp), (2, .tcp), (3, .dot), (4, .doh), (5, .dnscrypt), (7, .doq)])
    func theTransportIsThatOfTheClient(_ number: UInt64, _ transport: LogTransport) {
        let message = DnstapBuilder(type: 5).with(3, number).with(10, Self.query("a.example"))
        #expect(Box().event(message).event.transport == transport)
    }

    @Test(arguments: [(UInt16(1), UpstreamCause.formerr), (2, .servfail), (4, .notimp), (5, .refused), (9, .other)])
    func aServerThatFailsIsNamedWithTheCause(_ code: UInt16, _ cause: UpstreamCause) {
        let told = Box().event(.resolverResponse(Self.response("a.example", code: code).bytes))
        #expect(told.event.kind == .upstreamFailure)
        #expect(told.event.cause == cause)
        #expect(told.server == "198.51.100.53:53")
    }

    @Test func aServerThatSendsRubbishIsMalformedAndOneThatAnswersIsNoise() {
        let box = Box()
        #expect(box.event(.resolverResponse([1, 2, 3])).event.cause == .malformed)
        let pointer = DNSMessageBuilder(flags: 0x8180).asking(wireName: [0xc0, 12]).bytes
        #expect(box.event(.resolverResponse(pointer)).event.cause == .malformed)
        for code: UInt16 in [0, 3] {
            #expect(box.event(.resolverResponse(Self.response("a.example", code: code).bytes)).event.kind == .noise)
        }
    }

    @Test func aServerOverIPv6IsInBrackets() {
        let address: [UInt8] = [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [1]
        let message = DnstapBuilder(type: 8).with(5, address).with(7, 53)
            .with(14, Self.response("a.example", code: 2).bytes)
        #expect(Box().event(message).server == "[2001:db8::1]:53")
    }

    @Test func whatHasNoHeaderIsUnparsedAndCounted() {
        let box = Box()
        #expect(box.event(.clientQuery([1, 2, 3])).event.kind == .unparsed)
        #expect(box.event(DnstapBuilder(type: 6)).event.kind == .unparsed)
        #expect(box.decoder.malformed == 2)
        #expect(box.event(DnstapBuilder(type: 3)).event.kind == .noise)
    }

    @Test func manyQueriesWithoutAnswerTakeNoMoreRoomAndRecentOnesAreKnown() {
        let box = Box()
        for number in 0..<40_000 {
            _ = box.event(.clientQuery(Self.query("n\(number).example", id: UInt16(number & 0xffff))))
        }
        let told = box.event(.clientResponse(Self.response("n39999.example", id: UInt16(39_999)).bytes))
        #expect(told.event.outcome.latency == 250_000_000)
    }
}
