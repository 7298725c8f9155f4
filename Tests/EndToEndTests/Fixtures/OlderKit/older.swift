public import CSondePlugin
import SondeDomain
import SondePluginKit

/// A source that uses everything that the kit offers to one.
final class OlderSource: TickingSource {
    static let count = MetricDefinition("older.count", .counter, unit: "By", attributes: ["part"], meaning: "Bytes.")
    static let spread = MetricDefinition("older.spread", .histogram, unit: "s", meaning: "Times.")
    static let descriptor = PluginDescriptor(
        name: "older_source", kind: .source, version: "1", summary: "Made with the kit of 1.1.",
        options: [
            OptionDefinition("word", .string, default: "plain", help: "A word."),
            OptionDefinition("words", .list, help: "Some."),
            OptionDefinition("span", .duration(Nanoseconds(0)...Nanoseconds(.max)), default: "3s", help: "A time."),
        ],
        metrics: [count, spread],
        errors: [.init("ACME-O001", meaning: "Half of it failed.", recovery: "None.")]
    )

    private let host: PluginHost
    private var number: UInt64 = 0
    private var samples = SampleBuffer()

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        let words = host.options.list("words").joined(separator: "+")
        let span = host.options.duration("span")?.value ?? 0
        host.log(.info, "made with \(host.options.string("word") ?? "?") \(words) \(span)")
    }

    func start() throws(PluginError) {
        host.log(.info, "ticks: \(host.requestTick(every: .milliseconds(50)))")
        host.log(.info, "went on from \(String(decoding: host.loadCheckpoint() ?? [], as: UTF8.self))")
    }

    func tick(_ call: PluginCall) throws(PluginError) { number += 1 }

    func collect(_ call: PluginCall) throws(PluginError) {
        samples.removeAll()
        samples.append(host.openSeries(Self.count, [Attribute("part", "a")], width: .bits64), number)
        if let value = HistogramValue(bounds: [1, 2], counts: [3, 4, 5], sum: 20.5) {
            samples.append(host.openSeries(Self.spread), value)
        }
        let result = host.commit(samples, checkpoint: Array("here".utf8))
        if number > 0 { host.reportLoss(reason: "dropped", count: 7) }
        let trouble = PluginError("ACME-O001", .transient, "half of it failed", optionPath: "words[0]")
        host.log(.info, "committed: \(result), trouble: \(host.reportTrouble(trouble))")
        number += 1
    }
}

/// A sink that says what it was given.
final class OlderSink: Sink {
    static let descriptor = PluginDescriptor(
        name: "older_sink", kind: .sink, version: "1", summary: "Made with the kit of 1.1.", ends: true)

    private let host: PluginHost

    init(host: PluginHost) throws(PluginError) { self.host = host }

    func deliver(_ batch: Batch, _ call: PluginCall) throws(PluginError) -> Delivery {
        for entry in batch.entries {
            let series = batch.series[entry.seriesIndex]
            let pairs = series.attributes.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
            host.log(.info, "\(series.source) \(series.name) {\(pairs)} \(series.unit)")
        }
        host.log(.info, "labels \(batch.resource.labels.map { "\($0.name)=\($0.value)" }.joined(separator: ","))")
        return Delivery(rejectedPoints: 1, message: "one too many")
    }
}

/// The entry function of the source.
@c(sonde_plugin_older_source)
public func olderSource() -> UnsafePointer<sonde_plugin> { exportPlugin(OlderSource.self) }

/// The entry function of the sink.
@c(sonde_plugin_older_sink)
public func olderSink() -> UnsafePointer<sonde_plugin> { exportPlugin(OlderSink.self) }
