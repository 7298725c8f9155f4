import SondeDomain
import SondeNetlink

@testable import ProcNetPlugin
@testable import SondePluginKit
@testable import SondeTestKit

/// A monitor over a kernel of the test's own, which the test drives reading by reading.
final class LinkBench {
    let kernel: FakeKernel
    let fake: FakeHost
    let host: PluginHost
    let monitor: LinkMonitor
    /// Whether the kernel has something new to report.
    var hasNews = true
    /// What the drivers report, by name.
    var speeds: [String: LinkSpeed] = [:]
    /// Of the kernel.
    var boot: String? = "boot-1"
    /// The samples of the last collection.
    private(set) var values: [String: SampleValue] = [:]
    private var time = Timestamp(seconds: 2_000_000_000)

    init(_ links: [FakeLink], _ configure: (inout LinkSettings) -> Void = { _ in }) {
        kernel = FakeKernel(links)
        fake = FakeHost()
        fake.monotonicTime = MonotonicInstant(nanoseconds: 1_000_000_000)
        host = PluginHost(fake.record)
        var settings = LinkSettings()
        configure(&settings)
        let box = Box()
        monitor = LinkMonitor(
            LinkKernel(LinkReader(kernel), takeChanges: { box.takeChanges() }, speed: { box.bench?.speeds[$0] }),
            settings,
            host: host,
            readBoot: { box.bench?.boot }
        )
        box.bench = self
    }

    /// Lets time pass and collects.
    @discardableResult
    func collect(after span: Nanoseconds = .seconds(10)) throws -> [String: SampleValue] {
        pass(span)
        fake.wallTime = time
        var samples = SampleBuffer()
        try monitor.collect(
            ReadingTimes(boot: Timestamp(seconds: 1_000_000_000), now: time),
            interval: span,
            into: &samples
        )
        monitor.countProblems()
        _ = host.commit(samples)
        values = fake.lastCommit
        return values
    }

    /// Lets time pass and reads the uplinks.
    func tick(after span: Nanoseconds = .milliseconds(100)) throws {
        pass(span)
        try monitor.tick()
    }

    /// Changes the device of that name.
    func change(_ name: String, _ body: (inout FakeLink) -> Void) {
        for index in kernel.links.indices where kernel.links[index].link.name == name { body(&kernel.links[index]) }
    }

    /// Opens the sockets again, as a source does at a restart.
    func restart() {
        monitor.use(LinkKernel(LinkReader(kernel), takeChanges: { false }, speed: { [weak self] in self?.speeds[$0] }))
    }

    /// The value of a metric of an interface.
    func value(_ metric: String, _ interface: String, _ direction: String? = nil) -> SampleValue? {
        let way = direction.map { ",network.io.direction=\($0)" } ?? ""
        return values["\(metric){network.interface.name=\(interface)\(way)}"]
    }

    /// The events of an interface, by verdict and cause.
    func events(_ interface: String) -> [String: SampleValue] {
        let prefix = "sonde.network.interface.counter_event{network.interface.name=\(interface),"
        let entries = values.filter { $0.key.hasPrefix(prefix) }
        return Dictionary(
            uniqueKeysWithValues: entries.map { key, value in
                let words = key.dropFirst(prefix.count).dropLast().split(separator: ",").map {
                    $0.split(separator: "=").last.map(String.init) ?? ""
                }
                return (words.sorted().joined(separator: " "), value)
            }
        )
    }

    private func pass(_ span: Nanoseconds) {
        fake.monotonicTime = fake.monotonicTime?.advanced(by: span)
        time = Timestamp(nanoseconds: time.nanoseconds + span.value)
    }

    private final class Box {
        weak var bench: LinkBench?

        func takeChanges() -> Bool {
            defer { bench?.hasNews = false }
            return bench?.hasNews ?? false
        }
    }
}

extension FakeLink {
    static var loopback: FakeLink { FakeLink(NetworkLink(index: 1, name: "lo", isLoopback: true)) }

    static func hardware(_ index: Int32, _ name: String) -> FakeLink { FakeLink(NetworkLink(index: index, name: name)) }

    static func virtual(_ index: Int32, _ name: String, _ kind: String, master: Int32? = nil) -> FakeLink {
        FakeLink(NetworkLink(index: index, name: name, kind: kind, master: master))
    }
}
