// pcap-benchmark MODE FILE [TABLE_BYTES]: takes a capture file through the plugin's own reader and analysis and prints what
// was seen. MODE is read, flow, file, dns or odns; `run.sh` sets it beside its yardsticks.

import Glibc
import PcapPlugin

func end(_ message: String) -> Never {
    let line = "pcap-benchmark: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}

let arguments = CommandLine.arguments
guard arguments.count >= 3, let mode = CaptureMeasurement.Mode(rawValue: arguments[1]) else {
    end("usage: pcap-benchmark read|flow|file|dns|odns FILE [TABLE_BYTES]")
}
guard let tableBytes = Int(arguments.count > 3 ? arguments[3] : "67108864") else {
    end("'\(arguments[3])' is no number of bytes")
}
guard let result = CaptureMeasurement.run(arguments[2], mode, tableBytes: tableBytes) else {
    end("'\(arguments[2])' cannot be read to its end as a capture file")
}
var usage = rusage()
getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
print(
    "packets \(result.packets) flows \(result.flows) evicted \(result.evicted)",
    "table_bytes \(result.tableBytes) rss_kib \(usage.ru_maxrss)"
)
