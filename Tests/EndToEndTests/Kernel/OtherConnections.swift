import Foundation
import Glibc

/// What others on this host did with TCP, from a trace of the kernel beside the agent: at the same tracepoints, event by event.
///
/// Those of a test's own ports are left out.
final class OtherConnections {
    /// One event.
    struct Event {
        let name: String
        /// When it was, on the wall clock in seconds since 1970.
        let time: Double
        let fields: [String: String]

        /// IPv4 is IPv4 also where an IPv6 socket carries it.
        var network: String {
            if let source = fields["src"] { return source.hasPrefix("[") ? "ipv6" : "ipv4" }
            return fields["family"] == "AF_INET6" && fields["daddrv6"]?.hasPrefix("::ffff:") != true ? "ipv6" : "ipv4"
        }
    }

    /// The kernel's trace has not kept every event.
    struct Lost: Error {}

    private let folder: String
    private let ownPorts: Set<Int>

    /// Records from now on until it is gone.
    init(unlike ports: Set<Int>) throws {
        ownPorts = ports
        folder = "/sys/kernel/tracing/instances/sonde-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try write("mono", to: "trace_clock")
        try write("8192", to: "buffer_size_kb")
        let others = ports.map { "sport != \($0) && dport != \($0)" }.joined(separator: " && ")
        let isEnd = "(oldstate == 2 || oldstate == 3) && (newstate == 1 || newstate == 7)"
        try write("\(isEnd) && \(others)", to: "events/sock/inet_sock_set_state/filter")
        for name in ["tcp_receive_reset", "tcp_retransmit_skb"] { try write(others, to: "events/tcp/\(name)/filter") }
        for name in [
            "sock/inet_sock_set_state", "tcp/tcp_receive_reset", "tcp/tcp_retransmit_skb", "tcp/tcp_send_reset",
        ] { try write("1", to: "events/\(name)/enable") }
    }

    deinit { rmdir(folder) }

    private func write(_ text: String, to file: String) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: "\(folder)/\(file)"))
        try handle.write(contentsOf: Data("\(text)\n".utf8))
        try handle.close()
    }

    /// How many events of others there were between two times: at least those that were surely between them, at most
    /// those that can have been, where each time is known to `slack` seconds.
    func count(
        from begin: Double, to end: Double, slack: Double, where isMeant: (Event) -> Bool
    ) throws -> ClosedRange<UInt64> {
        let meant = try events().filter(isMeant)
        let sure = meant.count { $0.time > begin + slack && $0.time < end - slack }
        return UInt64(sure)...UInt64(meant.count { $0.time > begin - slack && $0.time < end + slack })
    }

    /// What was recorded so far.
    private func events() throws -> [Event] {
        let text = try trace()
        var clock = timespec()
        clock_gettime(CLOCK_MONOTONIC, &clock)
        let toWall = Date().timeIntervalSince1970 - Double(clock.tv_sec) - Double(clock.tv_nsec) / 1e9
        return try text.split(separator: "\n").compactMap { line in
            guard !line.hasPrefix("#") else {
                // `# entries-in-buffer/entries-written: 11/11   #P:2`
                let counts = line.split(separator: " ").first { $0.contains("/") && $0.first?.isNumber == true }
                if let counts, Set(counts.split(separator: "/")).count > 1 { throw Lost() }
                return nil
            }
            return event(line, toWall)
        }
    }

    /// The kernel gives it out in pieces, and says of no file how long it is.
    private func trace() throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: "\(folder)/trace"))
        defer { try? file.close() }
        var bytes = Data()
        while let piece = try file.read(upToCount: 1 << 16), !piece.isEmpty { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads one line of a trace.
    ///
    /// `python3-9111 [001] ..s1. 36689.971552: tcp_send_reset: src=127.0.0.1:9 dest=127.0.0.1:47842 reason=NO_SOCKET`
    private func event(_ line: Substring, _ toWall: Double) -> Event? {
        let words = line.split(separator: " ")
        guard let place = words.indices.dropFirst().first(where: { Double(words[$0].dropLast()) != nil }),
            words[place].hasSuffix(":"), let time = Double(words[place].dropLast()), place + 1 < words.count
        else { return nil }
        let pairs = words[(place + 2)...].compactMap { word -> (String, String)? in
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        let fields = Dictionary(pairs) { first, _ in first }
        let ports = ["src", "dest"].compactMap { fields[$0]?.split(separator: ":").last.flatMap { Int($0) } }
        guard ownPorts.isDisjoint(with: ports) else { return nil }
        return Event(name: String(words[place + 1].dropLast()), time: time + toWall, fields: fields)
    }
}
