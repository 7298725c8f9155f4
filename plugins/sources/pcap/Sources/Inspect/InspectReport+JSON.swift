internal import SondeDNS
internal import SondeFormats

extension InspectReport {
    /// One line of schema `sonde.inspect/1`; every key is always there.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            writeFile(&json)
            json.member("ipv4") { Self.write(frames.ipv4, &$0) }
            json.member("ipv6") { Self.write(frames.ipv6, &$0) }
            json.member("other") { $0.object { $0.member("packets", frames.other.packets) } }
            json.member("fragments", frames.fragments)
            json.member("malformed", malformed)
            json.member("tcp") { tcp.write(packets: frames.tcp, &$0) }
            json.member("udp") { json in
                json.object { json in
                    json.member("packets", frames.udp)
                    json.member("conversations", udpConversations)
                }
            }
            json.member("icmp") { $0.object { $0.member("packets", frames.icmp) } }
            json.member("dns") { dns.write(&$0) }
        }
        return json.bytes + [0x0a]
    }

    /// Nanoseconds as seconds.
    static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }

    private func writeFile(_ json: inout JSONWriter) {
        json.member("schema", "sonde.inspect/1")
        json.member("packets", packets)
        json.member("bytes", bytes)
        json.member("captured_bytes", capturedBytes)
        json.member("duration_seconds", duration.map(Self.seconds))
        json.member("peak_bytes_per_second", peakBytesPerSecond)
        json.member("link_types") { json in
            json.array { json in for name in linkTypes { json.value(name) } }
        }
        json.member("complete", failure == nil)
        json.member("error") { json in
            guard let failure else { return json.null() }
            json.object { json in
                json.member("code", failure.code)
                json.member("message", failure.message)
            }
        }
    }

    private static func write(_ count: PacketCount, _ json: inout JSONWriter) {
        json.object { json in
            json.member("packets", count.packets)
            json.member("bytes", count.bytes)
        }
    }
}

extension InspectReport.TCP {
    fileprivate func write(packets: UInt64, _ json: inout JSONWriter) {
        json.object { json in
            json.member("packets", packets)
            json.member("syn", counts.requests)
            json.member("syn_ack", counts.acceptances)
            json.member("rst", counts.resets)
            json.member("fin", counts.finishes)
            json.member("conversations", conversations)
            json.member("retransmissions", counts.allRetransmissions)
        }
    }
}

extension InspectReport.DNS {
    fileprivate func write(_ json: inout JSONWriter) {
        json.object { json in
            json.member("queries", queries)
            json.member("responses", responses)
            json.member("unanswered", unanswered)
            json.member("rcode") { NamedCount.write(codes, &$0) }
            json.member("qtype") { NamedCount.write(types, &$0) }
            json.member("response_time", responseTime)
        }
    }
}
