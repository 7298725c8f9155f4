internal import SondeDomain
internal import SondeEngine

/// Finds sinks that would write into each other's output: files of one path, and standard output.
struct SharedOutputCheck {
    private struct Output {
        let name: String
        /// The option that says so.
        let option: String
        let severity: ConfigurationProblem.Severity
    }

    let reading: ConfigurationReading

    /// Looks at enabled sinks, in their order.
    func check(_ configuration: AgentConfiguration) {
        var owners: [String: String] = [:]
        for sink in configuration.sinks {
            guard let output = Self.output(of: sink) else { continue }
            guard let owner = owners[output.name] else {
                owners[output.name] = sink.id
                continue
            }
            // Of an id that is given twice something else is told.
            guard owner != sink.id else { continue }
            reading.report(
                ConfigurationProblem(
                    .sharedOutput, at: sink.options.mark(for: output.option) ?? reading.start,
                    "sinks \(Shown.text(owner)) and \(Shown.text(sink.id)) both write to \(Shown.text(output.name))",
                    suggestion: "keep one of them, or give each an output of its own", severity: output.severity))
        }
    }

    /// Two that write to a file lose lines of each other when it is rotated; lines on standard output are only mixed.
    private static func output(of sink: SinkConfiguration) -> Output? {
        switch sink.plugin {
        case "stdout": Output(name: "standard output", option: "plugin", severity: .warning)
        case "file":
            sink.options.values.string("path").map { Output(name: normalized($0), option: "path", severity: .error) }
        default: nil
        }
    }

    /// Without `.` and doubled slashes; links are not followed, since nothing is looked at before the start.
    private static func normalized(_ path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
