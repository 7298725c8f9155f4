public import CSondePlugin
import Glibc
import SondeDomain
import SondePluginKit

/// Reads one number from a file at every interval; put in its place what you measure.
final class NewThingSource: Source {
    static let uptime = MetricDefinition("newthing.uptime", .gauge, unit: "s", meaning: "Seconds since the boot.")
    static let descriptor = PluginDescriptor(
        name: "newthing",
        kind: .source,
        version: "0.1.0",
        summary: "How long the host has been up.",
        options: [OptionDefinition("path", .string, default: "/proc/uptime", help: "The file that is read.")],
        metrics: [uptime],
        errors: [
            .init("NEWTHING-001", meaning: "The file cannot be read.", recovery: "Check 'path' and its permissions."),
            .init("NEWTHING-002", meaning: "The file holds no number.", recovery: "Name another file."),
        ]
    )

    private let host: PluginHost
    private let path: String
    private var samples = SampleBuffer()

    /// Checks the options and opens nothing: `sonde check` calls this.
    init(host: PluginHost) throws(PluginError) {
        self.host = host
        path = host.options.string("path") ?? "/proc/uptime"
        guard path.hasPrefix("/") else {
            throw PluginError("NEWTHING-001", .configuration, "'\(path)' is not absolute", optionPath: "path")
        }
    }

    func collect(_ call: PluginCall) throws(PluginError) {
        samples.removeAll()
        samples.append(host.openSeries(Self.uptime), try read())
        _ = host.commit(samples)
    }

    private func read() throws(PluginError) -> Double {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            let reason = String(cString: strerror(errno))
            throw PluginError(
                "NEWTHING-001", .configuration, "cannot open \(path): \(reason)", optionPath: "path")
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(file, &bytes, bytes.count)
        let word = bytes.prefix(max(0, count)).prefix { $0 > 0x20 }
        guard let value = Double(String(decoding: word, as: UTF8.self)), value.isFinite else {
            throw PluginError("NEWTHING-002", .corruptInput, "\(path) holds no number", optionPath: "path")
        }
        return value
    }
}

/// What the agent calls first: the name ends in the plugin's.
@c(sonde_plugin_newthing)
public func newThingPlugin() -> UnsafePointer<sonde_plugin> { exportPlugin(NewThingSource.self) }
