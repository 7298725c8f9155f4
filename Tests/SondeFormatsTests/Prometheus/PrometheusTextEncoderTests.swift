import SondeDomain
import SondeFormats
import SondeTestKit
import Testing

struct PrometheusTextEncoderTests {
    private func io(_ interface: String, id: UInt64) -> Series {
        .testing(
            "system.network.io", .counter, unit: "By", [("network.interface.name", interface)],
            labels: [("site", "fra1")],
            id: id
        )
    }

    @Test func aFamilyStandsTogetherBehindItsType() {
        let up = Series.testing("sonde.network.interface.up", id: 2)
        var encoder = PrometheusTextEncoder()
        let text = encoder.text(
            .of([(io("lo", id: 1), .unsigned(.max)), (up, .signed(1)), (io("eth0", id: 3), .unsigned(5))]))
        #expect(
            text == """
                # TYPE system_network_io_bytes_total counter
                system_network_io_bytes_total{host="h",network_interface_name="lo",site="fra1"} 18446744073709551615 1767225600000
                system_network_io_bytes_total{host="h",network_interface_name="eth0",site="fra1"} 5 1767225600000
                # TYPE sonde_network_interface_up gauge
                sonde_network_interface_up{host="h"} 1 1767225600000

                """
        )
    }

    @Test func aHistogramIsCumulatedOverItsBuckets() throws {
        let histogram = try #require(HistogramValue(bounds: [0.5, 1], counts: [1, 2, 4], sum: 9.5))
        let series = Series.testing("d", .histogram, unit: "s", [("le", "mine")])
        var encoder = PrometheusTextEncoder()
        #expect(
            encoder.text(.of([(series, .histogram(histogram))], host: nil)) == """
                # TYPE d_seconds histogram
                d_seconds_bucket{exported_le="mine",le="0.5"} 1 1767225600000
                d_seconds_bucket{exported_le="mine",le="1"} 3 1767225600000
                d_seconds_bucket{exported_le="mine",le="+Inf"} 7 1767225600000
                d_seconds_sum{exported_le="mine"} 9.5 1767225600000
                d_seconds_count{exported_le="mine"} 7 1767225600000

                """
        )
    }

    @Test func anUnknownSumIsNotWritten() throws {
        let histogram = try #require(HistogramValue(bounds: [], counts: [2], sum: nil))
        var encoder = PrometheusTextEncoder()
        let text = encoder.text(.of([(.testing("d", .histogram), .histogram(histogram))], host: nil))
        #expect(try ExpositionText(text).samples.map(\.name) == ["d_bucket", "d_count"])
    }

    @Test func whatTheFormatCannotSayIsLeftOutAndCounted() throws {
        let histogram = try #require(HistogramValue(bounds: [], counts: [2], sum: nil))
        let points: [(Series, SampleValue)] = [
            (.testing("a", id: 1), .double(.nan)), (.testing("a", id: 2), .double(.infinity)),
            (.testing("…", id: 3), .signed(1)), (.testing("a", id: 4), .histogram(histogram)),
            (.testing("b", .histogram, id: 5), .signed(1)), (.testing("a", id: 6), .signed(1)),
            (.testing("a", .histogram, id: 7), .histogram(histogram)),
        ]
        let document = Document(schema: "s", time: newYear, json: Array("{}".utf8))
        var encoder = PrometheusTextEncoder()
        var buffer = ByteBuffer()
        let report = encoder.encode(.of(points, host: nil, documents: [document]), into: &buffer)
        #expect(report == EncodingReport(lines: 1, leftOut: 6, documentsLeftOut: 1))
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == "# TYPE a gauge\na 1 1767225600000\n")
    }

    @Test func aNameBelongsToTheFirstTypeOfEachBatchAnew() throws {
        let histogram = try #require(HistogramValue(bounds: [], counts: [2], sum: nil))
        let gauge = (Series.testing("a", id: 1), SampleValue.signed(1))
        let other = (Series.testing("a", .histogram, id: 2), SampleValue.histogram(histogram))
        var encoder = PrometheusTextEncoder()
        #expect(try ExpositionText(encoder.text(.of([gauge, other]))).types == ["a": "gauge"])
        #expect(try ExpositionText(encoder.text(.of([other, gauge]))).types == ["a": "histogram"])
    }

    @Test func labelNamesThatBecomeTheSameShareTheirValues() throws {
        let series = Series.testing("a", .gauge, [("b.c", "1"), ("b_c", "2"), ("9", "x"), ("__d", "y"), ("ü", "z")])
        var encoder = PrometheusTextEncoder()
        let text = try ExpositionText(encoder.text(.of([(series, .signed(1))], host: nil)))
        #expect(text.samples.map(\.labels) == [["b_c": "1;2", "key_9": "x", "_d": "y", "_": "z"]])
    }

    @Test func timesBeforeTheEpochRoundTowardsThePast() throws {
        var encoder = PrometheusTextEncoder()
        let text = encoder.text(.of([(.testing("a"), .signed(1))], time: Timestamp(nanoseconds: -1)))
        #expect(try ExpositionText(text).samples.map(\.time) == ["-1"])
    }

    @Test func severalPointsOfASeriesStayInOrder() throws {
        let series = io("lo", id: 1)
        let entries = (0..<3).map { step in
            let time = Timestamp(seconds: Int64(step))
            return Batch.Entry(seriesIndex: 0, point: MetricPoint(series: series.id, time: time, value: .signed(1)))
        }
        let identity = BatchIdentity(agent: "a", epoch: "e", first: 1, last: 3)
        let batch = Batch(identity: identity, sink: "s", series: [series], entries: entries)
        var encoder = PrometheusTextEncoder()
        #expect(try ExpositionText(encoder.text(batch)).samples.map(\.time) == ["0", "1000", "2000"])
    }

    @Test func anyTextIsReadBackByAnIndependentParser() throws {
        var random = SeededGenerator(seed: 17)
        var encoder = PrometheusTextEncoder()
        for round in 0..<40 {
            let points = (0..<20).map { index -> (Series, SampleValue) in
                let id = UInt64(round * 20 + index)
                return (
                    .testing("m" + random.text(), .gauge, [("v", random.text()), (random.text(), "x")], id: id),
                    .signed(1)
                )
            }
            let text = try ExpositionText(encoder.text(.of(points)))
            #expect(text.samples.count == 20)
            let wanted = points.map { $0.0.attribute("v") ?? "" }.filter { !$0.isEmpty }.sorted()
            #expect(text.samples.compactMap { $0.labels["v"] }.sorted() == wanted)
        }
    }
}
