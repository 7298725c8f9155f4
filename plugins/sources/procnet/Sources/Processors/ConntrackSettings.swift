internal import Glibc

/// How many connections can be tracked (Documentation/networking/nf_conntrack-sysctl.rst); the same in every namespace.
struct ConntrackSettings: ~Copyable {
    private var limit: ProcFile
    private var buckets: ProcFile
    private let buffer = ProcBuffer(capacity: 64)

    /// Settings below `proc`; of a process's own directory, which has none, they are those of `/proc`.
    init(_ view: NamespaceView) {
        let own = "\(view.proc)/sys/net/netfilter"
        // A copied tree is not about this kernel.
        let isOwn = view.knows("conntrack") { access(own, F_OK) == 0 } || view.path == nil
        let folder = isOwn ? own : "/proc/sys/net/netfilter"
        limit = ProcFile(path: "\(folder)/nf_conntrack_max", limit: 64, tape: view.tape)
        buckets = ProcFile(path: "\(folder)/nf_conntrack_buckets", limit: 64, tape: view.tape)
    }

    /// Reads both; nil for one that is not there.
    mutating func read() -> (limit: UInt64?, buckets: UInt64?) {
        let first = (try? limit.read(into: buffer)).flatMap { Self.number(buffer.prefix($0)) }
        let second = (try? buckets.read(into: buffer)).flatMap { Self.number(buffer.prefix($0)) }
        return (first, second)
    }

    /// The number that is the whole line; one without the line's end was cut.
    static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
        var scanner = ByteScanner(bytes)
        guard
            bytes.last == ByteScanner.newline, let number = scanner.number(), number.form == .unsigned,
            scanner.skipLineEnd(), scanner.isAtEnd
        else { return nil }
        return number.magnitude
    }
}
