internal import Glibc
internal import SondeDomain
internal import SondePluginKit

extension DNSLogSource: Inspector {
    func inspect(_ file: Inspection, _ call: PluginCall) throws(PluginError) {
        let head = file.head
        guard LogInspection.isLog(head) else { throw .unsuited("SND-DLG020", "it is no resolver's log") }
        let inspection = LogInspection()
        var failure: PluginError?
        do throws(LogInspection.Failure) {
            try inspection.read(head, file.descriptor, cancel: call.cancelDescriptor)
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .unreadable(let number):
                failure = PluginError(
                    "SND-DLG021",
                    .corruptInput,
                    "\(file.path): the file cannot be read: \(String(cString: strerror(number)))",
                    hint: "The report has what could be read."
                )
            }
        }
        try write(LogReport(inspection.pipeline), inspection.pipeline.takeSamples(), to: file)
        if let failure { throw failure }
    }

    private func write(
        _ report: LogReport, _ samples: [LogPipeline.Sample], to file: Inspection
    ) throws(PluginError) {
        for sample in samples where sample.format != nil {
            host.log(.warning, "SND-DLG003: \(file.path): a line is in no known format: '\(sample.text)'")
        }
        for warning in report.warnings { host.log(.warning, "\(file.path): \(warning)") }
        try file.write(file.format == "json" ? report.json : report.table)
    }
}
