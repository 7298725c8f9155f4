import SondeDomain
import Testing

@testable import SondeGateways

@Suite struct OutputReaderTests {
    private static func line(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    @Test func aMessageIsUnderstoodHoweverMuchWasPrintedBeforeIt() {
        var reader = OutputReader(.sonde)
        let point = Self.line(#"{"name":"a","value":1}"#)
        for _ in 0..<(OutputReader.pointLimit + 7) { reader.take(point) }
        reader.take(Self.line(#"{"type":"commit","checkpoint":"1"}"#))
        guard case .commit(let cut, let checkpoint)? = reader.takeEvents().first else {
            Issue.record("the commit was dropped")
            return
        }
        #expect(cut.points.count == OutputReader.pointLimit && cut.lost == 7)
        #expect(checkpoint == Array("1".utf8))
        reader.take(point)
        #expect(reader.takeCut().points.count == 1, "the next cut has room again")
    }

    @Test func everyMessageOfOneReadIsKept() {
        var reader = OutputReader(.sonde)
        for _ in 0..<3_000 {
            reader.take(Self.line(#"{"name":"a","value":1}"#))
            reader.take(Self.line(#"{"type":"commit"}"#))
        }
        #expect(reader.takeEvents().count == 3_000)
    }

    @Test func emptyLinesAndMessagesTakeNoRoom() {
        var reader = OutputReader(.sonde)
        for _ in 0..<(OutputReader.pointLimit + 1) {
            reader.take(Self.line(""))
            reader.take(Self.line(#"{"type":"log","message":"m"}"#))
            _ = reader.takeEvents()
        }
        reader.take(Self.line(#"{"name":"a","value":1}"#))
        let cut = reader.takeCut()
        #expect(cut.points.count == 1 && cut.lost == 0)
    }

    @Test func aLossOfLessThanNothingIsNoMessage() {
        var reader = OutputReader(.sonde)
        reader.take(Array(#"{"type":"loss","reason":"dropped","count":-3}"#.utf8)[...])
        #expect(reader.takeEvents().isEmpty)
        #expect(reader.takeCut().firstFlaw?.reason == "count is no count")
        reader.take(Array(#"{"type":"loss","reason":"dropped","count":null}"#.utf8)[...])
        #expect(reader.takeEvents().count == 1)
    }

    @Test(arguments: [
        (#"{"name":"a","value":1,"time":"today"}"#, "time is no instant like 2026-01-01T00:00:00.000Z"),
        (#"{"value":1}"#, "it has no name"), ("word", "it is no JSON: "),
    ])
    func aReasonIsASentence(_ line: String, _ sentence: String) {
        var reader = OutputReader(.json)
        reader.take(Array(line.utf8)[...])
        #expect(reader.takeCut().firstFlaw?.reason.hasPrefix(sentence) == true)
    }
}
