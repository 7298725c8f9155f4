import SondeDomain
import Testing

@testable import HTTPPlugin

/// The header section of a request.
@Suite struct RequestHeadersTests {
    @Test func theFirstAttemptSaysNothingOfAttempts() {
        let headers = RequestHeaders(.sample(), lines: 2, contentType: "application/x-ndjson", own: [])
        #expect(
            headers.lines == [
                "Content-Type: application/x-ndjson", "Sonde-Batch: \(Batch.agent)/e1/41-42", "Sonde-Sink: central",
                "Sonde-Points: 2",
            ]
        )
    }

    @Test func aLaterAttemptIsCounted() {
        let headers = RequestHeaders(.sample(attempt: 3), lines: 2, contentType: "x", own: [])
        #expect(headers.lines.last == "Retry-Attempt: 3")
    }

    @Test func identifiersCannotEndTheirField() {
        let headers = RequestHeaders(.sample(sink: "a\r\nX-Injected: ü"), lines: 0, contentType: "x", own: [])
        #expect(headers.lines[2] == "Sonde-Sink: a%0D%0AX-Injected:%20%C3%BC")
    }

    @Test func anEmptyValueIsSentAsOne() {
        let own = [HeaderField(name: "X-Empty", value: "")]
        #expect(RequestHeaders(.sample(), lines: 1, contentType: "x", own: own).lines.last == "X-Empty;")
    }
}
