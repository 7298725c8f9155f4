public import CSondePlugin
import Glibc
import SondeDomain
import SondePluginKit

final class Uptime: Source {
    static let metric = MetricDefinition("acme.uptime", .gauge, unit: "s", meaning: "Seconds since the boot.")
    static let descriptor = PluginDescriptor(
        name: "uptime",
        kind: .source,
        version: "1.0",
        summary: "How long the host has been up.",
        options: [OptionDefinition("path", .string, default: "/proc/uptime", help: "Where to read.")],
        metrics: [metric],
        errors: [.init("ACME-U001", meaning: "The file is unreadable.", recovery: "Check the path.")]
    )

    private let host: PluginHost
    private let path: String
    private var samples = SampleBuffer()

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        path = host.options.string("path") ?? "/proc/uptime"
    }

    func collect(_ call: PluginCall) throws(PluginError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { if file >= 0 { close(file) } }
        var bytes = [UInt8](repeating: 0, count: 64)
        guard file >= 0, read(file, &bytes, bytes.count) > 0,
            let seconds = Double(String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self))
        else { throw PluginError("ACME-U001", .configuration, "cannot read \(path)", optionPath: "path") }
        samples.removeAll()
        samples.append(host.openSeries(Self.metric), seconds)
        _ = host.commit(samples)
    }
}

/// The entry function: its name ends in the plugin's.
@c(sonde_plugin_uptime)
public func uptimePlugin() -> UnsafePointer<sonde_plugin> { exportPlugin(Uptime.self) }
