// procnet-benchmark ITERATIONS: the CPU time of one collection of procnet, in microseconds, as readproc prints it.
// The plugin is driven through its exported table, with a host that takes its samples and does nothing with them.
// SLEEP_US=n in the environment pauses between collections, as an agent does.

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

let iterations = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 0 : 0
guard iterations > 0 else { end(64, "usage: procnet-benchmark ITERATIONS") }
let pause = getenv("SLEEP_US").flatMap { UInt32(String(cString: $0)) } ?? 0
let host = MinimalHost()
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
    let start = processTime()
    guard plugin.pointee.collect(instance, &call, &error) == SONDE_OK else { fail(error) }
    times.append(processTime() - start)
}
plugin.pointee.destroy(instance)
times.sort()

func tenths(_ value: Double) -> String { "\(Int(value * 10) / 10).\(Int(value * 10) % 10)" }
print(
    "procnet iter=\(iterations) cpu_us min=\(tenths(times[0])) med=\(tenths(times[iterations / 2]))"
        + " max=\(tenths(times[iterations - 1])) samples=\(host.samples) checksum=\(host.checksum)"
)
