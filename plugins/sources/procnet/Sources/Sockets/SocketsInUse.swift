internal import SondeNetlink

/// The TCP sockets in use that sockstat and sockstat6 count (`sockstat_seq_show`, net/ipv4/proc.c).
struct SocketsInUse: ~Copyable {
    private var ipv4: ProcFile
    private var ipv6: ProcFile
    private let buffer = ReadBuffer(capacity: 512)

    init(proc: String, limit: Int) {
        ipv4 = ProcFile(path: "\(proc)/net/sockstat", limit: limit)
        ipv6 = ProcFile(path: "\(proc)/net/sockstat6", limit: limit)
    }

    /// Reads both; nil for one that is not there.
    mutating func read() -> (ipv4: UInt64?, ipv6: UInt64?) {
        let first = (try? ipv4.read(into: buffer)).flatMap { Self.inUse("TCP:", buffer.prefix($0)) }
        let second = (try? ipv6.read(into: buffer)).flatMap { Self.inUse("TCP6:", buffer.prefix($0)) }
        return (first, second)
    }

    /// The number behind `inuse` in a protocol's line.
    static func inUse(_ protocolName: String, _ bytes: UnsafeRawBufferPointer) -> UInt64? {
        var scanner = ByteScanner(bytes)
        while let line = scanner.line() {
            var words = ByteScanner(line)
            guard let name = words.word(), name.elementsEqual(protocolName.utf8) else { continue }
            guard let column = words.word(), column.elementsEqual("inuse".utf8) else { return nil }
            words.skipBlanks()
            guard let number = words.number(), number.form == .unsigned else { return nil }
            // A number that was cut says nothing: the line goes on behind it, or ends.
            return words.isAtEnd && scanner.isAtEnd && bytes.last != ByteScanner.newline ? nil : number.magnitude
        }
        return nil
    }
}
