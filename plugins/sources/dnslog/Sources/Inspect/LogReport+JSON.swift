internal import SondeDNS
internal import SondeFormats

extension LogReport {
    /// One line of schema `sonde.inspect/1`; every key is always there.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("schema", "sonde.inspect/1")
            json.member("kind", "dnslog")
            json.member("format", format?.rawValue)
            json.member("lines", lines)
            json.member("unparsed", unparsed)
            json.member("capabilities") { json in
                json.array { json in for capability in capabilities { json.value(capability.rawValue) } }
            }
            json.member("dns") { writeDNS(&$0) }
        }
        return json.bytes + [0x0a]
    }

    private func writeDNS(_ json: inout JSONWriter) {
        json.object { json in
            json.member("queries", queries)
            json.member("responses", responses)
            json.member("failures", failures)
            json.member("cached", cached)
            json.member("rcode") { NamedCount.write(codes, &$0) }
            json.member("qtype") { NamedCount.write(types, &$0) }
            json.member("latency", latency)
            json.member("upstreams") { writeUpstreams(&$0) }
        }
    }

    private func writeUpstreams(_ json: inout JSONWriter) {
        guard let upstreams else { return json.null() }
        json.array { json in
            for upstream in upstreams {
                json.object { json in
                    json.member("server", upstream.server)
                    json.member("error", upstream.error)
                    json.member("failures", upstream.count)
                }
            }
        }
    }
}
