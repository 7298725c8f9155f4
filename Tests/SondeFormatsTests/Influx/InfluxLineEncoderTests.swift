import SondeDomain
import SondeFormats
import SondeTestKit
import Testing

struct InfluxLineEncoderTests {
    @Test func aPointIsOneLineWithSortedTags() {
        let series = Series.testing(
            "system.network.io", .counter, unit: "By",
            [("network.io.direction", "receive"), ("network.interface.name", "lo")], labels: [("site", "fra1")]
        )
        var encoder = InfluxLineEncoder()
        #expect(
            encoder.text(.of([(series, .unsigned(123))]))
                == "system.network.io,host=h,network.interface.name=lo,network.io.direction=receive,site=fra1 "
                + "value=123i 1767225600000000000\n"
        )
    }

    @Test(arguments: [
        (SampleValue.signed(.min), "-9223372036854775808i"), (.unsigned(UInt64(Int64.max)), "9223372036854775807i"),
        (.double(0.1), "0.1"), (.double(1e300), "1e+300"), (.double(2), "2.0"),
    ])
    func valuesAreExact(_ value: SampleValue, _ text: String) {
        var encoder = InfluxLineEncoder()
        #expect(encoder.text(.of([(.testing("a"), value)], host: nil)) == "a value=\(text) 1767225600000000000\n")
    }

    @Test func whatTheProtocolCannotSayIsLeftOutAndCounted() throws {
        let beyond = try #require(HistogramValue(bounds: [1], counts: [.max, 0], sum: nil))
        let values: [SampleValue] = [
            .unsigned(.max), .double(.nan), .double(-.infinity), .histogram(beyond), .signed(1),
        ]
        let document = Document(schema: "s", time: newYear, json: Array("{}".utf8))
        var encoder = InfluxLineEncoder()
        var buffer = ByteBuffer()
        let points = values.enumerated().map { (Series.testing("a", id: UInt64($0.offset)), $0.element) }
        let report = encoder.encode(.of(points, host: nil, documents: [document]), into: &buffer)
        #expect(report == EncodingReport(lines: 1, leftOut: 4, documentsLeftOut: 1))
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == "a value=1i 1767225600000000000\n")
    }

    @Test func aHistogramHasCumulatedBuckets() throws {
        let histogram = try #require(HistogramValue(bounds: [0.5, 1], counts: [1, 2, 4], sum: 9.5))
        var encoder = InfluxLineEncoder()
        #expect(
            encoder.text(.of([(.testing("d", .histogram), .histogram(histogram))], host: nil))
                == "d count=7i,sum=9.5,bucket_0.5=1i,bucket_1.0=3i,bucket_+Inf=7i 1767225600000000000\n"
        )
    }

    @Test(arguments: [
        ("a b", #"a\ b"#), ("a,b", #"a\,b"#), ("a=b", #"a\=b"#), (#"a\b"#, #"a\b"#), (#"a\"#, "a"), (#"a\\"#, "a"),
        (#"a\ b"#, #"a\ b"#), (#"a\,b"#, #"a\,b"#), ("a\tb", #"a\ b"#),
        ("a\u{1b}b", #"a\ b"#), ("\"q\"", "\"q\""), ("é😀", "é😀"), ("#a", "#a"),
    ])
    func tagValuesAreEscaped(_ value: String, _ text: String) {
        var encoder = InfluxLineEncoder()
        let line = encoder.text(.of([(.testing("m", .gauge, [("k", value), ("z", "z")]), .signed(1))], host: nil))
        #expect(line == "m,k=\(text),z=z value=1i 1767225600000000000\n")
    }

    @Test(arguments: ["a\nb", "a\rb", "a\n", "\u{a}", "a\r\nb"])
    func aSeriesWithALineBreakIsLeftOutAndCounted(_ text: String) {
        let series = [
            Series.testing(text, id: 1), .testing("m", .gauge, [("k", text)], id: 2),
            .testing("m", .gauge, [(text, "v")], id: 3), .testing("m", .gauge, labels: [("k", text)], id: 4),
            .testing("m", .gauge, [("k", #"a\nb"#)], id: 5),
        ]
        var encoder = InfluxLineEncoder()
        var buffer = ByteBuffer()
        let report = encoder.encode(.of(series.map { ($0, .signed(1)) }, host: nil), into: &buffer)
        #expect(report == EncodingReport(lines: 1, leftOut: 4))
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == #"m,k=a\nb value=1i 1767225600000000000"# + "\n")
    }

    @Test(arguments: [(65_496, 0), (65_497, 1)])
    func aSeriesThatIsLongerThanAServerTakesIsLeftOutAndCounted(_ length: Int, _ leftOut: Int) {
        let series = Series.testing("m", .gauge, [("k", String(repeating: "x", count: length))])
        var encoder = InfluxLineEncoder()
        var buffer = ByteBuffer()
        let report = encoder.encode(.of([(series, .signed(1))], host: nil), into: &buffer)
        #expect(report == EncodingReport(lines: 1 - leftOut, leftOut: leftOut))
        #expect(buffer.isEmpty == (leftOut == 1))
    }

    @Test(arguments: [
        ("a b", #"a\ b"#), ("a,b", #"a\,b"#), ("a=b", "a=b"), ("#a", "\\#a"), ("a#", "a#"), (#"a\"#, "a"),
    ])
    func measurementsAreEscaped(_ name: String, _ text: String) {
        var encoder = InfluxLineEncoder()
        #expect(encoder.text(.of([(.testing(name), .signed(1))], host: nil)).hasPrefix("\(text) value=1i "))
    }

    @Test func tagsWithoutAValueAreLeftOut() {
        let series = Series.testing("m", .gauge, [("a", ""), ("", "b"), ("c", #"\"#), ("d", "e")])
        var encoder = InfluxLineEncoder()
        #expect(encoder.text(.of([(series, .signed(1))], host: "")).hasPrefix("m,d=e value=1i "))
    }

    @Test func aTagNameOccursOnce() {
        let series = Series.testing(
            "m", .gauge, [("host", "attribute"), ("site", "attribute")], labels: [("site", "label")])
        var encoder = InfluxLineEncoder()
        #expect(encoder.text(.of([(series, .signed(1))])).hasPrefix("m,host=attribute,site=attribute value=1i "))
    }

    @Test func anyTextStaysWithinItsLine() {
        var random = SeededGenerator(seed: 13)
        var encoder = InfluxLineEncoder()
        for id in 1..<300 {
            let texts = (0..<4).map { _ in random.text() }
            let series = Series.testing("m" + texts[0], .gauge, [(texts[1], texts[2])], id: UInt64(id))
            let line = encoder.text(.of([(series, .signed(1))], host: texts[3]))
            guard !line.isEmpty else {
                #expect(texts.joined().unicodeScalars.contains { $0 == "\n" || $0 == "\r" })
                continue
            }
            #expect(line.utf8.count(where: { $0 == 0x0a }) == 1)
            #expect(Self.separators(in: line) == 2)
        }
    }

    /// Spaces without a backslash before them, as a parser that looks one byte back counts them.
    private static func separators(in line: String) -> Int {
        zip(line.utf8, line.utf8.dropFirst()).count { $0 != 0x5c && $1 == 0x20 }
    }
}
