internal import Glibc
internal import SondeDomain

/// What a child writes to its standard error, as lines of a log: at most so many in a span of time, and the rest is counted.
///
/// Belongs to the thread that calls the instance.
final class StandardErrorLines {
    private static let lineLimit = 8 << 10
    private static let span = Nanoseconds.seconds(10)
    private static let linesPerSpan = 100

    private let source: OwnedDescriptor
    private let log: (String) -> Void
    private let clock = SystemClock()
    private var line: [UInt8] = []
    private var isOpen = true
    private var spanEnds = MonotonicInstant(nanoseconds: 0)
    /// Lines of the span.
    private var count = 0

    /// The lines that can be read from a descriptor.
    init(_ source: OwnedDescriptor, log: @escaping (String) -> Void) {
        (self.source, self.log) = (source, log)
    }

    /// To be polled; -1: nothing comes any more.
    var descriptor: Int32 { isOpen ? source.raw : -1 }

    /// Reads what is there; the descriptor is readable.
    func read() {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { bytes in
            let size = Glibc.read(source.raw, bytes.baseAddress, bytes.count)
            guard size > 0 else {
                isOpen = size < 0 && errno == EINTR
                return
            }
            for byte in bytes[..<size] {
                if byte == 0x0a || line.count >= Self.lineLimit { endLine() }
                if byte != 0x0a { line.append(byte) }
            }
        }
    }

    /// Reads what was written before the end.
    func readRest() {
        while isOpen {
            var polled = pollfd(fd: source.raw, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 0) == 1 else { break }
            read()
        }
        endLine()
        noteLeftOut()
    }

    private func endLine() {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return }
        let now = clock.monotonicTime
        if now >= spanEnds {
            noteLeftOut()
            (spanEnds, count) = (now.advanced(by: Self.span), 0)
        }
        count += 1
        if count <= Self.linesPerSpan { log(String(decoding: line, as: UTF8.self)) }
    }

    private func noteLeftOut() {
        if count > Self.linesPerSpan { log("\(count - Self.linesPerSpan) further lines were left out") }
        count = 0
    }
}

extension MonotonicInstant {
    /// What poll(2) is given to wait until then: milliseconds, rounded up; -1: for ever.
    func pollTimeout(at now: MonotonicInstant) -> Int32 {
        guard self != .distantFuture else { return -1 }
        return Int32(clamping: max(0, since(now).value) / 1_000_000 + 1)
    }
}
