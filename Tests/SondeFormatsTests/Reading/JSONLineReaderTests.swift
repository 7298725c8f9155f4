import SondeDomain
import Testing

@testable import SondeFormats

@Suite struct JSONLineReaderTests {
    private func point(_ line: String) throws(LineFlaw) -> LinePoint {
        try JSONLineReader.point(try JSONLineReader.object(Array(line.utf8)[...]))
    }

    @Test func aLineNeedsANameAndAValueAlone() throws {
        let point = try point(#"{"name":"a.b","value":3}"#)
        #expect(point.series == SeriesSpecification(name: "a.b", kind: .gauge, unit: ""))
        #expect(point.time == nil)
        #expect(point.value == .signed(3))
    }

    @Test func aLineOfEverythingIsReadAsItIsWritten() throws {
        let series = Series.testing(
            "a", .counter, unit: "By", [("b", "2"), ("a", "é\"")], labels: [("site", "x")])
        var encoder = JSONLineEncoder()
        let text = encoder.text(.of([(series, .unsigned(.max))], start: Timestamp(seconds: 5)))
        let read = try JSONLineReader.point(try JSONLineReader.object(Array(text.utf8).dropLast()))
        #expect(
            read.series
                == SeriesSpecification(
                    name: "a", kind: .counter, unit: "By", attributes: series.attributes, start: Timestamp(seconds: 5)))
        #expect(read.time == newYear)
        #expect(read.value == .unsigned(.max))
    }

    @Test func aHistogramHasBoundsAndCounts() throws {
        let line = #"{"name":"h","kind":"histogram","count":3,"sum":1.5,"bounds":[1,2.5],"counts":[1,2,0]}"#
        #expect(
            try point(line).value
                == HistogramValue(bounds: [1, 2.5], counts: [1, 2, 0], sum: 1.5).map { .histogram($0) })
    }

    @Test(arguments: [
        ("{", "is no JSON: unexpected end at byte 1"),
        ("[]", "is no JSON object"),
        (#"{"value":1}"#, "has no name"),
        (#"{"name":"","value":1}"#, "the name has not 1 to 255 bytes"),
        (#"{"name":"a"}"#, "has no value"),
        (#"{"name":"a","value":"1"}"#, "value is no number"),
        (#"{"name":"a","value":null}"#, "value is no number"),
        (#"{"name":"a","value":1,"knd":"gauge"}"#, "has an unknown member"),
        (#"{"name":"a","value":1,"kind":"rate"}"#, "kind is none of the five"),
        (#"{"name":"a","value":-1,"kind":"counter"}"#, "a counter cannot be negative"),
        (#"{"name":"a","value":1,"time":"today"}"#, "time is no instant like 2026-01-01T00:00:00.000Z"),
        (#"{"name":"a","value":1,"attributes":{"b":1}}"#, "the value of an attribute is no string"),
        (#"{"name":"a","value":1,"attributes":{"b":"1","b":"2"}}"#, "has an attribute twice"),
        (#"{"name":"a\u0000","value":1}"#, "the name has a control character"),
        (#"{"name":"a","kind":"histogram","value":1}"#, "a histogram has counts and no value"),
        (#"{"name":"a","counts":[1]}"#, "only a histogram has counts"),
        (
            #"{"name":"a","kind":"histogram","counts":[1],"bounds":[1]}"#,
            "bounds, counts and count do not fit together"
        ),
    ])
    func aBrokenLineHasAReason(_ line: String, _ reason: String) {
        #expect(throws: LineFlaw(reason)) { try point(line) }
    }

    @Test func theBoundsOfTheContractHold() throws {
        let many = (0..<17).map { "\"a\($0)\":\"\"" }.joined(separator: ",")
        #expect(throws: LineFlaw("has more than 16 attributes")) {
            try point(#"{"name":"a","value":1,"attributes":{\#(many)}}"#)
        }
        let long = String(repeating: "x", count: 1_025)
        #expect(throws: LineFlaw("the value of an attribute has not 0 to 1024 bytes")) {
            try point(#"{"name":"a","value":1,"attributes":{"b":"\#(long)"}}"#)
        }
    }
}
