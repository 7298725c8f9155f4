// pcap-benchmark MODE FILE [TABLE_BYTES]: takes a capture file through the plugin's own reader and analysis and prints what
// was seen. MODE: flow (flows with their time-outs and rankings, as in live capture), file (flows of which none ends by its
// time, as in a report of a file), dns (flow, and DNS) or odns (DNS alone); `run.sh` sets it beside its yardsticks.

import Glibc
import PcapPlugin

func end(_ message: String) -> Never {
    let line = "pcap-benchmark: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}

func makeSettings(_ mode: String, tableBytes: Int) -> (flows: FlowSettings?, dns: DNSSettings?)? {
    switch mode {
    case "flow": (.live(bytes: tableBytes), nil)
    case "file": (.file(bytes: tableBytes), nil)
    case "dns": (.live(bytes: tableBytes), .live)
    case "odns": (nil, .live)
    default: nil
    }
}

func makeReport(_ path: String, _ settings: (flows: FlowSettings?, dns: DNSSettings?)) -> InspectReport? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var run = InspectRun(TrafficAnalysis(flows: settings.flows, dns: settings.dns))
    guard (try? run.read(CaptureInput(descriptor))) != nil, run.report.failure == nil else { return nil }
    return run.report
}

let arguments = CommandLine.arguments
guard let tableBytes = Int(arguments.count > 3 ? arguments[3] : "67108864") else {
    end("'\(arguments[3])' is no number of bytes")
}
guard arguments.count >= 3, let settings = makeSettings(arguments[1], tableBytes: tableBytes) else {
    end("usage: pcap-benchmark flow|file|dns|odns FILE [TABLE_BYTES]")
}
guard let report = makeReport(arguments[2], settings) else {
    end("'\(arguments[2])' cannot be read to its end as a capture file")
}
var usage = rusage()
getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
let conversations = report.tcp.conversations + report.udpConversations
print("packets \(report.packets) conversations \(conversations) rss_kib \(usage.ru_maxrss)")
for warning in report.warnings { print(warning) }
