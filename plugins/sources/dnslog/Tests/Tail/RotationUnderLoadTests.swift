import Foundation
import Glibc
import SondeDomain
import Synchronization
import Testing

@testable import DNSLogPlugin

/// A log that is written at 20 MB/s and rotated all the time, followed in real time.
///
/// `SONDE_ROTATE_SECONDS=60` makes it the minute of Benchmarks/dnslog/rotate.sh, with a rotation every second.
@Suite struct RotationUnderLoadTests {
    /// Which numbers were seen, and how often a number was seen again.
    private struct Tally {
        private var bits = [UInt64](repeating: 0, count: 1 << 12)
        private(set) var count: UInt64 = 0
        private(set) var repeated: UInt64 = 0

        mutating func note(_ number: Int) {
            while number >> 6 >= bits.count { bits += [UInt64](repeating: 0, count: bits.count) }
            let bit = UInt64(1) << UInt64(number & 63)
            if bits[number >> 6] & bit == 0 { count += 1 } else { repeated += 1 }
            bits[number >> 6] |= bit
        }
    }

    @Test func followingLosesNoLineAndCountsNoneTwice() throws {
        let minute = ProcessInfo.processInfo.environment["SONDE_ROTATE_SECONDS"].flatMap(Int.init)
        let writer = BusyWriter(
            folder: try LogFolder(),
            chunks: (minute ?? 3) * 100,
            chunksPerRotation: minute == nil ? 25 : 100,
            keep: minute == nil ? 100 : 8
        )
        let tail = LogTail(TailSettings(paths: [writer.folder.file("q.log")], start: .beginning))
        tail.start(nil, at: Self.now)
        let thread = Thread { writer.run() }
        thread.start()
        var tally = Tally()
        var malformed = 0
        var calls = 0
        while true {
            // Checked before reading: what was written before the end is then read.
            let isDone = writer.isDone.load(ordering: .acquiring)
            let progress = tail.readLines(at: Self.now) { line, _ in
                guard let number = Self.number(line) else {
                    malformed += 1
                    return
                }
                tally.note(number)
            }
            calls += 1
            if isDone, progress == .drained { break }
            _ = tail.wait(-1, until: Self.now.monotonic.advanced(by: .seconds(1)), at: Self.now.monotonic)
        }
        let written = writer.lines.load(ordering: .acquiring)
        #expect(tally.count == written)
        #expect(tally.repeated == 0)
        #expect(malformed == 0)
        #expect(tail.counts.lines == written)
        #expect(tail.counts.rotations == writer.rotations.load(ordering: .acquiring))
        #expect(!tail.takeEvents().contains { if case .lost = $0 { true } else { false } })
        if minute != nil {
            print("\(written) lines, \(tail.counts.bytes) bytes, \(tail.counts.rotations) rotations, \(calls) looks")
        }
    }

    private static var now: TailInstant {
        TailInstant(monotonic: MonotonicInstant(nanoseconds: nanoseconds(CLOCK_MONOTONIC)), wall: Timestamp(seconds: 0))
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The number at the beginning of a line of ``BusyWriter``; nil when anything in the line is wrong.
    private static func number(_ line: UnsafeRawBufferPointer) -> Int? {
        guard line.count == BusyWriter.lineLength - 1, line.last == UInt8(ascii: "$") else { return nil }
        var value = 0
        for byte in line[..<8] {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }
}
