import Glibc
import SondeDomain
import SondeNetlink
import Testing

@testable import ProcNetPlugin
@testable import SondePluginKit
@testable import SondeTestKit

/// Which way interfaces are read, and what happens when one fails.
@Suite struct LinkStageTests {
    /// A stage over a fake kernel with one uplink; the files are those of the running kernel.
    private final class Bench {
        let kernel = FakeKernel([.loopback, .virtual(2, "tap0", "tun")])
        let fake = FakeHost()
        let stage: LinkStage
        private let host: PluginHost

        init(uplinks: [String] = ["tap0"]) {
            host = PluginHost(fake.record)
            var settings = LinkSettings()
            settings.uplinks = uplinks
            stage = LinkStage(NamespaceView(.own, proc: "/proc"), settings, limits: TableLimits(), host: host)
            stage.use(LinkKernel(LinkReader(kernel), takeChanges: { false }, speed: { _ in nil }))
        }

        func read() -> Set<String> {
            var samples = SampleBuffer()
            stage.read(
                ReadingTimes(boot: nil, now: fake.wallTime),
                interval: .seconds(10),
                into: &samples,
                buffer: ProcBuffer()
            )
            _ = host.commit(samples)
            return Set(fake.lastCommit.keys)
        }
    }

    private static let uplink = "system.network.io{network.interface.name=tap0,network.io.direction=receive}"
    private static let loopback = "system.network.io{network.interface.name=lo,network.io.direction=receive}"

    @Test func ticksAreAskedForWhileThereIsAnUplink() {
        let bench = Bench()
        #expect(bench.read().contains(Self.uplink))
        #expect(bench.fake.tickPeriod == .seconds(1))
    }

    @Test func anUplinkThatDoesNotExistIsATroubleUntilItAppears() {
        let bench = Bench(uplinks: ["tap0", "eth7"])
        _ = bench.read()
        _ = bench.read()
        #expect(bench.fake.troubles.map(\.code) == ["SND-PRC006"])
        #expect(bench.fake.troubles.map(\.optionPath) == ["uplinks[1]"])
        bench.kernel.links.append(.hardware(7, "eth7"))
        bench.stage.use(LinkKernel(LinkReader(bench.kernel), takeChanges: { false }, speed: { _ in nil }))
        _ = bench.read()
        #expect(bench.fake.troubles == [])
        bench.kernel.links.removeAll { $0.link.name == "tap0" }
        bench.stage.use(LinkKernel(LinkReader(bench.kernel), takeChanges: { false }, speed: { _ in nil }))
        _ = bench.read()
        #expect(bench.fake.troubles.map(\.optionPath) == ["uplinks[0]"])
        bench.stage.close()
        #expect(bench.fake.troubles == [])
    }

    @Test(arguments: [EPERM, EOPNOTSUPP]) func aRefusalLeadsToTheFilesForGood(number: Int32) throws {
        let bench = Bench()
        _ = bench.read()
        bench.kernel.failures = [.answer(number)]
        let values = bench.read()
        #expect(!values.contains(Self.uplink))
        #expect(values.contains(Self.loopback))
        #expect(bench.fake.log.filter { $0.hasPrefix("warning: SND-PRC009") }.count == 1)
        #expect(bench.fake.tickPeriod == nil)
        try bench.stage.tick()
        _ = bench.kernel.takeRequests(94)
        #expect(bench.read().contains(Self.loopback))
        #expect(bench.kernel.takeRequests(94) == 0)
        #expect(bench.stage.failure == nil)
    }

    @Test func whatTheFilesToldIsClosedWhenNetlinkAnswersAgain() throws {
        let bench = Bench()
        _ = bench.read()
        bench.kernel.failures = [.answer(EPERM)]
        #expect(bench.read().contains(Self.loopback))
        // The loopback is gone meanwhile.
        bench.kernel.links.removeFirst()
        bench.stage.use(LinkKernel(LinkReader(bench.kernel), takeChanges: { false }, speed: { _ in nil }))
        let values = bench.read()
        #expect(values.contains(Self.uplink))
        #expect(!values.contains(Self.loopback))
        let open = bench.fake.series.filter(\.isOpen).map(\.specification)
        #expect(!open.contains { $0.attributes.contains(Attribute("network.interface.name", "lo")) })
        bench.kernel.failures = [.answer(EPERM)]
        #expect(bench.read().contains(Self.loopback), "and the files are read again as if for the first time")
    }

    @Test func aFailureForAMomentIsNotedOnceAndSoIsItsEnd() {
        let bench = Bench()
        _ = bench.read()
        for _ in 0..<2 {
            bench.kernel.failures = [.receive(ETIMEDOUT)]
            #expect(bench.read().isEmpty, "nothing is read from files that may tell something else")
            #expect(bench.stage.failure == .system(ETIMEDOUT))
            #expect(bench.stage.netlinkError?.code == "SND-PRC010")
        }
        #expect(bench.read().contains(Self.uplink))
        #expect(bench.stage.failure == nil)
        let noted = bench.fake.log.filter { $0.contains("SND-PRC010") || $0.contains("answers") }
        #expect(noted.map { $0.prefix(4) } == ["warn", "info"])
    }

    @Test func aTickThatFailsSaysWhy() throws {
        let bench = Bench()
        _ = bench.read()
        bench.kernel.failures = [.receive(ETIMEDOUT)]
        let error = #expect(throws: PluginError.self) { try bench.stage.tick() }
        #expect(error?.code == "SND-PRC010")
        try bench.stage.tick()
    }

    @Test func aTreeThatIsNoNamespaceIsReadAsFiles() {
        let fake = FakeHost()
        let stage = LinkStage(
            NamespaceView(.own, proc: ProcTree.fixture("linux-6.18")),
            LinkSettings(),
            limits: TableLimits(),
            host: PluginHost(fake.record)
        )
        stage.start()
        #expect(fake.log.isEmpty)
    }
}
