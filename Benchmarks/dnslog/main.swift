// dnslog-benchmark MODE FILE: takes a resolver's log through the plugin's own reader and analysis and prints what was seen.
// MODE is inspect or metrics; `run.sh` sets it beside its yardstick.

import DNSLogPlugin
import Glibc

func end(_ message: String) -> Never {
    let line = "dnslog-benchmark: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}

let arguments = CommandLine.arguments
// What `sonde inspect` does, and what the running agent does with its default options: names and clients are counted too.
let modes: [String: LogSettings] = ["inspect": .file, "metrics": .metrics(top: 20)]
guard arguments.count == 3, let settings = modes[arguments[1]] else {
    end("usage: dnslog-benchmark inspect|metrics FILE")
}
let descriptor = open(arguments[2], O_RDONLY | O_CLOEXEC)
let inspection = LogInspection(settings)
guard descriptor >= 0, (try? inspection.read([], descriptor, cancel: -1)) != nil else {
    end("'\(arguments[2])' cannot be read")
}
let report = LogReport(inspection.pipeline)
var usage = rusage()
getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
let counts = [report.queries, report.failures].map { $0.map { "\($0)" } ?? "unknown" }
print(
    "format \(report.format?.rawValue ?? "unknown") lines \(report.lines) unparsed \(report.unparsed)",
    "queries \(counts[0]) failures \(counts[1]) rss_kib \(usage.ru_maxrss)"
)
