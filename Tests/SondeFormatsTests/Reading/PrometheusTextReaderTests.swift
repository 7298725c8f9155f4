import SondeDomain
import SondeTestKit
import Testing

@testable import SondeFormats

@Suite struct PrometheusTextReaderTests {
    private func read(_ text: String) -> (points: [LinePoint], flaws: [String]) {
        var reader = PrometheusTextReader()
        var result: (points: [LinePoint], flaws: [String]) = ([], [])
        for line in text.split(separator: "\n") {
            do throws(LineFlaw) {
                if let point = try reader.point(Array(line.utf8)[...]) { result.points.append(point) }
            } catch {
                result.flaws.append(error.reason)
            }
        }
        let last = reader.finish()
        return (result.points + last.points, result.flaws + last.flaws.map(\.reason))
    }

    @Test func typeHelpAndUnitAreOfTheFamily() throws {
        let (points, flaws) = read(
            """
            # HELP node_receive_bytes_total What came.
            # TYPE node_receive_bytes_total counter
            node_receive_bytes_total{device="eth0",alias=""} 12 1767225600000
            # TYPE temperature gauge
            # UNIT temperature celsius
            temperature{room="a \\"b\\" \\\\c"} -1.5
            nothing_said 3
            """)
        #expect(flaws == [])
        #expect(
            points.map(\.series) == [
                SeriesSpecification(
                    name: "node_receive_bytes_total", kind: .counter, unit: "By",
                    attributes: [Attribute("device", "eth0")], meaning: "What came."),
                SeriesSpecification(
                    name: "temperature", kind: .gauge, unit: "Cel", attributes: [Attribute("room", "a \"b\" \\c")]),
                SeriesSpecification(name: "nothing_said", kind: .gauge, unit: ""),
            ])
        #expect(points.map(\.value) == [.signed(12), .double(-1.5), .signed(3)])
        #expect(points[0].time == newYear)
    }

    @Test func aBucketWithoutABoundMakesNoPointOfItsOwn() {
        let text =
            "# TYPE h histogram\nh_bucket 1\nh_bucket 1\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 2\nh_count 2"
        let (points, flaws) = read(text)
        #expect(flaws.count == 2 && points.count == 1)
    }

    @Test func aHistogramIsOnePoint() throws {
        let (points, flaws) = read(
            """
            # TYPE duration_seconds histogram
            duration_seconds_bucket{path="/",le="0.1"} 2
            duration_seconds_bucket{path="/",le="1"} 5
            duration_seconds_bucket{path="/",le="+Inf"} 6
            duration_seconds_sum{path="/"} 3.5
            duration_seconds_count{path="/"} 6
            duration_seconds_created{path="/"} 1.7e9
            """)
        #expect(flaws == [])
        let point = try #require(points.first)
        #expect(points.count == 1)
        #expect(point.series.kind == .histogram)
        #expect(point.series.unit == "s")
        #expect(point.series.attributes == [Attribute("path", "/")])
        #expect(point.value == HistogramValue(bounds: [0.1, 1], counts: [2, 3, 1], sum: 3.5).map { .histogram($0) })
    }

    @Test func aSummaryIsItsPartsAndAnInfoIsOne() {
        let (points, flaws) = read(
            """
            # TYPE rpc summary
            rpc{quantile="0.5"} 0.2
            rpc{quantile="0.9"} NaN
            rpc_sum 10
            rpc_count 4
            # TYPE build info
            build_info{version="1"} 1
            # TYPE c counter
            c_total 1.0 1767225600.5 # {trace="x"} 1
            # EOF
            """)
        #expect(flaws == [])
        #expect(points.map(\.series.name) == ["rpc", "rpc_sum", "rpc_count", "build_info", "c_total"])
        #expect(points.map(\.series.kind) == [.gauge, .counter, .counter, .info, .counter])
        #expect(points[4].time == Timestamp(nanoseconds: 1_767_225_600_500_000_000))
    }

    @Test func whatSondeWritesIsRead() {
        var encoder = PrometheusTextEncoder()
        let histogram = HistogramValue(bounds: [0.5, 2], counts: [1, 0, 4], sum: 9).map { SampleValue.histogram($0) }
        let text = encoder.text(
            .of(
                [
                    (.testing("a.io", .counter, unit: "By", [("d", "x,y")]), .unsigned(7)),
                    (.testing("a.wait", .histogram, unit: "s", id: 2), histogram ?? .ended),
                ], host: nil))
        let (points, flaws) = read(text)
        #expect(flaws == [])
        #expect(points.map(\.series.name) == ["a_io_bytes_total", "a_wait_seconds"])
        #expect(points.map(\.value) == [.signed(7), histogram])
    }

    @Test(arguments: [
        ("1a 2", "has no name where one belongs"), ("a", "has no value that is a number"),
        ("a{b=\"c\" 1", "has labels without an end"), ("a{b=c} 1", "has a label without a value"),
        ("a x", "has no value that is a number"), ("a +Inf", "has no value that is a number"),
        ("a 1 x", "has a time that is none"),
        ("a 1 1e300", "has a time that is none"), ("a{b=\"1\",b=\"2\"} 1", "has an attribute twice"),
        ("# TYPE h histogram\nh_bucket 1", "is a bucket without a bound"),
        ("# TYPE h histogram\nh_bucket{le=\"1\"} -1", "is a count that is none"),
        ("# TYPE h histogram\nh_bucket{le=\"1\"} 5\nh_count 3", "h: buckets are not cumulated"),
        ("# TYPE h histogram\nh_bucket{le=\"1\"} 5\nh_bucket{le=\"1\"} 5", "h: buckets do not fit together"),
    ])
    func aBrokenTextHasAReason(_ text: String, _ reason: String) {
        #expect(read(text).flaws == [reason])
    }

    @Test func noBytesMakeItTrap() {
        var random = SeededGenerator(seed: 20)
        let pieces = [
            "# TYPE h histogram", "# TYPE h", "#", "h_bucket{le=\"1\"}", "h_count", "18446744073709551615", "1e308",
            "-9",
            "{", "}", "\"", "\\", "=", ",", " ", "\u{0}", "\n",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<9, using: &random)
            _ = read((0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined())
        }
    }
}
