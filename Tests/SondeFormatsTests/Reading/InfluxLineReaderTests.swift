import SondeDomain
import SondeTestKit
import Testing

@testable import SondeFormats

@Suite struct InfluxLineReaderTests {
    private func points(_ line: String) throws(LineFlaw) -> [LinePoint] {
        try InfluxLineReader.points(Array(line.utf8)[...])
    }

    @Test func eachFieldIsAGauge() throws {
        let points = try points(
            #"disk,path=/var\ lib,dev=a\=b free=12i,used=1.5e3,full=false,big=7u,note="a b,c" 1767225600000000000"#)
        #expect(points.map(\.series.name) == ["disk.free", "disk.used", "disk.full", "disk.big"])
        #expect(points.map(\.value) == [.signed(12), .double(1_500), .signed(0), .unsigned(7)])
        #expect(points.allSatisfy { $0.time == Timestamp(seconds: 1_767_225_600) })
        #expect(points[0].series.attributes == [Attribute("dev", "a=b"), Attribute("path", "/var lib")])
        #expect(points[0].series.kind == .gauge)
    }

    @Test func theFieldValueIsTheMeasurementItself() throws {
        #expect(try points("load value=1").map(\.series.name) == ["load"])
        #expect(try points("# a comment").isEmpty)
        #expect(try points(#"a b="only a string""#).isEmpty)
    }

    @Test func whatIsWrittenIsRead() throws {
        let series = Series.testing("a, b", .gauge, [("k e=y", "v,a\\lue"), ("z", "1")])
        var encoder = InfluxLineEncoder()
        let text = encoder.text(.of([(series, .double(-0.25))], host: nil))
        let read = try #require(try InfluxLineReader.points(Array(text.utf8).dropLast()).first)
        #expect(read.series.name == "a, b")
        #expect(read.series.attributes == series.attributes)
        #expect(read.time == newYear)
        #expect(read.value == .double(-0.25))
    }

    @Test(arguments: [
        ("", "has an empty name or value"), ("a", "has no fields"), ("a ", "has an empty name or value"),
        ("a b", "has a field without a value"), ("a b=", "has a field that is no number"),
        ("a b=nan", "has a field that is no number"), ("a b=0x10", "has a field that is no number"),
        ("a b=1 x", "has a time that is no number of nanoseconds"),
        ("a b=1 1 2", "has a time that is no number of nanoseconds"),
        ("a,b c=1", "has an empty name or value"), ("a,b= c=1", "has an empty name or value"),
        (#"a b="c"#, "has a string without an end"), ("a,b=1,b=2 c=1", "has an attribute twice"),
        ("a b=99999999999999999999i", "has a field that is no number"),
    ])
    func aBrokenLineHasAReason(_ line: String, _ reason: String) {
        let flaw = #expect(throws: LineFlaw.self) { try points(line) }
        #expect(flaw != nil)
        if line != "a,b c=1" { #expect(flaw?.reason == reason) }
    }

    @Test func aLineHasABoundOnItsFields() throws {
        let fields = (0..<257).map { "f\($0)=1" }.joined(separator: ",")
        #expect(throws: LineFlaw("has more than 256 fields")) { try points("a \(fields)") }
    }

    @Test func noBytesMakeItTrap() {
        var random = SeededGenerator(seed: 19)
        let pieces: [[UInt8]] = [
            Array("disk,a=b c=1i".utf8), [0], [0xff], [0x5c], [0x22], [0x2c], [0x3d], [0x20], Array("1e999".utf8),
            Array(#"{"name":"a","counts":[1,18446744073709551615],"bounds":[1]}"#.utf8),
        ]
        for _ in 0..<20_000 {
            let line = (0..<Int.random(in: 0..<8, using: &random)).flatMap { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }
            _ = try? InfluxLineReader.points(line[...])
            _ = try? JSONLineReader.point(JSONLineReader.object(line[...]))
        }
    }
}
