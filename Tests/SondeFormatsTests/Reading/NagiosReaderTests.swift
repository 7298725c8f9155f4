import SondeDomain
import SondeTestKit
import Testing

@testable import SondeFormats

@Suite struct NagiosReaderTests {
    private func read(_ lines: String..., status: Int64 = 0) throws(LineFlaw) -> [LinePoint] {
        var reader = NagiosReader()
        for line in lines { try reader.take(Array(line.utf8)[...]) }
        return try reader.finish(status: status)
    }

    @Test func theStatusIsAGauge() throws {
        let points = try read("CRITICAL - all is lost", status: 2)
        #expect(points.map(\.series.name) == ["nagios.status"])
        #expect(points.map(\.value) == [.signed(2)])
    }

    @Test func performanceDataHaveANameForEachKindOfUnit() throws {
        let points = try read(
            "PING OK | rta=1.5ms;100;500;0; pl=20%;20;60 '/var x''s'=2MB;;;; n=7 hits=9c off=U",
            "long text", "more | /=5;1", "x=3s")
        #expect(
            points.dropFirst().map(\.series.name)
                == [
                    "nagios.perfdata.time", "nagios.perfdata.ratio", "nagios.perfdata.size", "nagios.perfdata.value",
                    "nagios.perfdata.count", "nagios.perfdata.value", "nagios.perfdata.time",
                ])
        #expect(
            points.dropFirst().map { $0.series.attributes[0].value } == [
                "rta", "pl", "/var x's", "n", "hits", "/", "x",
            ])
        #expect(points.dropFirst().map(\.value) == [0.0015, 0.2, 2_097_152, 7, 9, 5, 3].map { .double($0) })
        #expect(points.dropFirst().map(\.series.unit) == ["s", "1", "By", "", "", "", "s"])
    }

    @Test func aNumberMayHaveAnExponent() throws {
        let points = try read("x | a=1.5e-05s b=2E3B c=1e")
        #expect(points.dropFirst().map(\.value) == [1.5e-05, 2_000, 1].map { .double($0) })
        #expect(points.dropFirst().map(\.series.unit) == ["s", "By", ""])
    }

    @Test(arguments: [
        ("x | a", "has performance data without a value"), ("x | 'a", "has performance data without a value"),
        ("x | =1", "has a label that is none"), ("x | a=b", "has performance data without a number"),
        ("x | a=-1c", "a counter cannot be negative"), ("x | a=1,5s", "has performance data with a unit that is none"),
    ])
    func brokenDataHaveAReason(_ line: String, _ reason: String) {
        #expect(throws: LineFlaw(reason)) { try read(line) }
    }

    @Test func noBytesMakeItTrap() {
        var random = SeededGenerator(seed: 21)
        let bytes = Array("|'= a1;.%-\u{0}e".utf8) + [0xff]
        for _ in 0..<20_000 {
            var reader = NagiosReader()
            for _ in 0..<3 {
                let line = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                    bytes[Int.random(in: 0..<bytes.count, using: &random)]
                }
                try? reader.take(line[...])
            }
            _ = try? reader.finish(status: 0)
        }
    }
}
