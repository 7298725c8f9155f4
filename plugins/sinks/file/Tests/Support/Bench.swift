import FilePlugin
import SondeDomain
import SondePluginKit
import SondeTestKit

/// A sink on a file `m.log` in its own directory.
final class Bench {
    let directory: TemporaryDirectory
    let harness: PluginHarness

    init(
        _ options: [String: FakeHost.Option] = [:],
        in directory: TemporaryDirectory? = nil,
        file: String = "m.log"
    ) throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        let path = FakeHost.Option.string(directory.file(file))
        harness = try PluginHarness(
            sonde_plugin_file(),
            options: ["path": path].merging(options) { $1 }
        )
    }

    /// A sink that is started.
    static func started(
        _ options: [String: FakeHost.Option] = [:],
        in directory: TemporaryDirectory? = nil,
        file: String = "m.log"
    ) throws -> Bench {
        let bench = try Bench(options, in: directory, file: file)
        try bench.harness.start()
        return bench
    }

    /// What the file holds now.
    var text: String? { directory.text("m.log") }

    func deliver(_ batch: Batch) throws {
        try harness.deliver(batch)
    }

    /// What `start` throws.
    func startFailure() -> PluginError? {
        failure { try harness.start() }
    }

    /// What `deliver` throws.
    func deliveryFailure(_ batch: Batch) -> PluginError? {
        failure { try harness.deliver(batch) }
    }

    private func failure(_ body: () throws -> Void) -> PluginError? {
        do {
            try body()
            return nil
        } catch {
            return error as? PluginError
        }
    }
}
