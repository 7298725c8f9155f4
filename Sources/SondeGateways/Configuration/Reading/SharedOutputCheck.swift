internal import SondeDomain
internal import SondeEngine

/// Finds sinks that would write into each other's output: files of one path, and standard output.
struct SharedOutputCheck {
    private struct Output {
        let name: String
        /// The option that sets the output.
        let option: String
        let severity: ConfigurationProblem.Severity
    }

    let reading: ConfigurationReading

    /// Checks enabled sinks, in their order.
    func check(_ configuration: AgentConfiguration) {
        var owners: [String: String] = [:]
        for sink in configuration.sinks {
            guard let output = Self.output(of: sink) else { continue }
            guard let owner = owners[output.name] else {
                owners[output.name] = sink.id
                continue
            }
            // For a duplicate id another problem is reported.
            guard owner != sink.id else { continue }
            reading.report(
                ConfigurationProblem(
                    .sharedOutput, at: sink.options.mark(for: output.option) ?? reading.start,
                    "sinks \(Shown.text(owner)) and \(Shown.text(sink.id)) both write to \(Shown.text(output.name))",
                    suggestion: "keep one of them, or give each its own output", severity: output.severity))
        }
    }

    /// Two that write to a file lose each other's lines when it is rotated; lines on standard output are only mixed.
    private static func output(of sink: SinkConfiguration) -> Output? {
        switch sink.plugin {
        case "stdout": Output(name: "standard output", option: "plugin", severity: .warning)
        case "file":
            sink.options.values.string("path").map { Output(name: normalized($0), option: "path", severity: .error) }
        default: nil
        }
    }

    /// Without `.` and doubled slashes; links are not followed, since no file is accessed before the start.
    private static func normalized(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
