internal import SondePluginKit

extension PcapSource: Inspector {
    func inspect(_ file: Inspection, _ call: PluginCall) throws(PluginError) {
        let input = CaptureInput(file.descriptor, head: file.head, cancelDescriptor: call.cancelDescriptor)
        var run = InspectRun()
        do throws(CaptureFileError) {
            try run.read(input)
        } catch {
            guard error == .notCapture else { throw .cancelled }
            let (code, message) = error.description
            throw .unsuited(code, message)
        }
        let report = run.report
        for warning in report.warnings { host.log(.warning, "SND-PCP027: \(file.path): \(warning)") }
        try file.write(file.format == "json" ? report.json : report.table)
        guard let failure = report.failure else { return }
        throw .incomplete(file.path, failure)
    }
}
