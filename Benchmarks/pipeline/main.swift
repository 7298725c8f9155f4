// Collecting from procnet through the whole engine (parse, commit, normalize, log in memory), against merely reading the
// same files, one after the other in the same loop: pipeline-benchmark PLUGIN_DIR [ITERATIONS].

import Glibc
import SondeDomain
import SondeEngine
import SondeGateways

struct SilentLog: EventLog {
    func log(_ level: LogLevel, _ message: String, component: String?) {}
    func log(_ level: LogLevel, _ error: SondeError) {}
}

let files = ["dev", "snmp", "snmp6", "netstat", "sockstat", "sockstat6"].map { "/proc/net/\($0)" }

/// CPU time of this thread in nanoseconds.
func cpuTime() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}

/// What readproc.c does: open, read to the end, close.
func readFiles(_ buffer: UnsafeMutableRawBufferPointer) {
    for file in files {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { continue }
        while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        close(descriptor)
    }
}

func report(_ name: String, _ times: [Int64]) -> Int64 {
    let sorted = times.sorted()
    let median = sorted[sorted.count / 2]
    print("\(name): min \(sorted[0] / 1_000) µs, median \(median / 1_000) µs")
    return median
}

let directory = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "dist/lib/sonde/plugins"
let iterations = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 2_000 : 2_000
let log = SilentLog()
let clock = SystemClock()
let ledger = LossLedger(log: log)
let catalog = DirectoryPluginCatalog(PluginSearchPath([directory]), log: log)
let plugin = try catalog.plugin(named: "procnet")
let spool = MemorySpool(epoch: "benchmark", maxBytes: 16 << 20, overflow: .dropOldest)
let pipeline = Pipeline(spool: spool, ledger: ledger, clock: clock)
spool.addReader("sink", .durable, wants: .metrics)
let channel = SourceChannel(
    id: "kernel",
    descriptor: plugin.descriptor,
    labels: [],
    host: nil,
    pipeline: pipeline,
    ledger: ledger,
    log: log,
    clock: clock
)
let options = OptionValues([
    "proc": .string("/proc"), "tables": .list(["dev", "snmp", "snmp6", "netstat", "sockstat", "sockstat6"]),
])
let source = try plugin.makeSource(id: "kernel", options: options, services: channel)
try source.start()

let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
var reading: [Int64] = []
var collecting: [Int64] = []
var samples = 0
for _ in 0..<iterations {
    let before = cpuTime()
    readFiles(buffer)
    let between = cpuTime()
    let call = CallConditions(
        cancelDescriptor: -1,
        deadline: .distantFuture,
        time: clock.wallTime,
        interval: .seconds(1)
    )
    _ = try source.collect(call)
    let after = cpuTime()
    reading.append(between - before)
    collecting.append(after - between)
    // What a sink would do: without it the log would fill and drop its oldest samples.
    if let stretch = spool.cut(for: "sink", maxCount: .max, maxBytes: .max) {
        spool.acknowledge(stretch, for: "sink")
        samples += stretch.count
    }
}
let floor = report("read only", reading)
let whole = report("read, parse, normalize, log", collecting)
print("\(samples / iterations) samples per collection, ratio \(Double(whole * 100 / floor) / 100)")
