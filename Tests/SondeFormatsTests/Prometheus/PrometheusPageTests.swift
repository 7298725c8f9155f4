import Foundation
import SondeDomain
import Testing

@testable import SondeFormats

@Suite struct PrometheusPageTests {
    private func text(
        _ page: PrometheusPage, _ style: PrometheusPageStyle = PrometheusPageStyle(), only names: [String] = []
    ) -> String {
        var buffer = ByteBuffer()
        let filter = GlobFilter(include: names, exclude: [])
        page.write(style, into: &buffer, where: { family, _ in filter.passes(family) })
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// A series with a number of its own, as the agent gives them; the same for the same name, kind and attributes.
    private func series(
        _ name: String, _ kind: MetricKind = .gauge, unit: String = "", _ attributes: [(String, String)] = [],
        twin: Int = 0
    ) -> Series {
        let text = "\(name) \(kind) \(attributes) \(twin)"
        return .testing(name, kind, unit: unit, attributes, id: UInt64(UInt(bitPattern: text.hashValue)))
    }

    private func second(_ number: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: number * 1_000_000_000)
    }

    private func batch(_ name: String, _ interface: String, _ value: SampleValue, at seconds: Int64 = 0) -> Batch {
        let series = series(name, .counter, unit: "By", [("network.interface.name", interface)])
        return .of([(series, value)], time: Timestamp(seconds: newYear.nanoseconds / 1_000_000_000 + seconds))
    }

    @Test func eachFamilyStandsOnceWithTheLastPointOfEachSeries() {
        var page = PrometheusPage()
        #expect(page.take(batch("system.network.io", "lo", .unsigned(1)), at: second(0)) == 0)
        #expect(page.take(batch("system.network.errors", "lo", .unsigned(5)), at: second(0)) == 0)
        #expect(page.take(batch("system.network.io", "eth0", .unsigned(2), at: 10), at: second(10)) == 0)
        // The clock was set back: what was committed last is the last.
        #expect(page.take(batch("system.network.io", "lo", .unsigned(3), at: -3_600), at: second(10)) == 0)
        #expect(
            text(page) == """
                # HELP system_network_errors_bytes_total system.network.errors in By
                # TYPE system_network_errors_bytes_total counter
                system_network_errors_bytes_total{host="h",network_interface_name="lo"} 5
                # HELP system_network_io_bytes_total system.network.io in By
                # TYPE system_network_io_bytes_total counter
                system_network_io_bytes_total{host="h",network_interface_name="eth0"} 2
                system_network_io_bytes_total{host="h",network_interface_name="lo"} 3

                """)
        #expect(text(page, only: ["*_errors_*"]).split(separator: "\n").count == 3)
    }

    /// There is a point of one once a minute.
    @Test func anInfoMetricStaysTwoMinutesAtLeast() {
        var page = PrometheusPage(staleness: .seconds(1))
        _ = page.take(.of([(series("sonde.agent.build", .info), .unsigned(1))]), at: second(0))
        _ = page.take(batch("system.network.io", "lo", .unsigned(2), at: 60), at: second(60))
        #expect(text(page).contains("sonde_agent_build_info"))
        page.forgetSilent(at: second(121))
        #expect(text(page) == "")
    }

    @Test func aSeriesThatIsSilentLeavesThePage() {
        var page = PrometheusPage(staleness: .seconds(60))
        _ = page.take(batch("system.network.io", "veth7", .unsigned(1)), at: second(0))
        _ = page.take(batch("system.network.io", "lo", .unsigned(2), at: 60), at: second(60))
        #expect(text(page).contains("veth7"))
        _ = page.take(batch("system.network.io", "lo", .unsigned(3), at: 61), at: second(61))
        #expect(!text(page).contains("veth7") && text(page).contains("lo"))
        page.forgetSilent(at: second(122))
        #expect(text(page).isEmpty && page.count == 0)
    }

    @Test func aSeriesThatHasEndedLeavesThePageAtOnceAndMayReturn() {
        var page = PrometheusPage()
        let series = series("system.network.io", .counter, unit: "By", [("network.interface.name", "veth7")])
        _ = page.take(.of([(series, .unsigned(1))]), at: second(0))
        #expect(page.take(.of([(series, .ended)]), at: second(1)) == 0)
        #expect(text(page).isEmpty)
        _ = page.take(.of([(series, .unsigned(2)), (series, .ended), (series, .unsigned(3))]), at: second(2))
        #expect(text(page).hasSuffix("} 3\n") && page.count == 1)
    }

    @Test func twoSourcesWithEqualSeriesHaveOneLine() {
        var page = PrometheusPage()
        let (first, second) = (series("test.level"), series("test.level", twin: 1))
        #expect(first.id != second.id)
        _ = page.take(.of([(first, .unsigned(1)), (second, .unsigned(2))]), at: self.second(0))
        #expect(text(page).hasSuffix("test_level{host=\"h\"} 2\n") && page.count == 1)
        // The end of the one that no longer owns the line is none of the other.
        _ = page.take(.of([(first, .ended)]), at: self.second(1))
        #expect(page.count == 1)
        _ = page.take(.of([(first, .unsigned(5))]), at: self.second(2))
        #expect(text(page).hasSuffix(" 5\n") && page.count == 1)
    }

    @Test func whatCannotBeSaidIsCountedAndThePageIsBounded() {
        var page = PrometheusPage()
        #expect(page.take(batch("system.network.io", "lo", .double(.nan)), at: second(0)) == 1)
        #expect(page.take(batch("…", "lo", .unsigned(1)), at: second(0)) == 1)
        let many = (0...PrometheusPage.bound).map { number in
            (series: series("test.many", .gauge, [("n", "\(number)")]), value: SampleValue.unsigned(1))
        }
        #expect(page.take(.of(many), at: second(0)) == 1)
        #expect(page.take(batch("system.network.io", "lo", .unsigned(1)), at: second(0)) == 1)
        #expect(!text(page).contains("system_network_io"))
    }

    @Test(arguments: [true, false])
    func aNameThatAHistogramHasForItsSamplesIsTaken(histogramFirst: Bool) throws {
        var page = PrometheusPage()
        let histogram = try #require(HistogramValue(bounds: [1], counts: [1, 1], sum: 0.5))
        let one = (series("h", .histogram), SampleValue.histogram(histogram))
        let other = (series("h_sum", .gauge), SampleValue.unsigned(7))
        #expect(page.take(.of(histogramFirst ? [one, other] : [other, one]), at: second(0)) == 1)
        #expect(text(page).contains("# TYPE h histogram") == histogramFirst)
    }

    @Test func seriesThatComeAndGoLeaveNothingBehind() {
        var page = PrometheusPage(staleness: .seconds(10))
        for number in 0..<20_000 {
            let series = series("test.many", .gauge, [("n", String(repeating: "x", count: 50) + "\(number)")])
            _ = page.take(.of([(series, .unsigned(UInt64(number)))]), at: second(Int64(number)))
        }
        #expect(page.count == 11)
        let lines = text(page).split(separator: "\n").dropFirst(2)
        #expect(lines.first?.hasSuffix(" 19989") == true && lines.last?.hasSuffix(" 19999") == true)
        #expect(page.arena.count < 200_000)
    }

    @Test func theMemoryOfABurstIsGivenBack() {
        var page = PrometheusPage()
        func value(_ number: Int, _ value: SampleValue) -> (Series, SampleValue) {
            (series("test.\(number % 3)", .gauge, [("n", "\(number)")]), value)
        }
        let burst = 0..<3_000
        #expect(page.take(.of(burst.map { value($0, .unsigned(UInt64($0))) }), at: second(0)) == 0)
        let gone = burst.filter { $0 % 10 != 9 }
        #expect(page.take(.of(gone.map { value($0, .ended) }), at: second(1)) == 0)
        #expect((page.count, page.samples.count) == (300, 300))
        // Those that stay keep their values, and get new ones in their places.
        let last = burst.filter { $0 % 10 == 9 }.map { value($0, .unsigned(UInt64($0) + 1)) }
        #expect(page.take(.of(Array(last.dropFirst())), at: second(2)) == 0)
        var other = PrometheusPage()
        _ = other.take(.of([value(9, .unsigned(9))] + last.dropFirst()), at: second(2))
        #expect((page.count, page.samples.count) == (300, 300))
        #expect(text(page) == text(other))
    }

    @Test func openMetricsHasUnitsInfosStartsAndAnEnd() throws {
        var page = PrometheusPage()
        let histogram = try #require(HistogramValue(bounds: [0.5], counts: [1, 1], sum: 0.5))
        let start = Timestamp(seconds: 1_767_225_600)
        let time = Timestamp(nanoseconds: 1_767_225_610_045_000_000)
        let all: [(Series, SampleValue)] = [
            (series("system.network.io", .counter, unit: "By"), .unsigned(1)),
            (series("sonde.build", .info, [("version", "1.\"0")]), .unsigned(1)),
            (series("sonde.load", .gauge, unit: "1"), .double(0.5)),
            (series("sonde.time", .histogram, unit: "s"), .histogram(histogram)),
            // Its name without `_total` is that of a gauge.
            (series("sonde.taken", .counter), .unsigned(3)), (series("sonde.taken", .gauge), .unsigned(2)),
        ]
        let batch = Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 6), sink: "s",
            series: all.map(\.0),
            entries: all.enumerated().map { index, pair in
                let hasStart = pair.0.kind == .counter || pair.0.kind == .histogram
                return Batch.Entry(
                    seriesIndex: index,
                    point: MetricPoint(
                        series: pair.0.id, time: time, start: hasStart ? start : nil, value: pair.1))
            })
        #expect(page.take(batch, at: second(0)) == 0)
        #expect(
            text(page, PrometheusPageStyle(.openMetrics, hasTimes: true, hasStarts: true)) == #"""
                # TYPE sonde_build info
                # HELP sonde_build sonde.build
                sonde_build_info{version="1.\"0"} 1 1767225610.045
                # TYPE sonde_load_ratio gauge
                # UNIT sonde_load_ratio ratio
                # HELP sonde_load_ratio sonde.load in 1
                sonde_load_ratio 0.5 1767225610.045
                # TYPE sonde_taken gauge
                # HELP sonde_taken sonde.taken
                sonde_taken 2 1767225610.045
                # TYPE sonde_taken_total unknown
                # HELP sonde_taken_total sonde.taken
                sonde_taken_total 3 1767225610.045
                # TYPE sonde_time_seconds histogram
                # UNIT sonde_time_seconds seconds
                # HELP sonde_time_seconds sonde.time in s
                sonde_time_seconds_bucket{le="0.5"} 1 1767225610.045
                sonde_time_seconds_bucket{le="+Inf"} 2 1767225610.045
                sonde_time_seconds_sum 0.5 1767225610.045
                sonde_time_seconds_count 2 1767225610.045
                sonde_time_seconds_created 1767225600.000
                # TYPE system_network_io_bytes counter
                # UNIT system_network_io_bytes bytes
                # HELP system_network_io_bytes system.network.io in By
                system_network_io_bytes_total 1 1767225610.045
                system_network_io_bytes_created 1767225600.000
                # EOF

                """#)
    }

    /// Of this machine, or beside the servers of `make servers`.
    private static let promtool: String? = {
        let environment = ProcessInfo.processInfo.environment
        let servers = environment["SONDE_SERVERS"] ?? "\(environment["HOME"] ?? ".")/.cache/sonde/servers"
        return ["/usr/bin/promtool", "\(servers)/programs/usr/bin/promtool"]
            .first(where: FileManager.default.isExecutableFile)
    }()

    @Test(.enabled(if: promtool != nil, "make servers"))
    func prometheusItselfAcceptsThePage() throws {
        var page = PrometheusPage()
        let histogram = try #require(HistogramValue(bounds: [0.1, 1], counts: [1, 1, 1], sum: 0.5))
        _ = page.take(batch("system.network.io", "lo", .unsigned(1)), at: second(0))
        _ = page.take(batch("system.network.io", "e\"\\\n", .unsigned(1), at: 10), at: second(0))
        let durations = series("sonde.dns.response.duration", .histogram, unit: "s")
        _ = page.take(.of([(durations, .histogram(histogram))]), at: second(0))
        _ = page.take(.of([(series("sonde.network.uplink", .info), .unsigned(1))]), at: second(0))
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.promtool))
        process.arguments = ["check", "metrics"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardError, process.standardOutput) = (input, output, output)
        try process.run()
        input.fileHandleForWriting.write(Data(text(page).utf8))
        try input.fileHandleForWriting.close()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
    }
}
