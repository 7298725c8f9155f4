import SondeDomain
import SondeTestKit
import Testing

@testable import SondeFormats

struct TimeTextTests {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_399_999_999_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
        (951_868_800_000_000_000, "2000-03-01T00:00:00.000Z"), (1_767_225_600_123_999_999, "2026-01-01T00:00:00.123Z"),
        (4_107_542_399_000_000_000, "2100-02-28T23:59:59.000Z"),
        (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
        (.max, "2262-04-11T23:47:16.854Z"), (.min, "1677-09-21T00:12:43.145Z"),
    ])
    func anInstantReadsAsItsDate(_ nanoseconds: Int64, _ text: String) {
        var writer = TimeText()
        var buffer = ByteBuffer()
        writer.append(Timestamp(nanoseconds: nanoseconds), to: &buffer)
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == text)
    }

    @Test func instantsInAnyOrderDoNotDisturbEachOther() {
        var random = SeededGenerator(seed: 3)
        var used = TimeText()
        for _ in 0..<500 {
            let shift = Int64.random(in: 0..<60, using: &random)
            let time = Timestamp(nanoseconds: Int64.random(in: .min ... .max, using: &random) >> shift)
            var fresh = TimeText()
            var left = ByteBuffer()
            var right = ByteBuffer()
            used.append(time, to: &left)
            fresh.append(time, to: &right)
            #expect(left.bytes == right.bytes)
        }
    }
}
