// Encodes one batch of 300 series by 10 ticks, or as many as the third argument says, again and again and prints nanoseconds
// per point and format, before compression. Under callgrind pass
// a small number of rounds.
import Glibc
import SondeDomain
import SondeFormats

func benchmarkBatch(ticks: Int) -> Batch {
    let series = (0..<300).map { index in
        Series(
            id: SeriesID(rawValue: UInt64(index + 1)),
            source: "kernel",
            name: "system.network.io.\(index % 30)",
            kind: .counter,
            unit: "By",
            attributes: [
                Attribute("network.interface.name", "eth\(index / 30)"), Attribute("network.io.direction", "receive"),
            ],
            labels: [Attribute("site", "fra1")]
        )
    }
    var entries: [Batch.Entry] = []
    for tick in 0..<ticks {
        for (index, series) in series.enumerated() {
            let value: SampleValue =
                index % 3 == 0 ? .double(Double(index) * 1.37) : .unsigned(UInt64(index) * 7_919_000_777)
            let time = Timestamp(seconds: 1_767_225_600 + Int64(tick))
            let start = Timestamp(seconds: 1_767_000_000)
            let point = MetricPoint(series: series.id, time: time, start: start, value: value)
            entries.append(Batch.Entry(seriesIndex: index, point: point))
        }
    }
    let identity = BatchIdentity(agent: "agent", epoch: "epoch", first: 1, last: UInt64(entries.count))
    return Batch(identity: identity, sink: "bench", resource: Resource(host: "web-1"), series: series, entries: entries)
}

func cpuNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 300
let ticks = CommandLine.arguments.dropFirst(3).first.flatMap { Int($0) } ?? 10
let batch = benchmarkBatch(ticks: ticks)
let wanted = CommandLine.arguments.dropFirst(2).first
let lineFormats = LineFormat.allCases.map { format in (format.rawValue, { format.makeEncoder() }) }
let formats: [(name: String, makeEncoder: () -> any BatchEncoder)] =
    lineFormats + [
        ("remote_write_1", { RemoteWriteEncoder() }), ("remote_write_2", { RemoteWrite2Encoder() }),
        ("otlp", { OTLPEncoder() }),
    ]
for format in formats where wanted == nil || format.name == wanted {
    var encoder = format.makeEncoder()
    var buffer = ByteBuffer()
    _ = encoder.encode(batch, into: &buffer)
    let begin = cpuNanoseconds()
    for _ in 0..<rounds {
        buffer.removeAll()
        _ = encoder.encode(batch, into: &buffer)
    }
    let spent = Double(cpuNanoseconds() - begin)
    let points = Double(max(1, rounds) * batch.entries.count)
    print(format.name, Int(spent / points), "ns/point", buffer.count / batch.entries.count, "bytes/point")
}
