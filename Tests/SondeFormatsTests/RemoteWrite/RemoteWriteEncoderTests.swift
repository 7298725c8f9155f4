import SondeDomain
import SondeTestKit
import Testing

@testable import SondeFormats

/// Both versions of remote write, read back by a reader of the wire format.
struct RemoteWriteEncoderTests {
    private static let time: Int64 = 1_767_225_600_000
    private static let stale: UInt64 = 0x7ff0_0000_0000_0002

    enum Version: CaseIterable {
        case one, two

        func encode(_ batch: Batch, _ report: UnsafeMutablePointer<EncodingReport>? = nil) throws -> WriteRequest {
            var buffer = ByteBuffer()
            switch self {
            case .one:
                var encoder = RemoteWriteEncoder()
                let encoded = encoder.encode(batch, into: &buffer)
                report?.pointee = encoded
                return try WriteRequest(one: buffer.bytes)
            case .two:
                var encoder = RemoteWrite2Encoder()
                let encoded = encoder.encode(batch, into: &buffer)
                report?.pointee = encoded
                return try WriteRequest(two: buffer.bytes)
            }
        }
    }

    @Test(arguments: Version.allCases)
    func labelsAreSortedAndTheNameIsThatOfPrometheus(_ version: Version) throws {
        let series = Series.testing(
            "system.network.io", .counter, unit: "By", [("network.interface.name", "lo"), ("Zone", "z")],
            labels: [("site", "fra1"), ("job", "own"), ("empty", "")])
        let request = try version.encode(.of([(series, .unsigned(3))]))
        let labels = [
            ["Zone", "z"], ["__name__", "system_network_io_bytes_total"], ["exported_job", "own"], ["host", "h"],
            ["instance", "h"], ["job", "sonde"], ["network_interface_name", "lo"], ["site", "fra1"],
        ]
        #expect(request.series.map(\.labels) == [labels])
        #expect(request.series[0].samples.map(\.value) == [(3.0).bitPattern])
        #expect(request.series[0].samples.map(\.time) == [Self.time])
    }

    @Test(arguments: Version.allCases)
    func aHistogramIsItsBucketsCountAndSum(_ version: Version) throws {
        let value = try #require(HistogramValue(bounds: [0.5, 1], counts: [1, 2, 3], sum: 4.5))
        let request = try version.encode(
            .of([(.testing("a.time", .histogram, unit: "s"), .histogram(value))], host: nil))
        let values = Dictionary(
            uniqueKeysWithValues: request.series.map { ($0.text, Double(bitPattern: $0.samples[0].value)) })
        #expect(
            values == [
                #"a_time_seconds_bucket{job="sonde",le="0.5"}"#: 1, #"a_time_seconds_bucket{job="sonde",le="1"}"#: 3,
                #"a_time_seconds_bucket{job="sonde",le="+Inf"}"#: 6, #"a_time_seconds_count{job="sonde"}"#: 6,
                #"a_time_seconds_sum{job="sonde"}"#: 4.5,
            ])
    }

    @Test(arguments: Version.allCases)
    func severalHistogramsOfASeriesAreCumulatedEach(_ version: Version) throws {
        let first = try #require(HistogramValue(bounds: [1, 2], counts: [1, 2, 3], sum: nil))
        let second = try #require(HistogramValue(bounds: [1, 2], counts: [10, 20, 30], sum: nil))
        let other = try #require(HistogramValue(bounds: [5], counts: [7, 8], sum: nil))
        let points: [(Int64, SampleValue)] = [(0, .histogram(first)), (1, .histogram(second)), (2, .histogram(other))]
        let request = try version.encode(.of(.testing("a", .histogram), points))
        let values = request.series.map { series in
            series.samples.map { Int(Double(bitPattern: $0.value)) }
        }
        // 1, 2, +Inf and the count of two, then 5, +Inf and the count of one.
        #expect(values == [[1, 10], [3, 30], [6, 60], [6, 60], [7], [15], [15]])
    }

    @Test(arguments: Version.allCases)
    func anEndIsAStaleMarkerAfterTheLastSample(_ version: Version) throws {
        let series = Series.testing("a", .gauge)
        let batch = Batch.of(series, [(0, .double(1)), (0, .ended)])
        let request = try version.encode(batch)
        #expect(request.series.map { $0.samples.map(\.value) } == [[(1.0).bitPattern, Self.stale]])
        #expect(request.series.map { $0.samples.map(\.time) } == [[Self.time, Self.time + 1]])
    }

    @Test(arguments: Version.allCases)
    func anEndOfAHistogramEndsEachOfItsSeries(_ version: Version) throws {
        let value = try #require(HistogramValue(bounds: [0.5], counts: [1, 2], sum: 4.5))
        let batch = Batch.of(.testing("a", .histogram), [(0, .histogram(value)), (1, .ended)])
        let request = try version.encode(batch)
        #expect(request.series.count == 4)
        for series in request.series { #expect(series.samples.map(\.value).last == Self.stale) }
    }

    @Test(arguments: Version.allCases)
    func samplesAreInTimeOrderAndOnePerMillisecond(_ version: Version) throws {
        var report = EncodingReport()
        let batch = Batch.of(.testing("a"), [(5, .double(5)), (2, .double(2)), (5, .double(6)), (9, .double(9))])
        let request = try version.encode(batch, &report)
        #expect(request.series.flatMap(\.samples).map(\.time) == [Self.time + 2, Self.time + 5, Self.time + 9])
        #expect(request.series.flatMap(\.samples).map(\.value) == [2.0, 6, 9].map(\.bitPattern))
        #expect(report == EncodingReport(lines: 3, leftOut: 1))
    }

    /// Series in the order in which a source might report them, with as many labels and values as there are reasons to sort.
    private func mixed(_ count: Int) -> Batch {
        .of(
            (0..<count).map { index in
                let series = Series.testing(
                    "a.metric\(index)", index % 3 == 0 ? .counter : .gauge, unit: index % 4 == 0 ? "By" : "",
                    index % 2 == 0 ? [("lane", "\(index % 7)")] : [], id: UInt64(index + 1))
                return (series, .unsigned(UInt64(index % 5)))
            }, start: Timestamp(seconds: 1_767_225_000))
    }

    @Test func fewSeriesAreSortedByWhatTheyHaveInCommon() throws {
        let request = try Version.two.encode(mixed(60))
        let keys = request.series.map { series in
            (
                series.created, series.unit.isEmpty ? 0 : 1, Double(bitPattern: series.samples[0].value),
                series.labels.count
            )
        }
        for (one, next) in zip(keys, keys.dropFirst()) { #expect(one <= next) }
        // None is lost or changed by it.
        let one = try Version.one.encode(mixed(60))
        #expect(Set(request.series.map(\.text)) == Set(one.series.map(\.text)))
        #expect(request.series.count == 60)
    }

    @Test func manySeriesStayInTheOrderOfTheBatch() throws {
        let (one, two) = (try Version.one.encode(mixed(1_001)), try Version.two.encode(mixed(1_001)))
        #expect(two.series.map(\.text) == one.series.map(\.text))
    }

    @Test func theOrderDependsOnTheBatchAlone() {
        var (used, new) = (RemoteWrite2Encoder(), RemoteWrite2Encoder())
        var (first, second, third) = (ByteBuffer(), ByteBuffer(), ByteBuffer())
        // What was sent before numbers series and texts differently.
        _ = used.encode(.of([(.testing("z", .gauge, id: 1_000), .unsigned(1))]), into: &first)
        _ = used.encode(mixed(60), into: &second)
        _ = new.encode(mixed(60), into: &third)
        #expect(second.bytes == third.bytes)
    }

    @Test func theStartOfACounterIsInBothFieldsOfTwo() throws {
        let start = Timestamp(seconds: 1_767_225_000)
        let counter = try Version.two.encode(.of([(.testing("a", .counter), .unsigned(1))], start: start))
        #expect(counter.series[0].created == 1_767_225_000_000)
        #expect(counter.series[0].samples[0].start == 1_767_225_000_000)
        let gauge = try Version.two.encode(.of([(.testing("a", .gauge), .unsigned(1))], start: start))
        #expect(gauge.series[0].created == 0)
    }

    @Test func aNewStartBeginsAnotherEntryOfTwo() throws {
        let series = Series.testing("a", .counter)
        let starts = [Timestamp(seconds: 1_767_225_000), Timestamp(seconds: 1_767_225_600)]
        let entries = starts.enumerated().map { index, start in
            Batch.Entry(
                seriesIndex: 0,
                point: MetricPoint(
                    series: series.id, time: Timestamp(seconds: 1_767_225_600 + Int64(index)), start: start,
                    value: .unsigned(1)))
        }
        let batch = Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 2), sink: "s", series: [series],
            entries: entries)
        let request = try Version.two.encode(batch)
        #expect(request.series.map(\.created) == [1_767_225_000_000, 1_767_225_600_000])
        #expect(request.series[0].labels == request.series[1].labels)
    }

    @Test func metadataSaysTypeUnitAndMeaning() throws {
        let series = Series(
            id: SeriesID(rawValue: 1), source: "kernel", name: "a.io", kind: .counter, unit: "By",
            meaning: "Bytes that went.")
        var one = RemoteWriteEncoder()
        var two = RemoteWrite2Encoder()
        var metadata: [[String]] = []
        var entries: [WriteRequest.TimeSeries] = []
        // The help is in one request of ten minutes.
        for minute in 0..<10 {
            let point = MetricPoint(
                series: series.id, time: Timestamp(seconds: 1_767_225_600 + Int64(minute) * 60), start: nil,
                value: .unsigned(1))
            let batch = Batch(
                identity: BatchIdentity(agent: "a", epoch: "e", first: UInt64(minute), last: UInt64(minute)), sink: "s",
                series: [series], entries: [Batch.Entry(seriesIndex: 0, point: point)])
            var (first, second) = (ByteBuffer(), ByteBuffer())
            _ = one.encode(batch, into: &first)
            _ = two.encode(batch, into: &second)
            metadata += try WriteRequest(one: first.bytes).metadata
            entries += try WriteRequest(two: second.bytes).series
        }
        #expect(metadata == [["1", "a_io_bytes_total", "Bytes that went.", "bytes"]])
        #expect(entries.map(\.help).filter { !$0.isEmpty } == ["Bytes that went."])
        #expect(entries.map(\.type) == Array(repeating: 1, count: 10))
        #expect(entries.map(\.unit) == Array(repeating: "bytes", count: 10))
    }

    @Test(arguments: Version.allCases)
    func whatHasNoNameOrTooManyLabelsIsLeftOutAndCounted(_ version: Version) throws {
        var report = EncodingReport()
        let many = (0..<30).map { ("label\($0)", "v") }
        let batch = Batch.of([
            (.testing("...", id: 1), .unsigned(1)), (.testing("a", .gauge, many, id: 2), .unsigned(1)),
            (.testing("b", id: 3), .unsigned(1)),
        ])
        #expect(try version.encode(batch, &report).series.map(\.text) == [#"b{host="h",instance="h",job="sonde"}"#])
        #expect(report == EncodingReport(lines: 1, leftOut: 2))
    }

    @Test func aLongValueIsCutAndEndsInAHashOfAllOfIt() {
        let long = String(repeating: "ä", count: 40_000)
        let cut = PrometheusSeries.bounded(long)
        #expect(cut.utf8.count <= PrometheusSeries.longestText)
        #expect(cut != PrometheusSeries.bounded(long + "b"))
        #expect(cut.hasPrefix("äää"))
        #expect(PrometheusSeries.bounded("short") == "short")
    }

    @Test(arguments: Version.allCases)
    func aBatchThatIsOfferedAgainIsTheSameBytes(_ version: Version) throws {
        let first = Batch.of([(.testing("a", .counter, id: 1), .unsigned(1)), (.testing("b", id: 2), .double(1))])
        let second = Batch.of([(.testing("c", id: 3), .double(2)), (.testing("a", .counter, id: 1), .unsigned(2))])
        func bytes(_ batches: [Batch]) -> [UInt8] {
            var one = RemoteWriteEncoder()
            var two = RemoteWrite2Encoder()
            var buffer = ByteBuffer()
            for batch in batches {
                buffer.removeAll()
                _ = version == .one ? one.encode(batch, into: &buffer) : two.encode(batch, into: &buffer)
            }
            return buffer.bytes
        }
        #expect(bytes([second]) == bytes([first, second, second]))
        #expect(!bytes([second]).isEmpty)
    }

    @Test(arguments: Version.allCases)
    func anEndAndThenOtherBoundsAreTheSameBytesHoweverOftenTheyAreOffered(_ version: Version) throws {
        let value = try #require(HistogramValue(bounds: [0.5], counts: [1, 2], sum: 4.5))
        let other = try #require(HistogramValue(bounds: [5, 6], counts: [1, 2, 3], sum: 1))
        let series = Series.testing("a", .histogram)
        let first = Batch.of(series, [(0, .histogram(value))])
        let second = Batch.of(series, [(1, .ended), (2, .histogram(other))], first: 10)
        var one = RemoteWriteEncoder()
        var two = RemoteWrite2Encoder()
        func bytes(_ batch: Batch) -> [UInt8] {
            var buffer = ByteBuffer()
            _ = version == .one ? one.encode(batch, into: &buffer) : two.encode(batch, into: &buffer)
            return buffer.bytes
        }
        _ = bytes(first)
        let offered = bytes(second)
        let request = try version == .one ? WriteRequest(one: offered) : WriteRequest(two: offered)
        // The end of each series that the first one has, and no other.
        #expect(request.series.flatMap(\.samples).filter { $0.value == Self.stale }.count == 4)
        #expect(bytes(second) == offered)
        #expect(bytes(second) == offered)
    }

    @Test(arguments: Version.allCases)
    func theMeaningIsInOneRequestEveryTenMinutes(_ version: Version) throws {
        var one = RemoteWriteEncoder()
        var two = RemoteWrite2Encoder()
        func meanings(_ sequence: UInt64, _ name: String, after seconds: Int64) throws -> [String] {
            let series = Series(
                id: SeriesID(rawValue: name == "a" ? 1 : 2), source: "kernel", name: name, kind: .gauge, unit: "By",
                meaning: "What \(name) is.")
            let point = MetricPoint(
                series: series.id, time: Timestamp(seconds: 1_767_225_600 + seconds), value: .unsigned(1))
            let batch = Batch(
                identity: BatchIdentity(agent: "a", epoch: "e", first: sequence, last: sequence), sink: "s",
                series: [series], entries: [Batch.Entry(seriesIndex: 0, point: point)])
            var buffer = ByteBuffer()
            if version == .one {
                _ = one.encode(batch, into: &buffer)
                return try WriteRequest(one: buffer.bytes).metadata.map { $0[2] }
            }
            _ = two.encode(batch, into: &buffer)
            let request = try WriteRequest(two: buffer.bytes)
            #expect(request.series.map(\.type) == [2])
            #expect(request.series.map(\.unit) == ["bytes"])
            return request.series.map(\.help).filter { !$0.isEmpty }
        }
        var sent: [String: [Int64]] = ["a": [], "b": []]
        for tick in 0..<180 as Range<Int64> {
            for (index, name) in ["a", "b"].enumerated() {
                let sequence = UInt64(tick * 2) + UInt64(index) + 1
                let found = try meanings(sequence, name, after: tick * 10)
                guard !found.isEmpty else { continue }
                #expect(found == ["What \(name) is."])
                sent[name]?.append(tick * 10)
                // Offered again it is the same.
                #expect(try meanings(sequence, name, after: tick * 10) == found)
            }
        }
        for times in sent.values {
            #expect(times.count == 3)
            #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 == 600 })
        }
        #expect(sent["a"] != sent["b"])
        // The clock was set back: nobody knows how long ago the last one was.
        #expect(try meanings(1_000, "a", after: -50) == ["What a is."])
    }

    @Test func aBatchOfWhichNothingCanBeSaidHasNoBody() throws {
        let value = try #require(HistogramValue(bounds: [1], counts: [1, 0], sum: nil))
        let batch = Batch.of([(.testing("a", .gauge), .histogram(value))])
        var buffer = ByteBuffer()
        var one = RemoteWriteEncoder()
        var two = RemoteWrite2Encoder()
        #expect(one.encode(batch, into: &buffer) == EncodingReport(leftOut: 1))
        #expect(two.encode(batch, into: &buffer) == EncodingReport(leftOut: 1))
        #expect(buffer.isEmpty)
    }

    @Test func aBatchWithoutPointsHasNoBody() {
        var buffer = ByteBuffer()
        var one = RemoteWriteEncoder()
        var two = RemoteWrite2Encoder()
        let document = Document(schema: "s", time: newYear, json: Array("{}".utf8))
        #expect(one.encode(.of([], documents: [document]), into: &buffer).documentsLeftOut == 1)
        #expect(two.encode(.of([], documents: [document]), into: &buffer).documentsLeftOut == 1)
        #expect(buffer.isEmpty)
    }
}

extension Batch {
    /// Points of one series, at so many milliseconds after the new year.
    fileprivate static func of(_ series: Series, _ points: [(Int64, SampleValue)], first: UInt64 = 1) -> Batch {
        Batch(
            identity: BatchIdentity(agent: "agent", epoch: "epoch", first: first, last: first + 8), sink: "sink",
            series: [series],
            entries: points.map { offset, value in
                let time = Timestamp(nanoseconds: newYear.nanoseconds + offset * 1_000_000)
                return Entry(seriesIndex: 0, point: MetricPoint(series: series.id, time: time, value: value))
            })
    }
}
