internal import Glibc

/// Reads a log as the plugin does, for benchmarks.
package enum LogMeasurement {
    /// What is made of the lines.
    package enum Mode: String {
        /// What `sonde inspect` does.
        case inspect
        /// What the running agent does with its default options: names and clients are counted too.
        case metrics
    }

    /// What was read.
    package struct Result {
        /// The format that the first lines told.
        package let format: String
        package let lines: UInt64
        package let unparsed: UInt64
        package let queries: UInt64?
        package let failures: UInt64?
    }

    /// Reads the file at `path` to its end; nil when it cannot be read.
    package static func run(_ path: String, _ mode: Mode) -> Result? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let inspection = LogInspection(mode == .inspect ? .file : LogSettings(top: 20))
        guard (try? inspection.read([], descriptor, cancel: -1)) != nil else { return nil }
        let report = LogReport(inspection.pipeline)
        return Result(
            format: report.format?.rawValue ?? "unknown",
            lines: report.lines,
            unparsed: report.unparsed,
            queries: report.queries,
            failures: report.failures
        )
    }
}
