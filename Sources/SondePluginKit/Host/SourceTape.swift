internal import CSondePlugin

/// Keeps what a source reads from outside (`sonde record`), or gives it back (`sonde replay`).
///
/// Call it like the host it is of. The host's clocks stand still during a call, or a step of a stream.
public final class SourceTape {
    /// What a tape does.
    public enum Mode: Sendable {
        /// What is read is kept.
        case recording
        /// What was kept is read.
        case replaying
    }

    /// What it does.
    public let mode: Mode
    /// Recording: the 16 bytes that pseudonyms are made with; nil: everything is kept as it is.
    public let secret: [UInt8]?
    private let raw: UnsafePointer<sonde_host>

    /// Nil where the host neither records nor replays, or is older than 1.2.
    init?(_ raw: UnsafePointer<sonde_host>) {
        guard raw.knows(\.tape_step), let mode = raw.pointee.tape_mode?(raw), mode != SONDE_TAPE_OFF else { return nil }
        self.raw = raw
        self.mode = mode == SONDE_TAPE_RECORD ? .recording : .replaying
        secret = mode == SONDE_TAPE_RECORD ? Self.read("privacy", raw).map { [UInt8]($0) } : nil
    }

    /// Keeps what was read under a key of at most 255 bytes.
    public func write(_ key: String, _ bytes: UnsafeRawBufferPointer) {
        key.withContractString {
            raw.pointee.tape_write?(raw, $0, sonde_bytes(data: bytes.baseAddress, size: bytes.count))
        }
    }

    /// The next that was kept under the key in this call or step, or nil; valid until the next reading.
    public func read(_ key: String) -> UnsafeRawBufferPointer? { Self.read(key, raw) }

    /// Streams: the next step begins, after waiting when recording and instead of it when replaying.
    ///
    /// False: the recording is over.
    public func step() -> Bool { raw.pointee.tape_step?(raw) == 1 }

    private static func read(_ key: String, _ raw: UnsafePointer<sonde_host>) -> UnsafeRawBufferPointer? {
        var bytes = sonde_bytes()
        let isThere = key.withContractString { raw.pointee.tape_read?(raw, $0, &bytes) } == 1
        return isThere ? UnsafeRawBufferPointer(start: bytes.data, count: bytes.size) : nil
    }
}

extension SourceTape {
    /// The bytes that `read` finds outside, or that were kept of it.
    public func bytes(_ key: String, _ read: () -> [UInt8]?) -> [UInt8]? {
        guard mode == .recording else { return self.read(key).map { [UInt8]($0) } }
        guard let bytes = read() else { return nil }
        bytes.withUnsafeBytes { write(key, $0) }
        return bytes
    }

    /// The number that `read` finds outside, or that was kept of it.
    public func number(_ key: String, _ read: () -> Int64?) -> Int64? {
        let bytes = bytes(key) { read().map { number in withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) } } }
        guard let bytes, bytes.count == 8 else { return nil }
        return bytes.withUnsafeBytes { Int64(littleEndian: $0.loadUnaligned(as: Int64.self)) }
    }

    /// The text that `read` finds outside, or that was kept of it.
    public func text(_ key: String, _ read: () -> String?) -> String? {
        bytes(key) { read().map { Array($0.utf8) } }.map { String(decoding: $0, as: UTF8.self) }
    }
}
