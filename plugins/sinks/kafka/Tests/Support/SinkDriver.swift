import KafkaPlugin
import SondeDomain
import SondePluginKit
import SondeTestKit

/// The sink behind its contract.
struct SinkDriver {
    let harness: PluginHarness

    /// An instance that is started.
    init(_ cluster: MockCluster, _ options: [String: FakeHost.Option] = [:]) throws {
        try self.init(cluster.brokers, options)
    }

    /// An instance that is started.
    init(_ brokers: [String], _ options: [String: FakeHost.Option] = [:]) throws {
        harness = try Self.create(brokers, options)
        try harness.start()
    }

    /// Makes an instance and nothing more.
    static func create(
        _ brokers: [String] = ["127.0.0.1:1"], _ options: [String: FakeHost.Option] = [:]
    ) throws -> PluginHarness {
        let standard: [String: FakeHost.Option] = ["brokers": .list(brokers), "topic": .string("sonde")]
        return try PluginHarness(sonde_plugin_kafka(), id: "central", options: standard.merging(options) { $1 })
    }

    @discardableResult
    func deliver(_ batch: Batch, timeout: Nanoseconds = .seconds(20)) throws -> PluginHarness.Outcome {
        try harness.deliver(batch, timeout: timeout)
    }

    /// The error of a delivery that must fail.
    func failure(_ batch: Batch, timeout: Nanoseconds = .seconds(20)) throws -> PluginError {
        do {
            let outcome = try deliver(batch, timeout: timeout)
            throw UnexpectedSuccess(outcome: outcome)
        } catch let error as PluginError {
            return error
        }
    }

    struct UnexpectedSuccess: Error {
        let outcome: PluginHarness.Outcome
    }
}
