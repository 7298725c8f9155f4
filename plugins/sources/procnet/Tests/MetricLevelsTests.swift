import SondeDomain
import Testing

@testable import ProcNetPlugin

/// From which level on what is sent.
@Suite struct MetricLevelsTests {
    private let metrics = ProcNetSource.descriptor.metrics

    @Test func everyMetricOfCoreIsInTheCatalog() {
        let known = Set(metrics.map(\.name))
        #expect(MetricLevels.core.subtracting(known) == [])
        #expect(metrics.filter { $0.level == .core }.count == MetricLevels.core.count)
    }

    @Test func nothingInCoreHasOnlyTheKernelsName() {
        #expect(metrics.filter { $0.level == .core && $0.name.hasPrefix("sonde.kernel.") } == [])
        #expect(metrics.filter { $0.level == .core && $0.kind == .histogram } == [])
        #expect(metrics.filter { $0.name.hasPrefix("sonde.kernel.") }.allSatisfy { $0.level == .all })
    }

    @Test func aSeriesOfAnInterfaceThatIsNoUplinkIsExtended() {
        #expect(MetricLevels.level(of: NetworkMetrics.io, isUplink: true) == .core)
        #expect(MetricLevels.level(of: NetworkMetrics.io, isUplink: false) == .extended)
        #expect(MetricLevels.level(of: NetworkMetrics.collision, isUplink: true) == .extended)
    }
}
