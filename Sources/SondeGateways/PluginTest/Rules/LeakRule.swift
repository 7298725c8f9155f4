internal import CLinux
internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// A thousand lives of an instance: what each leaves behind is a slope.
enum LeakRule {
    private static let lives = 1_000
    /// Lives before the first look: lazily made tables, caches of the allocator.
    private static let warmUp = 50
    private static let fewest = 100
    private static let time = Nanoseconds.seconds(80)
    /// Bytes that a life may leave, and that all may together: pages that happen to be touched, not a structure per life.
    private static let bytesPerLife = 256
    private static let bytes = 256 << 10
    private static let slack = 8

    static func check(_ subject: RuleSubject) throws(RuleEnd) {
        let end = SystemClock().monotonicTime.advanced(by: time)
        let cancelled = try subject.expecting("a descriptor") { () throws(SondeError) in try CancelSignal() }
        cancelled.cancel()
        let never = try subject.expecting("a descriptor") { () throws(SondeError) in try CancelSignal() }
        var before = ProcessUsage.figures
        var count = 0
        while count < lives + warmUp, SystemClock().monotonicTime < end {
            try subject.expecting("life \(count + 1)") { () throws(SondeError) in
                try live(subject, isKept: count < 2, cancelled: cancelled.descriptor, never: never.descriptor)
            }
            count += 1
            if count == warmUp {
                malloc_trim(0)
                before = ProcessUsage.figures
            }
        }
        let seen = count - warmUp
        guard seen >= fewest else { throw .skipped("a life takes so long that there were only \(count) of them") }
        malloc_trim(0)
        try compare(before, ProcessUsage.figures, lives: seen)
    }

    private static func live(
        _ subject: RuleSubject, isKept: Bool, cancelled: Int32, never: Int32
    ) throws(SondeError) {
        let instance = try isKept ? subject.make() : subject.makeUnkept()
        defer { instance.close() }
        try instance.start()
        try instance.call(TestInstance.conditions(cancel: instance.isStreaming ? cancelled : never))
    }

    private static func compare(_ before: ProcessFigures, _ after: ProcessFigures, lives: Int) throws(RuleEnd) {
        if let first = before.descriptors, let last = after.descriptors, last > first + UInt64(slack) {
            throw .failed("\(last - first) more descriptors after \(lives) lives")
        }
        if let first = before.threads, let last = after.threads, last > first + UInt64(slack) {
            throw .failed("\(last - first) more threads after \(lives) lives")
        }
        if let first = before.memory, let last = after.memory, last > first + UInt64(bytes + bytesPerLife * lives) {
            throw .failed("\((last - first) / UInt64(lives)) more bytes of memory per life, over \(lives) lives")
        }
    }
}
