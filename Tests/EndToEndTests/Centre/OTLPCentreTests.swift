import Glibc
import Testing

/// OTLP at a real server.
struct OTLPCentreTests {
    private static let path = ("/v1/metrics", "/opentelemetry/v1/metrics?extra_label=job=sonde")

    @Test(.enabled(if: MetricServer.Program.victoriaMetrics.isInstalled, "make servers"))
    func victoriaMetricsHasEverySeriesOfOTLPWithItsLastValue() async throws {
        try await Workspace.use { workspace in
            let server = try await MetricServer(.victoriaMetrics, workspace)
            try await CentreTests.expectTheSame(
                in: server, "otel-collector", workspace, path: Self.path)
        }
    }

    @Test(.enabled(if: MetricServer.Program.victoriaMetrics.isInstalled && getuid() == 0, "make servers, and root"))
    func aRemovedInterfaceEndsInOTLPAndNothingElseDoes() async throws {
        try await CentreTests.expectARemovedInterfaceToEnd(in: .victoriaMetrics, "otel-collector", path: Self.path)
    }
}
