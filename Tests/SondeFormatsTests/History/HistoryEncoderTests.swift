import SondeDomain
import SondeFormats
import Testing

@Suite struct HistoryEncoderTests {
    private let line = HistoryLine(
        HistorySeries(.bandwidthReceive, member: "eth0,\"x\"\n", source: "kernel"), step: .seconds(30),
        [
            HistoryLine.Point(
                Timestamp(seconds: 1_767_225_600),
                HistoryPoint(
                    average: 1.5, weight: 30_000_000, minimum: 1, maximum: 2, peak: nil, last: 2, count: 3)),
            HistoryLine.Point(
                Timestamp(seconds: 1_767_225_690),
                HistoryPoint(average: 7, weight: 1_000_000, minimum: 7, maximum: 7, peak: 9.25, last: 7, count: 1)),
        ])

    private func text(_ format: HistoryFormat, _ statistics: [HistoryStatistic?] = [nil]) -> String {
        var encoder = HistoryEncoder(format, host: "edge\\1")
        var buffer = ByteBuffer()
        encoder.begin(&buffer)
        for statistic in statistics { encoder.append(line, statistic, to: &buffer) }
        encoder.end(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test func valuesAreSeparatedByCommasAndWhatIsNotKnownIsEmpty() {
        #expect(
            text(.csv) == """
                time,step_seconds,metric,unit,member,source,average,minimum,maximum,peak,last,count,covered_seconds,\
                events,p50,p95,p99
                2026-01-01T00:00:00.000Z,30.0,bandwidth.receive,By/s,"eth0,""x""\n",kernel,1.5,1.0,2.0,,2.0,3,30.0,,,,
                2026-01-01T00:01:30.000Z,30.0,bandwidth.receive,By/s,"eth0,""x""\n",kernel,7.0,7.0,7.0,9.25,7.0,1,1.0,,,,

                """)
    }

    @Test func aLineOfJSONSaysWhatItIsAPointOf() throws {
        let lines = text(.ndjson).split(separator: "\n")
        #expect(lines.count == 2)
        let first = try JSONReader.parse(String(lines[0]))
        #expect(first["metric"]?.asString == "bandwidth.receive")
        #expect(first["interface"]?.asString == "eth0,\"x\"\n")
        #expect(first["peak"] == nil)
        #expect(first["covered_seconds"]?.asDouble == 30)
        #expect(try JSONReader.parse(String(lines[1]))["peak"]?.asDouble == 9.25)
    }

    @Test func allPointsAreOneObject() throws {
        #expect(try JSONReader.parse(text(.json))["points"]?.asArray?.count == 2)
    }

    @Test func openMetricsHasAFamilyForEachNumberAndTimesInSeconds() {
        #expect(
            text(.prometheus, [.average, .peak, .p50]) == #"""
                # TYPE sonde_history_bandwidth_receive_average_bytes_per_second gauge
                sonde_history_bandwidth_receive_average_bytes_per_second{host="edge\\1",interface="eth0,\"x\"\n",source="kernel"} 1.5 1767225600
                sonde_history_bandwidth_receive_average_bytes_per_second{host="edge\\1",interface="eth0,\"x\"\n",source="kernel"} 7.0 1767225690
                # TYPE sonde_history_bandwidth_receive_peak_bytes_per_second gauge
                sonde_history_bandwidth_receive_peak_bytes_per_second{host="edge\\1",interface="eth0,\"x\"\n",source="kernel"} 9.25 1767225690
                # EOF

                """#)
    }

    @Test func aDistributionTellsItsQuantilesAndCounts() throws {
        var point = HistoryPoint(0.002, weight: 10)
        point.latencies = LatencyCounts(counts: (0...18).map { $0 == 7 ? 10 : 0 })
        let line = HistoryLine(
            HistorySeries(.dnsLatency, source: "wire"), step: .seconds(5),
            [HistoryLine.Point(Timestamp(seconds: 1_767_225_600), point)])
        var encoder = HistoryEncoder(.ndjson, host: nil)
        var buffer = ByteBuffer()
        encoder.append(line, nil, to: &buffer)
        let value = try JSONReader.parse(String(decoding: buffer.bytes, as: UTF8.self))
        #expect(value["p50"]?.asDouble == 0.00175)
        #expect(value["events"]?.asUInt64 == 10)
        #expect(value["counts"]?.asArray?.count == 19)
        #expect(value["covered_seconds"] == nil)
    }
}
