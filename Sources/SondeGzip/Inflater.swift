internal import CZlib

/// Reads a gzip stream (RFC 1952) through zlib, a bounded piece at a time.
///
/// It never makes more than the caller has room for, so a small input that would become terabytes costs no memory. Use
/// it from one thread.
public final class Inflater {
    /// What one step came to.
    public struct Step: Hashable, Sendable {
        /// How many bytes of the input were used up.
        public let consumed: Int
        /// How many bytes were put out.
        public let produced: Int
        /// Whether the stream is at its end, with a right checksum and length.
        public let isAtEnd: Bool
    }

    /// What is wrong with the input.
    public enum Flaw: Error, Hashable, Sendable {
        /// It is no gzip stream, or was changed; in zlib's words.
        case corrupt(String)
        /// There is no memory for zlib's window.
        case memory
    }

    // On the heap, because zlib keeps a pointer to it.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Nil without memory.
    public init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 bits of window, +16: gzip only.
        let status = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Goes on with the stream until `input` is used up or `output` is full.
    ///
    /// With an empty input it puts out what it still has. After the end, ``restart()`` begins with the next stream of a
    /// file that has several.
    public func inflate(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(Flaw) -> Step {
        let room = UInt32(clamping: output.count)
        let offered = UInt32(clamping: input.count)
        // zlib declares its input mutable and does not change it.
        let start = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
        stream.pointee.avail_in = offered
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = room
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        // Z_BUF_ERROR: nothing to do without more input or room, which is no failure.
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
            throw status == Z_MEM_ERROR ? .memory : .corrupt(reason(status))
        }
        return Step(
            consumed: Int(offered &- stream.pointee.avail_in),
            produced: Int(room &- stream.pointee.avail_out),
            isAtEnd: status == Z_STREAM_END
        )
    }

    /// Begins anew, for another stream.
    public func restart() {
        inflateReset(stream)
    }

    private func reason(_ status: Int32) -> String {
        if let message = stream.pointee.msg { return String(cString: message) }
        return status == Z_NEED_DICT ? "it wants a dictionary" : "zlib says \(status)"
    }
}
