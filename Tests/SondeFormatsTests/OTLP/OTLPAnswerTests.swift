import SondeTestKit
import Testing

@testable import SondeFormats

/// Answers of OTLP receivers: anything may come.
struct OTLPAnswerTests {
    /// `partial_success { rejected_data_points: 3 error_message: "bad" }`.
    private static let partial: [UInt8] = [0x0a, 0x07, 0x08, 0x03, 0x12, 0x03] + Array("bad".utf8)

    @Test func aPartialSuccessSaysHowManyPointsWereRefusedAndWhy() {
        let answer = OTLPAnswer(Self.partial)
        #expect(answer.rejectedPoints == 3)
        #expect(answer.message == Array("bad".utf8))
        #expect(!answer.isComplete)
    }

    @Test func anEmptyAnswerIsASuccess() {
        #expect(OTLPAnswer([]).isComplete)
        #expect(OTLPAnswer([0x0a, 0x00]).isComplete)
    }

    @Test func fieldsThatAreNotKnownAreSkipped() {
        let unknown: [UInt8] = [0x18, 0x07, 0x21, 1, 2, 3, 4, 5, 6, 7, 8, 0x2d, 1, 2, 3, 4, 0x32, 0x01, 0x41]
        let inner = unknown + Self.partial.dropFirst(2)
        let answer = OTLPAnswer(unknown + [0x0a, UInt8(inner.count)] + inner)
        #expect(answer.rejectedPoints == 3)
        #expect(answer.message == Array("bad".utf8))
    }

    @Test func aMessageThatIsCutIsReadAsFarAsItIsThere() {
        let answer = OTLPAnswer(Array(Self.partial.dropLast(2)))
        #expect(answer.rejectedPoints == 3)
        #expect(answer.message == Array("b".utf8))
    }

    @Test(
        arguments: [
            [0xff], [0x0a], [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            [0x0b], [0x0c, 0x0a], [0x0a, 0x02, 0x08, 0xff], Array("<html>".utf8), [0x21, 1],
            // -1 points.
            [0x0a, 0x0b, 0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        ] as [[UInt8]])
    func whatCannotBeReadSaysNothing(body: [UInt8]) {
        #expect(OTLPAnswer(body).rejectedPoints == 0)
    }

    @Test(
        arguments: [
            (#"{"partialSuccess":{"rejectedDataPoints":"3","errorMessage":"bad"}}"#, 3, "bad"),
            (#"{"partialSuccess":{"rejectedDataPoints":3,"future":[{}]},"more":null}"#, 3, ""),
            (#"{"partialSuccess":{"errorMessage":"use v2"}}"#, 0, "use v2"), ("{}", 0, ""), ("", 0, ""),
            (#"{"partialSuccess":{"rejectedDataPoints":"-3"}}"#, 0, ""), (#"{"partialSuccess":[]}"#, 0, ""),
            (#"{"partialSuccess":{"rejectedDataPoints":1e99,"errorMessage":7}}"#, 0, ""),
            (#"{"partialSuccess":{"rejectedDataPoints":"99999999999999999999"}}"#, 0, ""),
            (#"{"partialSuccess":{"rejectedDataPoints":"3""#, 0, ""), ("<html>", 0, ""),
            (String(repeating: "[", count: 100_000), 0, ""),
            ("[" + String(repeating: "0,", count: 100_000) + "0]", 0, ""),
        ] as [(String, UInt64, String)])
    func anAnswerInJSONSaysTheSame(_ body: String, _ rejected: UInt64, _ message: String) {
        let answer = OTLPAnswer(Array(body.utf8))
        #expect(answer.rejectedPoints == rejected)
        #expect(answer.message == Array(message.utf8))
    }

    @Test func noBytesAreAnError() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            var bytes = Self.partial
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let cut = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            #expect(OTLPAnswer(cut).message.count <= cut.count)
            #expect((OTLPAnswer.message(ofStatus: cut) ?? []).count <= cut.count)
        }
    }

    @Test func theMessageOfAStatusIsItsText() {
        #expect(OTLPAnswer.message(ofStatus: [0x08, 0x03, 0x12, 0x02, 0x6e, 0x6f]) == Array("no".utf8))
        #expect(OTLPAnswer.message(ofStatus: [0x12, 0x02, 0x6e, 0x6f]) == Array("no".utf8))
        #expect(OTLPAnswer.message(ofStatus: Array(#"{"code":3,"message":"no"}"#.utf8)) == Array("no".utf8))
        #expect(OTLPAnswer.message(ofStatus: Array(#"{"error":"no"}"#.utf8)) == nil)
        #expect(OTLPAnswer.message(ofStatus: Array("text".utf8)) == nil)
        #expect(OTLPAnswer.message(ofStatus: []) == nil)
    }
}
