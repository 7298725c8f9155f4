internal import Glibc
internal import SondeDomain
internal import SondePluginKit

extension DNSLogSource: Inspector {
    func inspect(_ file: Inspection, _ call: PluginCall) throws(PluginError) {
        let head = file.head
        if DnstapFile.isPossible(head) {
            let inspection = DnstapInspection()
            try report(inspection.pipeline, file) { () throws(LogInspection.Failure) in
                try inspection.read(head, file.descriptor, cancel: call.cancelDescriptor)
            }
        } else if LogInspection.isLog(head) {
            let inspection = LogInspection()
            try report(inspection.pipeline, file) { () throws(LogInspection.Failure) in
                try inspection.read(head, file.descriptor, cancel: call.cancelDescriptor)
                return nil
            }
        } else {
            throw .unsuited("SND-DLG020", "it is no resolver's log")
        }
    }

    /// Reports what `read` hands to the pipeline; what it returns is a warning.
    private func report(
        _ pipeline: LogPipeline, _ file: Inspection, _ read: () throws(LogInspection.Failure) -> String?
    ) throws(PluginError) {
        var warning: String?
        var failure: PluginError?
        do throws(LogInspection.Failure) {
            warning = try read()
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
        var report = LogReport(pipeline)
        if let warning { report.warnings.append(warning) }
        try write(report, pipeline.takeSamples(), to: file)
        if let failure { throw failure }
    }

    private func write(
        _ report: LogReport, _ samples: [LogPipeline.Sample], to file: Inspection
    ) throws(PluginError) {
        for sample in samples where sample.format != nil {
            host.log(.warning, "SND-DLG003: \(file.path): \(sample.sentence)")
        }
        for warning in report.warnings { host.log(.warning, "\(file.path): \(warning)") }
        try file.write(file.format == "json" ? report.json : report.table)
    }
}
