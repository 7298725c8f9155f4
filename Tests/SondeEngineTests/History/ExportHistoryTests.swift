import SondeDomain
import SondeEngine
import SondeFormats
import SondeTestKit
import Testing

@Suite struct ExportHistoryTests {
    private let clock = ManualClock()

    /// A use case over so many series, each of which was read for half an hour.
    private func export(series count: Int) -> ExportHistory {
        let record = RecordHistory(
            store: InMemoryHistoryStore(units: count), clock: clock, log: RecordingLog())
        for _ in 0..<360 {
            clock.advance(by: .seconds(5))
            record.take(
                (0..<count).map { number in
                    .init(
                        series: HistorySeries(.connectionsTCP, member: "s\(number)", source: "kernel"), rank: .standard,
                        observation: HistoryObservation(
                            .held(Double(number), peak: nil), at: clock.wallTime, held: .seconds(5)))
                })
            if clock.wallTime.nanoseconds / 1_000_000_000 % 60 == 0 { _ = record.commit() }
        }
        return ExportHistory(record, host: "h")
    }

    private func whole(_ export: ExportHistory, _ format: HistoryFormat) throws -> (text: String, pages: Int) {
        let query = HistoryQuery(range: HistoryRange(.seconds(3_600), before: clock.wallTime), asked: clock.wallTime)
        var (bytes, pages): ([UInt8], Int) = ([], 0)
        var cursor: ExportHistory.Cursor?
        repeat {
            let page = try export(query, format, after: cursor)
            bytes += page.bytes
            pages += 1
            cursor = page.next
            #expect(page.done <= page.count)
        } while cursor != nil
        return (String(decoding: bytes, as: UTF8.self), pages)
    }

    @Test func thePagesOfAFileAreOneFile() throws {
        let export = export(series: 30)
        let json = try whole(export, .json)
        #expect(json.pages > 2)
        let points = try #require(try JSONReader.parse(json.text)["points"]?.asArray)
        #expect(points.count == 30 * 360)
        let lines = try whole(export, .ndjson).text.split(separator: "\n")
        #expect(lines.count == points.count)
        #expect(try whole(export, .csv).text.split(separator: "\n").count == points.count + 1)
    }

    @Test func aFamilyOfOpenMetricsStandsTogetherOverPages() throws {
        let text = try whole(export(series: 30), .prometheus)
        #expect(text.pages > 2)
        let heads = text.text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
        #expect(Set(heads).count == heads.count)
        #expect(text.text.hasSuffix("# EOF\n"))
        let samples = text.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        // Average, minimum, maximum and last; there is no peak and no quantile of these.
        #expect(samples.count == 30 * 360 * 4)
    }

    @Test func anEmptyRangeIsAWholeFileWithoutPoints() throws {
        let export = export(series: 1)
        let future = HistoryRange(from: Timestamp(nanoseconds: .max - 5), to: Timestamp(nanoseconds: .max))
        let page = try export(HistoryQuery(range: future, asked: clock.wallTime), .json)
        #expect(page.next == nil)
        #expect(try JSONReader.parse(page.bytes)["points"]?.asArray == [])
    }
}
