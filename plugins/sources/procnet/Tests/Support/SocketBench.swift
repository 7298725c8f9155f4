import SondeDomain
import SondeNetlink

@testable import ProcNetPlugin
@testable import SondePluginKit
@testable import SondeTestKit

/// A stage over sockets of the test's own, which the test drives collection by collection.
final class SocketBench {
    let kernel: FakeSocketKernel
    let tree: ProcTree
    let fake = FakeHost()
    /// What a walk costs.
    var cost = Nanoseconds.milliseconds(1)
    let stage: SocketStage
    private let host: PluginHost
    private var time = Timestamp(seconds: 2_000_000_000)
    private let clock = Clock()

    init(
        _ sockets: [FakeSocket],
        sockstat: String? = nil,
        sockstat6: String? = nil,
        extent: SocketSettings.Extent = .count
    ) throws {
        kernel = FakeSocketKernel(sockets)
        tree = try ProcTree()
        if let sockstat { try tree.write(.sockstat, sockstat) }
        if let sockstat6 { try tree.write(.sockstat6, sockstat6) }
        fake.monotonicTime = MonotonicInstant(nanoseconds: 1_000_000_000)
        host = PluginHost(fake.record)
        let clock = clock
        var settings = SocketSettings()
        settings.extent = extent
        stage = SocketStage(
            NamespaceView(.own, proc: tree.root),
            settings,
            limits: TableLimits(),
            host: host,
            cgroups: CgroupNames(roots: []),
            processorTime: { clock.now }
        )
        stage.use(SocketKernel(SocketReader(kernel)))
    }

    /// Lets time pass and collects; what came is returned by series.
    @discardableResult
    func collect(after span: Nanoseconds = .seconds(10), interval: Nanoseconds = .seconds(10)) -> [String: SampleValue]
    {
        fake.monotonicTime = fake.monotonicTime?.advanced(by: span)
        time = Timestamp(nanoseconds: time.nanoseconds + span.value)
        fake.wallTime = time
        clock.step = cost
        var samples = SampleBuffer()
        stage.read(ReadingTimes(boot: nil, now: time), interval: interval, into: &samples)
        _ = host.commit(samples)
        return fake.lastCommit
    }

    /// The number of connections of a state in the last commit.
    func count(_ state: String, _ transport: String = "tcp", _ family: String = "ipv4") -> SampleValue? {
        let attributes = "network.connection.state=\(state),network.transport=\(transport),network.type=\(family)"
        return fake.lastCommit["system.network.connections{\(attributes)}"]
    }

    /// Advances by a step each time that it is looked at a second time.
    private final class Clock {
        var step = Nanoseconds.zero
        private var value = Nanoseconds.zero

        var now: Nanoseconds {
            defer { value = value + step }
            return value
        }
    }
}
