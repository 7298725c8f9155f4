import SondeDomain
import SondeFormats
import Testing

@testable import HTTPPlugin

/// The header section of a request.
@Suite struct RequestHeadersTests {
    private func lines(
        _ batch: Batch, points: Int = 1, _ compression: Compression = .none, own: [HeaderField] = []
    ) -> [String] {
        HeaderField.fields(of: batch, points: points, .json, LabelledSession(), compression, own: own).map(\.line)
    }

    private struct LabelledSession: ProfileSession {
        let contentType = "application/x-ndjson"
        let headers = [HeaderField(name: "X-Format", value: "1")]
        func encode(_ batch: Batch, into buffer: inout ByteBuffer) -> EncodingReport { EncodingReport() }
        func read(_ transfer: Transfer, of batch: Batch, _ report: EncodingReport) -> Profile.Reading? { nil }
    }

    @Test func theFirstAttemptSaysNothingOfAttempts() {
        #expect(
            lines(.sample(), points: 2) == [
                "Content-Type: application/x-ndjson", "X-Format: 1", "Sonde-Batch: \(Batch.agent)/e1/41-42",
                "Sonde-Sink: central", "Sonde-Points: 2",
            ]
        )
    }

    @Test func aLaterAttemptIsCounted() {
        #expect(lines(.sample(attempt: 3)).last == "Retry-Attempt: 3")
    }

    @Test func aPackedBodyHasItsEncoding() {
        #expect(lines(.sample(), .gzip)[1] == "Content-Encoding: gzip")
    }

    @Test func identifiersCannotEndTheirField() {
        #expect(lines(.sample(sink: "a\r\nX-Injected: ü"))[3] == "Sonde-Sink: a%0D%0AX-Injected:%20%C3%BC")
    }

    @Test func anEmptyValueIsSentAsOne() {
        #expect(lines(.sample(), own: [HeaderField(name: "X-Empty", value: "")]).last == "X-Empty;")
    }
}
