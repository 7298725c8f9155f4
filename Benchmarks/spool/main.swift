// The log on disk: spool-benchmark throughput DIR POINTS | commit DIR SERIES | fill DIR MIB | start DIR MIB | drain DIR MIB.
// For tests: spool-benchmark write DIR FIRST.

import Glibc
import SondeDomain
import SondeEngine
import SondeGateways

let seriesCount = 200
let batchCount = 1_000

/// CPU time of this process in nanoseconds.
func cpuTime() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}

/// The resident size in kB, now and at its highest.
func residentSize() -> String {
    guard let file = fopen("/proc/self/status", "r") else { return "" }
    defer { fclose(file) }
    var lines: [String] = []
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        if text.hasPrefix("VmRSS") || text.hasPrefix("VmHWM") { lines.append(String(text.dropLast())) }
    }
    return lines.joined(separator: ", ")
}

let series = (0..<seriesCount).map { index in
    Series(
        id: SeriesID(rawValue: UInt64(index + 1)),
        source: "kernel",
        name: "system.network.io",
        kind: .counter,
        unit: "By",
        attributes: [
            Attribute("network.interface.name", "eth\(index / 2)"),
            Attribute("network.io.direction", index % 2 == 0 ? "receive" : "transmit"),
        ]
    )
}

/// One collection: counters of 64 bits with a start, as a busy host has them.
func collection(_ round: UInt64) -> [SpooledPoint] {
    let time = Timestamp(nanoseconds: 1_767_225_600_000_000_000 + Int64(round) * 1_000_000_000)
    return series.enumerated().map { index, series in
        SpooledPoint(
            series: series,
            time: time,
            start: Timestamp(nanoseconds: 1_767_000_000_000_000_000),
            value: .unsigned(123_456_789_012 + round * 1_234_567 + UInt64(index) * 7_919)
        )
    }
}

func open(_ directory: String, _ maxBytes: Int64) throws -> DiskSpool {
    var random = SystemRandomNumberGenerator()
    let settings = DiskSpoolSettings(directory: directory, maxBytes: maxBytes)
    let spool = try DiskSpool(settings, clock: SystemClock(), newEpoch: SpoolEpoch.random(using: &random))
    spool.addReader("sink", .durable, wants: .metrics)
    return spool
}

func throughput(_ directory: String, _ points: Int) throws {
    let spool = try open(directory, 256 << 20)
    let collections = (0..<64).map { collection(UInt64($0)) }
    var appended: Int64 = 0
    var read: Int64 = 0
    var delivered = 0
    var done = 0
    let clock = SystemClock()
    while done < points {
        let before = cpuTime()
        for _ in 0..<100 {
            _ = spool.append(collections[done / seriesCount % 64], documents: [], at: clock.monotonicTime)
            done += seriesCount
        }
        let between = cpuTime()
        while let stretch = spool.cut(for: "sink", maxCount: batchCount, maxBytes: 1 << 20) {
            delivered += spool.read(stretch, for: "sink").points.count
            spool.acknowledge(stretch, for: "sink")
        }
        appended += between - before
        read += cpuTime() - between
    }
    print("append \(appended / Int64(done)) ns/point, cut+read+acknowledge \(read / Int64(max(1, delivered))) ns/point")
    print("\(done) appended, \(delivered) read, batches of \(batchCount); \(residentSize())")
}

func fill(_ directory: String, _ mebibytes: Int64) throws {
    let spool = try open(directory, (mebibytes + 64) << 20)
    let clock = SystemClock()
    var round: UInt64 = 0
    while spool.usage()?.bytes ?? 0 < mebibytes << 20 {
        for _ in 0..<100 {
            _ = spool.append(collection(round), documents: [], at: clock.monotonicTime)
            round += 1
        }
        spool.sync()
    }
    print("filled: \(spool.usage()?.bytes ?? 0) bytes, \(spool.backlog(of: "sink").count) points")
}

func start(_ directory: String, _ mebibytes: Int64) throws {
    let clock = SystemClock()
    let before = clock.monotonicTime
    let spool = try open(directory, (mebibytes + 64) << 20)
    let opened = clock.monotonicTime
    let stretch = spool.cut(for: "sink", maxCount: batchCount, maxBytes: 1 << 20)
    let count = stretch.map { spool.read($0, for: "sink").points.count } ?? 0
    let first = clock.monotonicTime
    print(
        "start: open \(opened.since(before).value / 1_000) µs, first batch of \(count) after "
            + "\(first.since(before).value / 1_000) µs; \(residentSize())")
}

func drain(_ directory: String, _ mebibytes: Int64) throws {
    let spool = try open(directory, (mebibytes + 64) << 20)
    let before = SystemClock().monotonicTime
    let cpu = cpuTime()
    var count = 0
    while let stretch = spool.cut(for: "sink", maxCount: 20_000, maxBytes: 4 << 20) {
        count += spool.read(stretch, for: "sink").points.count
        spool.acknowledge(stretch, for: "sink")
    }
    let seconds = SystemClock().monotonicTime.since(before).seconds
    print(
        "drained \(count) points in \(seconds) s, \((cpuTime() - cpu) / Int64(max(1, count))) ns/point of CPU; "
            + residentSize())
}

/// Appends numbered points until it is killed, and says after each append how far it is.
func write(_ directory: String, from first: Int) throws {
    let spool = try open(directory, 64 << 20)
    let clock = SystemClock()
    var number = UInt64(max(1, first))
    while true {
        let points = (number..<(number + 10)).map { number in
            SpooledPoint(
                series: series[0], time: Timestamp(seconds: Int64(number)), start: nil, value: .unsigned(number))
        }
        let (result, _) = spool.append(points, documents: [], at: clock.monotonicTime)
        guard case .taken = result else { exit(1) }
        number += 10
        let line = Array("\(number - 1)\n".utf8)
        guard Glibc.write(1, line, line.count) == line.count else { exit(0) }
        if number % 1_000 == 1 { spool.sync() }
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let size = Int(arguments[3]) else {
    print("usage: spool-benchmark throughput|commit|fill|start|drain DIR SIZE")
    exit(64)
}
switch arguments[1] {
case "throughput": try throughput(arguments[2], size)
case "commit": try commits(arguments[2], series: size)
case "fill": try fill(arguments[2], Int64(size))
case "write": try write(arguments[2], from: size)
case "start": try start(arguments[2], Int64(size))
default: try drain(arguments[2], Int64(size))
}
