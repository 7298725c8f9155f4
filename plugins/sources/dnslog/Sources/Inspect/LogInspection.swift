internal import Glibc
internal import SondeDNS
internal import SondeDomain

/// Reads a log to its end and counts what is in it.
package final class LogInspection {
    /// Why reading ended before the end of the file.
    package enum Failure: Error {
        case cancelled
        /// The system refused, with this number.
        case unreadable(Int32)
    }

    package let pipeline: LogPipeline
    private let stream: LogStream
    private var cutter = LineCutter(limit: TailLimits().lineLength)

    package init(_ settings: LogSettings = .file) {
        pipeline = LogPipeline(settings, seed: .random(in: .min ... .max))
        stream = pipeline.open()
    }

    /// Whether `head`, the beginning of a file, is that of a resolver's log.
    static func isLog(_ head: [UInt8]) -> Bool {
        let parser = LineParser(seed: 0)
        var cutter = LineCutter(limit: TailLimits().lineLength)
        var counts = TailCounts()
        var isLog = false
        let look: (UnsafeRawBufferPointer) -> Void = { line in
            let bytes = LogBytes(line)
            if FormatDetector.find(bytes, LogPrefix(bytes), parser) != nil { isLog = true }
        }
        head.withUnsafeBytes { head in
            let bytes = UnsafeRawBufferPointer(rebasing: head.dropFirst(LineCutter.markLength(head)))
            let used = cutter.cut(bytes, &counts, look)
            cutter.finish(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(used)), &counts, look)
        }
        return isLog
    }

    /// Reads `head` and what follows it in `descriptor`, until the end or until `cancel` becomes readable.
    package func read(_ head: [UInt8], _ descriptor: Int32, cancel: Int32) throws(Failure) {
        let buffer = ReadBuffer(lineLimit: cutter.limit)
        // The host's head is far shorter than the buffer.
        var filled = min(head.count, buffer.bytes.count)
        buffer.bytes.copyBytes(from: head.prefix(filled))
        var start = LineCutter.markLength(buffer.filled(filled))
        while true {
            let used = cut(UnsafeRawBufferPointer(rebasing: buffer.filled(filled).dropFirst(start))) &+ start
            if let base = buffer.bytes.baseAddress { memmove(base, base + used, filled &- used) }
            filled &-= used
            start = 0
            guard let more = try fill(buffer, filled, descriptor, cancel) else { break }
            filled &+= more
        }
        var counts = TailCounts()
        cutter.finish(buffer.filled(filled), &counts) { [pipeline, stream] line in pipeline.take(line, stream) }
        if counts.tooLong > 0 { pipeline.addTooLong(counts.tooLong, stream) }
        pipeline.finish()
    }

    private func cut(_ bytes: UnsafeRawBufferPointer) -> Int {
        // Local copies: no exclusive access to the class is checked for a line.
        var (cutter, counts) = (cutter, TailCounts())
        let (pipeline, state) = (pipeline, stream.state)
        let used = cutter.cut(bytes, &counts) { pipeline.take($0, state) }
        self.cutter = cutter
        if counts.tooLong > 0 { pipeline.addTooLong(counts.tooLong, stream) }
        return used
    }

    /// How many bytes were read after the first `filled`; nil at the end.
    private func fill(
        _ buffer: ReadBuffer, _ filled: Int, _ descriptor: Int32, _ cancel: Int32
    ) throws(Failure) -> Int? {
        while true {
            var entry = pollfd(fd: cancel, events: Int16(POLLIN), revents: 0)
            if poll(&entry, 1, 0) > 0 { throw .cancelled }
            let room = buffer.bytes.count &- filled
            let count = Glibc.read(descriptor, buffer.bytes.baseAddress.map { $0 + filled }, room)
            if count > 0 { return count }
            if count == 0 { return nil }
            guard errno == EINTR else { throw .unreadable(errno) }
        }
    }
}

extension LogSettings {
    /// For metrics with the heaviest `top` names and clients.
    package static func metrics(top: Int) -> LogSettings { LogSettings(top: top) }

    /// For a whole file: no names are counted, and response times are kept for their median.
    package static var file: LogSettings {
        var settings = LogSettings()
        settings.report = .responseTimes
        return settings
    }
}
