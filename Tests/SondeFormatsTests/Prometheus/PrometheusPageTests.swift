import Foundation
import SondeDomain
import SondeFormats
import Testing

@Suite struct PrometheusPageTests {
    private func text(_ page: PrometheusPage) -> String {
        var buffer = ByteBuffer()
        page.append(to: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    private func batch(_ name: String, _ interface: String, _ value: SampleValue, at seconds: Int64 = 0) -> Batch {
        let series = Series.testing(name, .counter, unit: "By", [("network.interface.name", interface)])
        return .of([(series, value)], time: Timestamp(seconds: newYear.nanoseconds / 1_000_000_000 + seconds))
    }

    @Test func eachFamilyStandsOnceWithTheNewestOfEachSeries() {
        var page = PrometheusPage()
        #expect(page.take(batch("system.network.io", "lo", .unsigned(1))) == 0)
        #expect(page.take(batch("system.network.errors", "lo", .unsigned(5))) == 0)
        #expect(page.take(batch("system.network.io", "eth0", .unsigned(2), at: 10)) == 0)
        #expect(page.take(batch("system.network.io", "lo", .unsigned(3), at: 10)) == 0)
        // Older than what is known.
        #expect(page.take(batch("system.network.io", "lo", .unsigned(1), at: 5)) == 0)
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
    }

    @Test func aSeriesThatIsSilentLeavesThePage() {
        var page = PrometheusPage()
        _ = page.take(batch("system.network.io", "veth7", .unsigned(1)))
        _ = page.take(batch("system.network.io", "lo", .unsigned(2), at: 300))
        #expect(text(page).contains("veth7"))
        _ = page.take(batch("system.network.io", "lo", .unsigned(3), at: 301))
        #expect(!text(page).contains("veth7") && text(page).contains("lo"))
    }

    @Test func whatCannotBeSaidIsCountedAndThePageIsBounded() {
        var page = PrometheusPage()
        #expect(page.take(batch("system.network.io", "lo", .double(.nan))) == 1)
        #expect(page.take(batch("…", "lo", .unsigned(1))) == 1)
        let many = (0...PrometheusPage.bound).map { number in
            (series: Series.testing("test.many", .gauge, [("n", "\(number)")]), value: SampleValue.unsigned(1))
        }
        #expect(page.take(.of(many)) == 1)
        #expect(page.take(batch("system.network.io", "lo", .unsigned(1))) == 1)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/promtool"), "promtool is not installed"))
    func prometheusItselfAcceptsThePage() throws {
        var page = PrometheusPage()
        let histogram = try #require(HistogramValue(bounds: [0.1, 1], counts: [1, 1, 1], sum: 0.5))
        _ = page.take(batch("system.network.io", "lo", .unsigned(1)))
        _ = page.take(batch("system.network.io", "e\"\\\n", .unsigned(1), at: 10))
        let durations = Series.testing("sonde.dns.response.duration", .histogram, unit: "s")
        _ = page.take(.of([(durations, .histogram(histogram))]))
        _ = page.take(.of([(Series.testing("sonde.network.uplink", .info), .unsigned(1))]))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/promtool")
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
