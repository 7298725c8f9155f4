import Foundation
import SondeDomain
import SondeFormats
import SondePluginKit
import SondeTestKit
import Testing

@testable import StdoutPlugin

/// The sink behind the C contract, with a descriptor and a window of the test's choice.
final class TestedSink: Sink {
    static let descriptor = StdoutSink.descriptor
    private let sink: StdoutSink

    init(host: PluginHost) throws(PluginError) {
        let options = host.options
        let columns = options.integer("columns")
        let rows = options.integer("rows")
        let isColorUnwanted = options.bool("no_color") ?? false
        sink = StdoutSink(
            settings: try StdoutConfiguration(options),
            output: OutputDescriptor(Int32(options.integer("fd") ?? -1)) { host.monotonicTime },
            terminal: Terminal(
                size: { _ in columns.map { TableSize(columns: Int($0), rows: rows.map { Int($0) }) } },
                isColorUnwanted: { isColorUnwanted }
            ),
            report: { host.log(.warning, $0) }
        )
    }

    func start() throws(PluginError) {
        try sink.start()
    }

    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        try sink.deliver(batch, call)
    }

    /// A started sink that writes to a descriptor.
    static func harness(
        to descriptor: Int32,
        _ options: [String: FakeHost.Option] = [:]
    ) throws -> PluginHarness {
        let options = options.merging(["fd": .integer(Int64(descriptor))]) { given, _ in given }
        let harness = try PluginHarness(exportPlugin(TestedSink.self), options: options)
        try harness.start()
        return harness
    }
}
