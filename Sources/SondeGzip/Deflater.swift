internal import CZlib

/// Writes a gzip stream (RFC 1952) through zlib.
///
/// Use it from one thread.
public final class Deflater {
    /// How much time and memory a stream may take.
    public enum Effort: Sendable {
        /// 256 KiB beside the output; for what is kept.
        case usual
        /// 56 KiB and less than half of the time, a thirtieth more bytes; for bodies of some tens of KiB that repeat themselves within 8 KiB.
        ///
        /// Memory that is touched first costs more than what is done in it.
        case moderate
        /// 48 KiB and a third of the time; for text that repeats itself within 4 KiB and is sent at once.
        case least
    }

    // On the heap, because zlib keeps a pointer to it.
    private let stream: UnsafeMutablePointer<z_stream>
    private var output: [UInt8]

    /// Nil without memory.
    public init?(_ effort: Effort = .usual) {
        output = [UInt8](repeating: 0, count: effort.outputSize)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Bits of window, +16: a gzip header and trailer instead of zlib's.
        let status = deflateInit2_(
            stream,
            effort.level,
            Z_DEFLATED,
            effort.windowBits + 16,
            effort.memoryLevel,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        guard status == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses a block and hands out what it came to; false when zlib finds its own state broken.
    public func deflate(_ block: ArraySlice<UInt8>, isLast: Bool, _ take: (UnsafeRawBufferPointer) -> Void) -> Bool {
        block.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { output in
                // zlib declares its input mutable and does not change it.
                let start = input.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
                stream.pointee.avail_in = UInt32(clamping: input.count)
                return run(into: output, flush: isLast ? Z_FINISH : Z_NO_FLUSH, take)
            }
        }
    }

    private func run(
        into output: UnsafeMutableRawBufferPointer,
        flush: Int32,
        _ take: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        repeat {
            stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(clamping: output.count)
            let status = CZlib.deflate(stream, flush)
            // Z_BUF_ERROR: nothing to do, which is no failure.
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { return false }
            take(UnsafeRawBufferPointer(rebasing: output[..<(output.count - Int(stream.pointee.avail_out))]))
        } while stream.pointee.avail_out == 0
        return true
    }
}

/// What zlib is given (deflateInit2 in zlib.h).
extension Deflater.Effort {
    fileprivate var level: Int32 {
        switch self {
        case .usual: Z_DEFAULT_COMPRESSION
        case .moderate: 5
        case .least: Z_BEST_SPEED
        }
    }

    fileprivate var windowBits: Int32 {
        switch self {
        case .usual: 15
        case .moderate: 13
        case .least: 12
        }
    }

    fileprivate var memoryLevel: Int32 { self == .usual ? 8 : 6 }

    fileprivate var outputSize: Int { self == .usual ? 32 << 10 : 8 << 10 }
}
