import Testing

@testable import DNSLogPlugin

/// Damaged lines neither trap nor hang, and are counted.
@Suite struct MutationTests {
    /// Lines of every shape that a log has, the first of each.
    private func shapes(_ name: String) throws -> [[UInt8]] {
        var seen: Set<[UInt8]> = []
        return try RecordedLog.lines(name).filter { line in
            let letters = line.prefix(120).filter { !(0x30..<0x3a).contains($0) }
            return seen.count < 60 && seen.insert(Array(letters)).inserted
        }
    }

    @Test(arguments: RecordedLog.names)
    func everyByteOfEveryShapeOfALineMayBeAnyOther(_ name: String) throws {
        let lines = try shapes(name)
        let pipeline = LogPipeline(.forTests, seed: 1)
        let stream = pipeline.open()
        var count: UInt64 = 0
        for line in lines {
            for index in line.indices {
                for byte in [0x00, 0x20, 0x22, 0x27, 0x2e, 0x31, 0x3a, 0x5b, 0x5c, 0x5d, 0x7c, 0xff] as [UInt8] {
                    var damaged = line
                    damaged[index] = byte
                    damaged.withUnsafeBytes { pipeline.take($0, stream) }
                    count += 1
                }
                Array(line[..<index]).withUnsafeBytes { pipeline.take($0, stream) }
                (Array(line[..<index]) + line[(index + 1)...]).withUnsafeBytes { pipeline.take($0, stream) }
                count += 2
            }
        }
        pipeline.finish()
        var counted = pipeline.undecidedLines
        pipeline.withEach { counted += $0.totals.lines }
        #expect(counted == count)
    }

    @Test(arguments: LogFormat.allCases)
    func theBytesOfEveryFormatMayBeReadAsAnyOther(_ format: LogFormat) throws {
        var settings = LogSettings.forTests
        settings.format = format
        for name in RecordedLog.names {
            let lines = Array(try RecordedLog.lines(name).prefix(2000))
            let log = CountedLog([lines], settings)
            #expect(log.lines == UInt64(lines.count))
        }
    }
}
