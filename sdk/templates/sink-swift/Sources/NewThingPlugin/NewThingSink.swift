public import CSondePlugin
import Glibc
import SondeDomain
import SondePluginKit

/// Appends one line for each point to a file; put in its place how you deliver.
final class NewThingSink: Sink {
    static let descriptor = PluginDescriptor(
        name: "newthing",
        kind: .sink,
        version: "0.1.0",
        summary: "Appends points to a file.",
        options: [OptionDefinition("path", .string, required: true, help: "The file that is appended to.")],
        errors: [
            .init("NEWTHING-001", meaning: "The file cannot be opened.", recovery: "Check 'path' and its permissions."),
            .init("NEWTHING-002", meaning: "The file cannot be written.", recovery: "Look for a full or failing disk."),
        ],
        delivery: .durable
    )

    private let path: String

    /// Checks the options and opens nothing: `sonde check` calls this.
    init(host: PluginHost) throws(PluginError) {
        path = host.options.string("path") ?? ""
        guard path.hasPrefix("/") else {
            throw PluginError("NEWTHING-001", .configuration, "'\(path)' is not absolute", optionPath: "path")
        }
    }

    /// Delivers a batch whole; what is thrown here makes the agent offer the same batch again.
    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        var text = ""
        for entry in batch.entries { text += Self.line(entry, of: batch.series[entry.seriesIndex]) }
        try append(Array(text.utf8))
        return .complete
    }

    private static func line(_ entry: Batch.Entry, of series: Series) -> String {
        let attributes = series.attributes.map { " \($0.name)=\($0.value)" }.joined()
        return switch entry.point.value {
        case .double(let value): "\(entry.point.time.nanoseconds) \(series.name)\(attributes) \(value)\n"
        case .signed(let value): "\(entry.point.time.nanoseconds) \(series.name)\(attributes) \(value)\n"
        case .unsigned(let value): "\(entry.point.time.nanoseconds) \(series.name)\(attributes) \(value)\n"
        case .histogram(let value):
            "\(entry.point.time.nanoseconds) \(series.name)\(attributes) \(value.count) values\n"
        // Only a sink whose descriptor has 'ends' is given these.
        case .ended: ""
        }
    }

    private func append(_ bytes: [UInt8]) throws(PluginError) {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
        guard file >= 0 else {
            throw PluginError(
                "NEWTHING-001", .configuration, "cannot open \(path): \(String(cString: strerror(errno)))",
                optionPath: "path")
        }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                throw PluginError(
                    "NEWTHING-002", .resource, "cannot write \(path): \(String(cString: strerror(errno)))",
                    optionPath: "path")
            }
            rest = rest.dropFirst(count)
        }
    }
}

/// What the agent calls first: the name ends in the plugin's.
@c(sonde_plugin_newthing)
public func newThingPlugin() -> UnsafePointer<sonde_plugin> { exportPlugin(NewThingSink.self) }
