// procnet-benchmark ITERATIONS: the CPU time of one collection of procnet, in microseconds, as readproc prints it.
// The plugin is driven through its exported table, with a host that takes its samples and does nothing with them.
// SLEEP_US=n in the environment pauses between collections, as an agent does. TICKS=n reads the uplinks n times as well,
// ten times a second, and prints what that costs with the waking up. TABLES, SOCKETS and CPU_BUDGET set options of the plugin. WALKS=1 lets a
// minute pass between two collections, so that each of them walks over sockets, neighbours and queues. LIVE=n does what an agent
// does, and nothing beside it: n seconds long a collection every second and nine readings of the uplinks in between. It waits in poll, and
// prints the processor time per second.

import CSondePlugin
import Glibc
import ProcNetPlugin

func processTime() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Double(now.tv_sec) * 1e6 + Double(now.tv_nsec) / 1e3
}

func end(_ status: Int32, _ message: String) -> Never {
    let line = "procnet-benchmark: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(status)
}

func fail(_ error: sonde_error) -> Never {
    end(1, withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
}

/// Collects once a second and reads the uplinks in between, on a grid of a tenth of a second.
@MainActor func runLive(_ seconds: Int) {
    var next = monotonicTime()
    let began = processTime()
    for tick in 1...(seconds * 10) {
        next += 100_000_000
        while true {
            let left = next - monotonicTime()
            guard left > 0 else { break }
            _ = poll(nil, 0, Int32(left / 1_000_000 + 1))
        }
        let function = tick % 10 == 0 ? plugin.pointee.collect : plugin.pointee.tick
        guard let function, function(instance, &call, &error) == SONDE_OK else { fail(error) }
    }
    print("live seconds=\(seconds) cpu_us_per_second=\(tenths((processTime() - began) / Double(seconds)))")
}

func monotonicTime() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}

let iterations = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 0 : 0
guard iterations > 0 else { end(64, "usage: procnet-benchmark ITERATIONS") }
let walks = getenv("WALKS") != nil
let pause = getenv("SLEEP_US").flatMap { UInt32(String(cString: $0)) } ?? 0
let host = MinimalHost()
for (option, variable) in [("tables", "TABLES"), ("sockets", "SOCKETS"), ("cpu_budget", "CPU_BUDGET")] {
    host.set(option, from: variable)
}
let plugin = sonde_plugin_procnet()
var instance: UnsafeMutableRawPointer?
var error = sonde_error()
var call = sonde_call()
call.struct_size = UInt32(MemoryLayout<sonde_call>.size)
call.cancel_fd = -1
call.deadline_ns = .max
call.time_ns = 2_000_000_000_000_000_000
call.interval_ns = 1_000_000_000

guard plugin.pointee.create(plugin, host.record, &instance, &error) == SONDE_OK else { fail(error) }
guard plugin.pointee.start(instance, &error) == SONDE_OK else { fail(error) }
// The first collection learns names and opens series; what is measured is every later one.
guard plugin.pointee.collect(instance, &call, &error) == SONDE_OK else { fail(error) }
var times: [Double] = []
times.reserveCapacity(iterations)
for _ in 0..<iterations {
    if pause > 0 { usleep(pause) }
    if walks { host.ahead += 61_000_000_000 }
    let start = processTime()
    guard plugin.pointee.collect(instance, &call, &error) == SONDE_OK else { fail(error) }
    times.append(processTime() - start)
}
let live = getenv("LIVE").flatMap { Int(String(cString: $0)) } ?? 0
if live > 0 { runLive(live) }
let ticks = getenv("TICKS").flatMap { Int(String(cString: $0)) } ?? 0
var tickTime = 0.0
if ticks > 0 {
    let start = processTime()
    for _ in 0..<ticks {
        usleep(100_000)
        guard plugin.pointee.tick(instance, &call, &error) == SONDE_OK else { fail(error) }
    }
    tickTime = (processTime() - start) / Double(ticks)
}
plugin.pointee.destroy(instance)
times.sort()

/// What the process holds in memory, in kB.
func resident() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let words = line.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }.split(separator: " ")
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * 4
}

func tenths(_ value: Double) -> String { "\(Int(value * 10) / 10).\(Int(value * 10) % 10)" }
print(
    "procnet iter=\(iterations) cpu_us min=\(tenths(times[0])) med=\(tenths(times[iterations / 2]))"
        + " max=\(tenths(times[iterations - 1])) samples=\(host.samples) checksum=\(host.checksum) rss_kb=\(resident())"
)
if ticks > 0 {
    // Ten a second: so many microseconds of a tick are as many thousandths of a percent of one core.
    let thousandths = String(Int(tickTime) % 1_000)
    let share = "\(Int(tickTime) / 1_000).\(String(repeating: "0", count: 3 - thousandths.count))\(thousandths)"
    print("tick n=\(ticks) cpu_us mean=\(tenths(tickTime)) core_percent_at_10_hz=\(share)")
}
