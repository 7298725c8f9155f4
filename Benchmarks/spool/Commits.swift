import Glibc
import SondeDomain
import SondeEngine
import SondeGateways

private struct SilentLog: EventLog {
    func log(_ level: LogLevel, _ message: String, component: String?) {}
    func log(_ level: LogLevel, _ error: SondeError) {}
}

/// What a commit of one sample of each of many series costs: normalized and written to the log, in a loop, and with the
/// processor's caches as other programs leave them.
func commits(_ directory: String, series count: Int) throws {
    let (log, clock) = (SilentLog(), SystemClock())
    let ledger = LossLedger(log: log)
    let spool = try open(directory, 1 << 30)
    let channel = SourceChannel(
        id: "many", descriptor: PluginDescriptor(name: "many", kind: .source, version: "1", summary: ""), labels: [],
        host: nil, pipeline: Pipeline(spool: spool, ledger: ledger, clock: clock), ledger: ledger, log: log,
        clock: clock, seriesLimit: 1_000_000)
    var samples = (0..<count).map { number in
        let series = SeriesSpecification(
            name: "bench.value", kind: .gauge, unit: "1", attributes: [Attribute("number", "\(number)")])
        return Sample(series: channel.openSeries(series), value: .signed(0))
    }
    var other = [UInt8](repeating: 1, count: 64 << 20)
    for evicted in [0, other.count] {
        let times = (0..<max(20, 2_000_000 / count)).map { round in
            for index in samples.indices { samples[index].value = .signed(Int64(index &+ round)) }
            for place in stride(from: 0, to: evicted, by: 64) { other[place] &+= 1 }
            let before = cpuTime()
            _ = channel.commit(samples, checkpoint: nil, rejections: [])
            let time = cpuTime() - before
            while let stretch = spool.cut(for: "sink", maxCount: .max, maxBytes: .max) {
                spool.acknowledge(stretch, for: "sink")
            }
            return time
        }
        let median = times.sorted()[times.count / 2]
        print(
            "commit of \(count) series, \(evicted == 0 ? "in a loop" : "caches cold"): \(median / 1_000) µs, "
                + "\(median / Int64(count)) ns/sample")
    }
}
