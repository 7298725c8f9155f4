import SondeDomain
import SondeFormats
import Testing

struct PrometheusNameTests {
    @Test(arguments: [
        ("system.network.io", MetricKind.counter, "By", "system_network_io_bytes_total"),
        ("system.network.packet.count", .counter, "{packet}", "system_network_packet_count_total"),
        ("sonde.network.interface.speed", .gauge, "By/s", "sonde_network_interface_speed_bytes_per_second"),
        ("sonde.network.interface.up", .gauge, "", "sonde_network_interface_up"),
        ("sonde.network.interface.utilization", .gauge, "1", "sonde_network_interface_utilization_ratio"),
        ("sonde.some.count", .counter, "1", "sonde_some_count_total"),
        ("system.network.connections", .upDown, "{connection}", "system_network_connections"),
        ("sonde.dns.wire.response.duration", .histogram, "s", "sonde_dns_wire_response_duration_seconds"),
        ("sonde.build.info", .info, "", "sonde_build_info"), ("sonde.build", .info, "", "sonde_build_info"),
        ("already.bytes", .gauge, "By", "already_bytes"),
        ("already.bytes.total", .counter, "By", "already_bytes_total"),
        ("already.total", .counter, "", "already_total"), ("rate", .gauge, "{packet}/s", "rate_per_second"),
        ("idle", .gauge, "%", "idle_percent"), ("odd", .gauge, "furlong/fortnight", "odd_furlong_per_fortnight"),
        ("a..b--c", .gauge, "", "a_b_c"), ("5xx", .gauge, "", "_5xx"), ("_a_", .gauge, "", "a"),
        ("né", .gauge, "", "n"),
        ("a:b", .gauge, "", "a:b"), ("x", .gauge, "/", "x"), ("x", .gauge, "{a}{b}", "x"),
        ("x", .gauge, "By{a}", "x_By"),
    ])
    func aFamilyIsNamedByTheCompatibilityRules(_ name: String, _ kind: MetricKind, _ unit: String, _ family: String) {
        #expect(PrometheusName(name, kind: kind, unit: unit)?.family == family)
    }

    @Test func aNameWithoutAnyLetterHasNone() {
        #expect(PrometheusName("…", kind: .gauge, unit: "s") == nil)
        #expect(PrometheusName("", kind: .counter, unit: "") == nil)
    }

    @Test(arguments: zip(MetricKind.allCases, ["counter", "gauge", "gauge", "histogram", "gauge"]))
    func eachKindHasItsType(_ kind: MetricKind, _ type: String) {
        #expect(PrometheusName("a", kind: kind, unit: "")?.type.rawValue == type)
    }
}
