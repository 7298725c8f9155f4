import Testing

@testable import HTTPPlugin

/// A header section, line by line.
@Suite struct ResponseHeadTests {
    private func head(_ lines: String...) -> ResponseHead {
        var head = ResponseHead()
        for line in lines { head.take(Array((line + "\r\n").utf8)) }
        return head
    }

    @Test func aWholeHeaderSectionHasAStatus() {
        let head = head("HTTP/1.1 503 Service Unavailable", "RETRY-AFTER:\t 7 ", "Date: now", "Location: /x", "")
        #expect(head.status == 503)
        #expect(head.reason.bytes == Array("Service Unavailable".utf8))
        #expect(head.values("retry-after").map(\.bytes) == [Array("7".utf8)])
        #expect(head.values("date").map(\.bytes) == [Array("now".utf8)])
        #expect(head.values("location").map(\.bytes) == [Array("/x".utf8)])
    }

    @Test func theStatusLineOfHTTP2HasNoWords() {
        let head = head("HTTP/2 204 ", "")
        #expect(head.status == 204)
        #expect(head.reason.bytes.isEmpty)
    }

    @Test func aHeaderSectionWithoutEndHasNoStatus() {
        #expect(head("HTTP/1.1 200 OK", "Date: now").status == nil)
    }

    @Test func anInterimAnswerIsForgotten() {
        let head = head("HTTP/1.1 103 Early", "Retry-After: 1", "", "HTTP/1.1 200 OK", "")
        #expect(head.status == 200)
        #expect(head.values("retry-after").isEmpty)
    }

    @Test func anInterimAnswerAloneHasNoStatus() {
        #expect(head("HTTP/1.1 100 Continue", "").status == nil)
    }

    @Test func whatComesAfterTheHeaderSectionChangesNothing() {
        let head = head("HTTP/1.1 429 Slow", "", "Retry-After: 5", "HTTP/1.1 200 OK", "")
        #expect(head.status == 429)
        #expect(head.values("retry-after").isEmpty)
    }

    @Test(arguments: ["HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000 OK", "HTTP/1.1 abc", "SSH-2.0-x", ""])
    func aLineThatIsNoStatusLineHasNoStatus(line: String) {
        #expect(head(line, "").status == nil)
    }

    @Test func whatIsKeptIsBounded() {
        var head = head("HTTP/1.1 429 \(String(repeating: "w", count: 10_000))")
        for _ in 0..<1_000 { head.take(Array("Retry-After: \(String(repeating: "9", count: 10_000))\r\n".utf8)) }
        #expect(head.values("retry-after").count == 8)
        #expect(head.values("retry-after").allSatisfy { $0.bytes.count == 8_192 && $0.isCut })
        #expect(head.reason.bytes.count == 8_192 && head.reason.isCut)
    }

    @Test func fieldsThatSomebodyNamesAreKeptHoweverLongTheirNameIs() {
        let name = "x-prometheus-remote-write-samples-written"
        var head = ResponseHead(keeping: [name])
        for line in ["HTTP/1.1 204 No", "X-Prometheus-Remote-Write-Samples-Written: 7", "X-Other: 8", ""] {
            head.take(Array((line + "\r\n").utf8))
        }
        #expect(head.values(name).map(\.bytes) == [Array("7".utf8)])
        #expect(head.values("x-other").isEmpty)
    }
}
