internal import Glibc
internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

extension SourceTape {
    /// The file at a path, read by `read` into the buffer, or as it was kept: an errno, then the bytes.
    func file(
        _ path: String, into buffer: ProcBuffer, limit: Int, _ read: () throws(ReadFailure) -> Int
    ) throws(ReadFailure) -> Int {
        guard mode == .recording else {
            guard let kept = self.read(path), kept.count >= 4 else { throw .absent }
            let number = Int32(littleEndian: kept.loadUnaligned(as: Int32.self))
            guard number == 0 else { throw number == EFBIG ? .tooLarge : ReadFailure(errno: number) }
            guard kept.count - 4 <= limit else { throw .tooLarge }
            return buffer.fill(UnsafeRawBufferPointer(rebasing: kept[4...]))
        }
        do throws(ReadFailure) {
            let count = try read()
            keep(path, 0, Self.harmless(path, buffer.prefix(count), isPrivate: secret != nil))
            return count
        } catch {
            keep(path, error.number, [])
            throw error
        }
    }

    /// Keeps an errno and bytes.
    func keep(_ key: String, _ number: Int32, _ bytes: [UInt8]) {
        let kept = withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) } + bytes
        kept.withUnsafeBytes { write(key, $0) }
    }

    /// What of a file is needed, and says nothing about people.
    private static func harmless(_ path: String, _ bytes: UnsafeRawBufferPointer, isPrivate: Bool) -> [UInt8] {
        if path.hasSuffix("/boot_id"), isPrivate { return Array("00000000-0000-0000-0000-000000000000\n".utf8) }
        guard path.hasSuffix("/stat") else { return Array(bytes) }
        // Of what processors and interrupts have counted, nothing is used.
        var scanner = ByteScanner(bytes)
        while let line = scanner.line() {
            if line.starts(with: "btime ".utf8) { return Array(line) + [ByteScanner.newline] }
        }
        return []
    }

    /// Without the addresses in a table of sockets (`0100007F:0035`): only their ports are used.
    static func withoutAddresses(_ line: UnsafeRawBufferPointer) -> [UInt8] {
        var text = Array(line)
        for colon in text.indices where text[colon] == UInt8(ascii: ":") {
            var start = colon
            while start > 0, Self.isDigit(text[start - 1]) { start -= 1 }
            guard colon - start == 8 || colon - start == 32, colon + 4 < text.count, Self.isDigit(text[colon + 1])
            else {
                continue
            }
            // The queues have eight digits on both sides.
            guard text[(colon + 1)...].prefix(while: Self.isDigit).count == 4 else { continue }
            for index in start..<colon { text[index] = UInt8(ascii: "0") }
        }
        return text
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}

extension ReadFailure {
    /// The errno that it is kept as.
    var number: Int32 {
        switch self {
        case .absent: ENOENT
        case .forbidden: EACCES
        case .tooLarge: EFBIG
        case .unrecognized: EINVAL
        case .system(let number): number
        }
    }
}

extension ThreadTime {
    /// The processor time of the calling thread, which a tape keeps.
    static func reader(_ tape: SourceTape?) -> () -> Nanoseconds {
        guard let tape else { return { now } }
        return { Nanoseconds(tape.number("thread time") { now.value } ?? 0) }
    }
}
