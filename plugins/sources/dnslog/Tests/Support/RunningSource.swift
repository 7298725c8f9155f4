import SondeDomain
import SondePluginKit
import SondeTestKit

@testable import DNSLogPlugin

/// A configured source that is run as the agent runs it, in stretches between which a test looks at what it committed.
final class RunningSource {
    struct Late: Error {
        let committed: [FakeHost.CommittedSample]
        let log: [String]
    }

    private let harness: PluginHarness

    init(_ options: [String: FakeHost.Option]) throws {
        harness = try PluginHarness(sonde_plugin_dnslog(), options: options)
        try harness.start()
    }

    /// Runs it until `isDone`, which is called after each step; gives up after half a minute.
    func run(until isDone: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(30)
        repeat {
            guard ContinuousClock.now < deadline else { throw Late(committed: last, log: harness.host.log) }
            harness.host.commitAnswers = [.taken, .stopping]
            _ = try harness.run(interval: .milliseconds(50))
        } while !(try isDone())
    }

    var log: [String] { harness.host.log }
    var losses: [Loss] { harness.host.losses }

    /// The sum over the series of the last commit that have these attributes; nil when there is none.
    func sum(_ name: String, _ attributes: [String: String] = [:]) -> UInt64? {
        let counts = series(name, attributes).compactMap { sample in
            if case .unsigned(let count) = sample.value { count } else { nil }
        }
        return counts.isEmpty ? nil : counts.reduce(0, +)
    }

    /// How many values the histograms of the last commit have with these attributes.
    func histogramCount(_ name: String, _ attributes: [String: String] = [:]) -> UInt64 {
        series(name, attributes).reduce(0) { sum, sample in
            if case .histogram(let value) = sample.value { sum + value.count } else { sum }
        }
    }

    private func series(_ name: String, _ attributes: [String: String]) -> [FakeHost.CommittedSample] {
        last.filter { sample in
            sample.name == name
                && attributes.allSatisfy { sample.attributes.contains(Attribute($0.key, $0.value)) }
        }
    }

    private var last: [FakeHost.CommittedSample] { harness.host.commits.last ?? [] }
}
