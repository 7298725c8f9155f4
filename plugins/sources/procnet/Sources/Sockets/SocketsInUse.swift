internal import SondeNetlink
internal import SondePluginKit

/// The sockets in use that sockstat and sockstat6 count (`sockstat_seq_show`, net/ipv4/proc.c).
struct SocketsInUse: ~Copyable {
    private var ipv4: ProcFile
    private var ipv6: ProcFile
    private let buffer = ProcBuffer(capacity: 512)

    init(proc: String, limit: Int, tape: SourceTape? = nil) {
        ipv4 = ProcFile(path: "\(proc)/net/sockstat", limit: limit, tape: tape)
        ipv6 = ProcFile(path: "\(proc)/net/sockstat6", limit: limit, tape: tape)
    }

    /// The numbers of one address family; nil for one that is not there.
    struct Family: Equatable {
        var tcp: UInt64?
        var udp: UInt64?
    }

    /// Reads both.
    mutating func read() -> (ipv4: Family, ipv6: Family) {
        let first = Self.family((try? ipv4.read(into: buffer)).map { buffer.prefix($0) }, "TCP:", "UDP:")
        let second = Self.family((try? ipv6.read(into: buffer)).map { buffer.prefix($0) }, "TCP6:", "UDP6:")
        return (first, second)
    }

    private static func family(_ bytes: UnsafeRawBufferPointer?, _ tcp: String, _ udp: String) -> Family {
        guard let bytes else { return Family() }
        return Family(tcp: inUse(tcp, bytes), udp: inUse(udp, bytes))
    }

    /// The number after `inuse` in a protocol's line.
    static func inUse(_ protocolName: String, _ bytes: UnsafeRawBufferPointer) -> UInt64? {
        var scanner = ByteScanner(bytes)
        while let line = scanner.line() {
            var words = ByteScanner(line)
            guard let name = words.word(), name.elementsEqual(protocolName.utf8) else { continue }
            guard let column = words.word(), column.elementsEqual("inuse".utf8) else { return nil }
            words.skipBlanks()
            guard let number = words.number(), number.form == .unsigned else { return nil }
            // A number that was cut is useless: the line continues after it, or ends.
            return words.isAtEnd && scanner.isAtEnd && bytes.last != ByteScanner.newline ? nil : number.magnitude
        }
        return nil
    }
}
