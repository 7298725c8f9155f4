import Foundation

/// A report as `sonde inspect` must make it, counted by this test from what tshark decodes.
///
/// Only tshark decodes, none of our code; its rows are counted here again, by the rules of the format.
struct TsharkReport {
    static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

    /// The counts by their path in the JSON, `dns.rcode.NXDOMAIN`.
    private(set) var counts: [String: Double] = [:]
    private var transactions = ExpectedTransactions()
    private var conversations: [String: Set<String>] = [:]
    private var firstTime: Int64?
    private var times: (earliest: Int64, latest: Int64) = (.max, .min)
    private var seconds: [Int64: Double] = [:]

    /// Lets tshark decode a capture, and counts.
    init(_ capture: [UInt8]) async throws {
        let rows = try await Self.rows(of: capture)
        for key in Self.keys { counts[key] = 0 }
        for row in rows { add(row) }
        for transport in ["tcp", "udp"] {
            counts["\(transport).conversations"] = Double(conversations[transport]?.count ?? 0)
        }
        if times.earliest <= times.latest {
            counts["duration_seconds"] = Double(times.latest - times.earliest) / 1e9
            counts["peak_bytes_per_second"] = seconds.values.max()
        }
        transactions.finish(&counts)
    }

    private static let keys = [
        "packets", "bytes", "captured_bytes", "ipv4.packets", "ipv4.bytes", "ipv6.packets", "ipv6.bytes",
        "other.packets", "fragments", "malformed", "tcp.packets", "tcp.syn", "tcp.syn_ack", "tcp.rst", "tcp.fin",
        "tcp.retransmissions", "udp.packets", "icmp.packets", "dns.queries", "dns.responses",
    ]

    private mutating func add(_ row: TsharkRow) {
        let length = row.number("frame.len") ?? 0
        count("packets")
        count("bytes", length)
        count("captured_bytes", row.number("frame.cap_len") ?? 0)
        addTime(row, length)
        switch row.network {
        case "ip": addIP("ipv4", row, length)
        case "ipv6": addIP("ipv6", row, length)
        default: count("other.packets")
        }
        if row.has("_ws.malformed") {
            // What is broken behind the transport is DNS, or none of our business.
            if row.service != nil || row.transport == nil { count("malformed") }
        } else if row.service == "dns" {
            addDNS(row)
        }
    }

    private mutating func addTime(_ row: TsharkRow, _ length: Double) {
        guard let time = row.time else { return }
        let first = firstTime ?? time
        firstTime = first
        times = (min(times.earliest, time), max(times.latest, time))
        let distance = time - first
        seconds[distance >= 0 ? distance / 1_000_000_000 : (distance - 999_999_999) / 1_000_000_000, default: 0] +=
            length
    }

    private mutating func addIP(_ family: String, _ row: TsharkRow, _ length: Double) {
        count("\(family).packets")
        count("\(family).bytes", length)
        if row.isFragment { count("fragments") }
        guard !row.isLaterFragment, let transport = row.transport else { return }
        switch transport {
        case "tcp": addTCP(row)
        case "udp": count("udp.packets")
        case "icmp", "icmpv6": count("icmp.packets")
        default: return
        }
        guard let ends = row.ends(transport) else { return }
        conversations[transport, default: []].insert(ends.sorted().joined(separator: " "))
    }

    private mutating func addTCP(_ row: TsharkRow) {
        count("tcp.packets")
        if let digits = row.first("tcp.flags"), let flags = Int(digits.dropFirst(2), radix: 16) {
            if flags & 0x12 == 0x02 { count("tcp.syn") }
            if flags & 0x12 == 0x12 { count("tcp.syn_ack") }
            if flags & 4 != 0 { count("tcp.rst") }
            if flags & 1 != 0 { count("tcp.fin") }
        }
        let isAgain = ["retransmission", "fast_retransmission", "spurious_retransmission"].contains {
            row.has("tcp.analysis.\($0)")
        }
        if isAgain { count("tcp.retransmissions") }
    }

    private mutating func addDNS(_ row: TsharkRow) {
        let messages = row.messages
        for message in messages {
            count(message.isResponse ? "dns.responses" : "dns.queries")
            if message.isResponse {
                count("dns.rcode.\(message.code)")
            } else {
                for type in message.types { count("dns.qtype.\(type)") }
            }
            transactions.see(message, row.time ?? 0)
        }
    }

    private mutating func count(_ key: String, _ number: Double = 1) {
        counts[key, default: 0] += number
    }
}

extension TsharkReport {
    private static let path = "/usr/bin/tshark"

    /// One row per frame; fragments are not put together, streams are.
    private static func rows(of capture: [UInt8]) async throws -> [TsharkRow] {
        // On its own thread: waiting here would keep other tests from running.
        let text = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try run(on: capture) }) }
        }
        return text.split(separator: "\n").map { TsharkRow($0) }
    }

    private static func run(on capture: [UInt8]) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pcap")
        try Data(capture).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments =
            ["-r", file.path, "-n", "-T", "fields", "-E", "separator=|", "-E", "occurrence=a", "-E", "aggregator=;"]
            + ["ip.defragment:FALSE", "ipv6.defragment:FALSE"].flatMap { ["-o", $0] }
            + TsharkRow.fields.flatMap { ["-e", $0] }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
