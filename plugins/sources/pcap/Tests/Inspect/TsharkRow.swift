import SondeWire

/// What tshark decodes of one frame.
struct TsharkRow {
    static let fields = [
        "frame.len", "frame.cap_len", "frame.time_epoch", "frame.protocols", "ip.src", "ip.dst", "ipv6.src", "ipv6.dst",
        "ip.flags.mf", "ip.frag_offset", "ipv6.fraghdr.more", "ipv6.fraghdr.offset", "tcp.srcport", "tcp.dstport",
        "udp.srcport", "udp.dstport", "tcp.flags", "tcp.analysis.retransmission", "tcp.analysis.fast_retransmission",
        "tcp.analysis.spurious_retransmission", "dns.id", "dns.flags.response", "dns.flags.rcode", "dns.qry.name",
        "dns.qry.type", "dns.resp.ext_rcode", "_ws.malformed",
    ]

    /// One DNS message.
    struct Message {
        let isResponse: Bool
        /// The name of the extended response code.
        let code: String
        /// The names of the questions' types.
        let types: [String]
        /// Id, ends in the order of the query, and transport.
        let place: String
        /// Name and type of the question, or nil without one.
        let question: String?
    }

    private let values: [String: [String]]
    private let layers: [String]

    init(_ line: Substring) {
        let columns = line.split(separator: "|", omittingEmptySubsequences: false)
        values = Dictionary(
            uniqueKeysWithValues: zip(Self.fields, columns).map { name, value in
                (name, value.split(separator: ";").map(String.init))
            })
        layers = values["frame.protocols"]?.first?.split(separator: ":").map(String.init) ?? []
    }

    func all(_ field: String) -> [String] { values[field] ?? [] }
    func first(_ field: String) -> String? { all(field).first }
    func has(_ field: String) -> Bool { first(field) != nil }
    func number(_ field: String) -> Double? { first(field).flatMap(Double.init) }

    /// Nanoseconds since 1970.
    var time: Int64? {
        guard let parts = first("frame.time_epoch")?.split(separator: "."), let seconds = Int64(parts[0]) else {
            return nil
        }
        let fraction = parts.count > 1 ? String(parts[1]).padding(9) : "0"
        return seconds * 1_000_000_000 + (Int64(fraction) ?? 0)
    }

    /// Where the outermost IP header is among the layers.
    private var place: Int? { layers.firstIndex { $0 == "ip" || $0 == "ipv6" } }

    /// The outermost IP, or nil.
    var network: String? { place.map { layers[$0] } }

    /// What the outermost IP carries, behind its extension headers.
    var transport: String? { afterNetwork.first }

    /// What the transport carries: DNS, multicast DNS or LLMNR, or nil.
    var service: String? {
        guard transport == "udp" || transport == "tcp" else { return nil }
        return afterNetwork.dropFirst().first.flatMap { ["dns", "mdns", "llmnr"].contains($0) ? $0 : nil }
    }

    private var afterNetwork: ArraySlice<String> {
        guard let place else { return [] }
        return layers[(place + 1)...].drop { $0.hasPrefix("ipv6.") || $0 == "ah" }
    }

    var isFragment: Bool { isLaterFragment || isSet("ip.flags.mf") || isSet("ipv6.fraghdr.more") }

    var isLaterFragment: Bool { number("ip.frag_offset") ?? 0 > 0 || number("ipv6.fraghdr.offset") ?? 0 > 0 }

    private func isSet(_ field: String) -> Bool { ["1", "True"].contains(first(field) ?? "") }

    /// Address and port of both ends, the sender first.
    func ends(_ transport: String) -> [String]? {
        let family = network == "ip" ? "ip" : "ipv6"
        guard let source = first("\(family).src"), let destination = first("\(family).dst"),
            let sourcePort = first("\(transport).srcport"), let destinationPort = first("\(transport).dstport")
        else { return nil }
        return ["\(source) \(sourcePort)", "\(destination) \(destinationPort)"]
    }

    /// The DNS messages that end in this frame; those of one frame go the same way.
    var messages: [Message] {
        let ids = all("dns.id")
        guard let transport, let ends = ends(transport) else { return [] }
        let isResponse = ["1", "True"].contains(first("dns.flags.response") ?? "")
        let (codes, names, types) = (all("dns.flags.rcode"), all("dns.qry.name"), all("dns.qry.type"))
        let from = isResponse ? ends.reversed() : ends
        return ids.indices.map { index in
            // One message may have several questions; several messages have one each.
            let own = ids.count == 1 ? Array(types.indices) : types.indices.contains(index) ? [index] : []
            let high = all("dns.resp.ext_rcode").count == ids.count ? all("dns.resp.ext_rcode")[index] : "0x0"
            let low = codes.indices.contains(index) ? Int(codes[index]) ?? 0 : 0
            let code = low | (Int(high.dropFirst(2), radix: 16) ?? 0) << 4
            return Message(
                isResponse: isResponse,
                code: DNSResponseCode(rawValue: UInt16(code)).mnemonic,
                types: own.map { DNSType(rawValue: UInt16(types[$0]) ?? 0).mnemonic },
                place: ([ids[index], transport] + from).joined(separator: " "),
                question: own.first.map { "\(names.indices.contains($0) ? names[$0].lowercased() : "") \(types[$0])" }
            )
        }
    }
}

extension String {
    /// The text with zeros behind it, or cut.
    fileprivate func padding(_ length: Int) -> String {
        String((self + String(repeating: "0", count: length)).prefix(length))
    }
}
