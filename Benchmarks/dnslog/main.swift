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
guard arguments.count == 3, let mode = LogMeasurement.Mode(rawValue: arguments[1]) else {
    end("usage: dnslog-benchmark inspect|metrics FILE")
}
guard let result = LogMeasurement.run(arguments[2], mode) else { end("'\(arguments[2])' cannot be read") }
var usage = rusage()
getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
let counts = [result.queries, result.failures].map { $0.map { "\($0)" } ?? "unknown" }
print(
    "format \(result.format) lines \(result.lines) unparsed \(result.unparsed) queries \(counts[0])",
    "failures \(counts[1]) rss_kib \(usage.ru_maxrss)"
)
